//! From subschemas to blocks: one block for each subschema, under the same number.
//!
//! Each keyword compiles alone, by its own function in [`keyword`](crate::keyword), which checks the
//! keyword's value (so that what the metaschema refuses is refused here, with the place) and emits
//! instructions. It sees a [`Builder`] and a [`Site`], and nothing else.

pub(crate) mod reach;

use crate::diagnose::Faults;
use crate::document::{Entry, SubschemaId, pointer};
use crate::error::text::with_article;
use crate::error::{SchemaError, SchemaErrorKind};
use crate::explain::Excerpt;
use crate::instance::Node;
use crate::keyword;
use crate::keyword::apply::On;
use crate::limits::Limits;
use crate::program::{
    Annotation, Assertion, Block, BlockId, Blocks, FastBlock, FormatCheck, Gate, Id, Pattern, Plain, Program,
    Size,
};
use crate::resolve::{Resolved, Sources, Target};
use ahash::RandomState;
use serde_json::{Map, Value};
use smallvec::SmallVec;
use stanchion_vocab::{Dialect, Keyword, Vocabulary, ecma};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// The caller's choices that change what keywords compile to.
pub(crate) struct Options<'o> {
    pub(crate) limits: &'o Limits,
    pub(crate) assert_formats: bool,
    pub(crate) assert_content: bool,
    pub(crate) formats: &'o HashMap<String, FormatCheck, RandomState>,
}

/// Compiles every subschema of a document.
pub(crate) fn compile(
    resolved: &Resolved<'_>,
    sources: &Sources<'_>,
    options: &Options<'_>,
) -> Result<Program, SchemaError> {
    compile_with(resolved, sources, options, &mut Faults::First)
}

/// Compiles every subschema, and leaves out what is refused, if `faults` gathers that.
pub(crate) fn compile_with(
    resolved: &Resolved<'_>,
    sources: &Sources<'_>,
    options: &Options<'_>,
    faults: &mut Faults,
) -> Result<Program, SchemaError> {
    let seeds = sources.seeds.clone();
    let mut builder = Builder {
        resolved,
        options,
        patterns: HashMap::with_hasher(seeds.clone()),
        pattern_states: 0,
        dynamic_anchors: HashMap::with_hasher(seeds.clone()),
        program: Program::new(seeds),
        block_start: 0,
        keyword: Keyword::Schema,
        faults,
    };
    let document = &resolved.document;
    builder.number_anchors();
    builder.program.resources = document.resources.iter().map(|resource| Arc::clone(&resource.uri)).collect();
    for index in 0..document.subschemas.len() {
        builder.subschema(SubschemaId(index as u32))?;
    }
    keyword::reference::enter_resources(&mut builder.program);
    reach::check(resolved, sources, &mut builder.program, builder.faults)?;
    let pattern_size = builder.pattern_states;
    let mut program = builder.program;
    program.size = Size {
        depth: document.deepest(),
        subschemas: document.subschemas.len(),
        document_bytes: document.bytes(),
        pattern_size,
        patterns: program.patterns.iter().count(),
        references: resolved.targets.len(),
    };
    let patterns = program.size.patterns;
    program.patterns.iter_mut().for_each(|pattern| pattern.share_work(patterns, &program.built_later));
    // Without references every block has one caller, and there is nothing to share.
    if !resolved.targets.is_empty() {
        program.note_sharing();
    }
    Ok(program)
}

/// Where dynamic references to a name lead that more than one resource has.
#[derive(Clone, Copy, Debug)]
pub(crate) enum DynamicAnchor {
    /// To the root's resource, which is the outermost one in any scope.
    Root(BlockId),
    /// Where the scope says: the place in [`Program::anchors`].
    Scope(u32),
}

/// A keyword in a subschema: what a compile function works on.
pub(crate) struct Site<'d> {
    pub(crate) subschema: SubschemaId,
    pub(crate) entry: &'d Entry<'d>,
}

/// The receiver of what compile functions emit.
pub(crate) struct Builder<'d> {
    pub(crate) resolved: &'d Resolved<'d>,
    pub(crate) options: &'d Options<'d>,
    pub(crate) program: Program,
    /// Patterns by their source, to share them.
    patterns: HashMap<Box<str>, Id<Pattern>, RandomState>,
    /// The states of all patterns so far.
    pattern_states: u64,
    /// Where dynamic references to a name lead, for names that more than one resource has.
    dynamic_anchors: HashMap<&'d str, DynamicAnchor, RandomState>,
    /// Where the code of the current subschema starts.
    block_start: usize,
    /// The keyword that instructions come from.
    keyword: Keyword,
    faults: &'d mut Faults,
}

impl<'d> Builder<'d> {
    fn subschema(&mut self, id: SubschemaId) -> Result<(), SchemaError> {
        let document = &self.resolved.document;
        let subschema = document.subschema(id);
        let start = self.program.code.len() as u32;
        self.block_start = start as usize;
        match subschema.value {
            Value::Object(_) => self.keywords(id)?,
            Value::Bool(holds) if self.takes_boolean(id) => {
                if !holds {
                    self.keyword = Keyword::Schema;
                    self.emit(Assertion::Never);
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                let wanted = if self.takes_boolean(id) {
                    "a schema (an object or a boolean)"
                } else {
                    "a schema (an object)"
                };
                self.faults.take(document.error(id, "", expected(wanted, subschema.value)))?;
            }
        }
        let code = start..self.program.code.len() as u32;
        let before = self.program.steps.len() as u32;
        subschema.step.push_to(&mut self.program.steps);
        let step = before..self.program.steps.len() as u32;
        let (mut owns_marks, mut is_light) = (false, true);
        for &instruction in self.emitted() {
            is_light &= !instruction.for_verdicts().is_some_and(|fast| self.program.is_heavy(fast));
            let Plain::Apply(applicator) = instruction else { continue };
            applicator.edges(&self.program, |_, on, _| {
                owns_marks |= matches!(on, On::UnevaluatedItems | On::UnevaluatedMembers);
                is_light = false;
            });
        }
        self.program.blocks.push(Block {
            plain: code,
            parent: block_of(subschema.parent.unwrap_or(id)),
            step,
            resource: subschema.resource.0,
            owns_marks,
            enters: false,
            same_as: block_of(id),
            is_light,
            is_shared: false,
        });
        let gate = Gate::to(block_of(id));
        self.program.fast.push(FastBlock { gate, start: 0, end: 0, needs_care: owns_marks });
        Ok(())
    }

    /// Compiles the keywords of a subschema in the order of the keyword table, which is the order to run in.
    fn keywords(&mut self, id: SubschemaId) -> Result<(), SchemaError> {
        let document = &self.resolved.document;
        let rules = document.resource(document.subschema(id).resource).rules;
        let start = self.program.code.len();
        let entries = document.entries(id);
        let mut order: SmallVec<[&Entry<'_>; 16]> = entries.iter().collect();
        // Unknown keywords come last.
        order.sort_by_key(|entry| entry.keyword.map_or(u8::MAX, |keyword| keyword as u8));
        for entry in order {
            let site = Site { subschema: id, entry };
            match entry.keyword {
                Some(keyword) => {
                    self.keyword = keyword;
                    let compile = keyword::compiler(keyword, rules.dialect_of(keyword, entry.value));
                    if let Err(error) = compile(self, &site) {
                        self.faults.take(error)?;
                    }
                }
                None => keyword::annotation::unknown(self, &site),
            }
        }
        if rules.dialect.reference_hides_siblings() && self.resolved.targets.contains_key(&(id, Keyword::Ref))
        {
            self.keep_reference_only(start);
        }
        Ok(())
    }

    /// Drops what was emitted since `start`, but for the reference.
    fn keep_reference_only(&mut self, start: usize) {
        let call = (start..self.program.code.len()).find(|&at| self.program.origins[at] == Keyword::Ref);
        if let Some(at) = call {
            self.program.code.swap(start, at);
            self.program.origins.swap(start, at);
            self.program.code.truncate(start + 1);
            self.program.origins.truncate(start + 1);
        }
    }

    /// Draft-04 has booleans only where a keyword takes «a boolean or a schema».
    fn takes_boolean(&self, id: SubschemaId) -> bool {
        let document = &self.resolved.document;
        self.dialect(id).has_boolean_schemas()
            || matches!(
                document.subschema(id).step,
                crate::document::Step::Keyword("additionalProperties" | "additionalItems")
            )
    }

    pub(crate) fn emit(&mut self, instruction: impl Into<Plain>) {
        self.program.code.push(instruction.into());
        self.program.origins.push(self.keyword);
    }

    pub(crate) fn dialect(&self, id: SubschemaId) -> Dialect {
        let document = &self.resolved.document;
        document.resource(document.subschema(id).resource).rules.dialect
    }

    /// Whether the metaschema asks for formats to be asserted.
    pub(crate) fn asserts_formats(&self, id: SubschemaId) -> bool {
        let document = &self.resolved.document;
        let vocabularies = document.resource(document.subschema(id).resource).rules.vocabularies;
        self.options.assert_formats || vocabularies.has(Vocabulary::FormatAssertion)
    }

    /// Another keyword of the same subschema.
    pub(crate) fn sibling(&self, site: &Site<'_>, keyword: Keyword) -> Option<&'d Entry<'d>> {
        let entries = self.resolved.document.entries(site.subschema);
        entries.iter().find(|entry| entry.keyword == Some(keyword))
    }

    /// The keyword's value as an annotation.
    pub(crate) fn annotation(&mut self, site: &Site<'_>) -> Id<Annotation> {
        let name = match site.entry.keyword {
            Some(keyword) if keyword.name() == site.entry.name => Cow::Borrowed(keyword.name()),
            _ => Cow::Owned(site.entry.name.to_owned()),
        };
        let annotation = Annotation { name, value: site.entry.value.clone() };
        self.program.annotations.push(annotation)
    }

    /// Returns the instructions that the keywords of the same subschema have compiled to so far.
    pub(crate) fn emitted(&self) -> &[Plain] {
        &self.program.code[self.block_start..]
    }

    /// The blocks of the subschemas of a keyword.
    pub(crate) fn children(&mut self, site: &Site<'_>) -> Blocks {
        let start = self.program.lists.len() as u32;
        self.program.lists.extend(site.blocks());
        Blocks { start, len: site.entry.children }
    }

    /// Where dynamic references to a name lead, if more than one resource has it.
    pub(crate) fn dynamic_anchor(&self, name: &str) -> Option<DynamicAnchor> {
        self.dynamic_anchors.get(name).copied()
    }

    /// Finds the dynamic anchors that more than one resource has.
    fn number_anchors(&mut self) {
        let mut by_name: HashMap<&'d str, Vec<(u32, BlockId)>, RandomState> =
            HashMap::with_hasher(self.program.seeds.clone());
        for (&(resource, name), &id) in &self.resolved.document.dynamic_anchors {
            by_name.entry(name).or_default().push((resource.0, block_of(id)));
        }
        for (name, mut candidates) in by_name {
            if candidates.len() < 2 {
                continue;
            }
            candidates.sort_unstable();
            // Every run enters the resource of the root first.
            let root = self.resolved.document.subschema(SubschemaId(0)).resource.0;
            if let Some(&(_, block)) = candidates.iter().find(|&&(resource, _)| resource == root) {
                self.dynamic_anchors.insert(name, DynamicAnchor::Root(block));
            } else {
                self.dynamic_anchors.insert(name, DynamicAnchor::Scope(self.program.anchors.len() as u32));
                self.program.anchors.push(candidates);
            }
        }
    }

    /// Where a reference leads.
    pub(crate) fn target(&self, site: &Site<'_>, keyword: Keyword) -> Option<Target> {
        self.resolved.targets.get(&(site.subschema, keyword)).copied()
    }

    /// A pattern, shared with others of the same source. `below` is where it stands under the keyword.
    pub(crate) fn pattern(
        &mut self,
        site: &Site<'_>,
        below: &[&str],
        source: &str,
    ) -> Result<Id<Pattern>, SchemaError> {
        if let Some(&pattern) = self.patterns.get(source) {
            return Ok(pattern);
        }
        // The length first: a pattern is read before its states can be counted.
        self.count_states(site, below, source.len() as u64 / 4)?;
        let syntax = ecma::Pattern::parse(source).map_err(|error| {
            let kind = SchemaErrorKind::Pattern { pattern: source.to_owned(), why: error.to_string() };
            self.error(site, below, kind)
        })?;
        self.count_states(site, below, syntax.size())?;
        let pattern = self.program.patterns.push(Pattern::new(source, &syntax));
        self.patterns.insert(source.into(), pattern);
        Ok(pattern)
    }

    fn count_states(&mut self, site: &Site<'_>, below: &[&str], states: u64) -> Result<(), SchemaError> {
        self.pattern_states = self.pattern_states.saturating_add(states);
        let limit = self.options.limits.pattern_size as u64;
        if self.pattern_states <= limit {
            return Ok(());
        }
        let kind = SchemaErrorKind::Limit {
            what: "states in its patterns",
            limit,
            name: "pattern_size",
            found: self.pattern_states,
            more: true,
        };
        Err(self.error(site, below, kind))
    }

    /// An error at a keyword, or at what the tokens lead to below it.
    pub(crate) fn error(&self, site: &Site<'_>, below: &[&str], kind: SchemaErrorKind) -> SchemaError {
        let mut suffix = String::new();
        pointer::push(&mut suffix, site.entry.name);
        below.iter().for_each(|token| pointer::push(&mut suffix, token));
        self.resolved.document.error(site.subschema, &suffix, kind)
    }

    /// The keyword's value is not of the kind that the metaschema wants.
    pub(crate) fn unexpected(&self, site: &Site<'_>, wanted: &str) -> SchemaError {
        self.unexpected_at(site, &[], wanted, site.entry.value)
    }

    /// Makes the error of a value below the keyword that is not of the kind that the metaschema wants.
    pub(crate) fn unexpected_at(
        &self,
        site: &Site<'_>,
        below: &[&str],
        wanted: &str,
        found: &Value,
    ) -> SchemaError {
        self.error(site, below, expected(wanted, found))
    }

    /// The keyword's value, or what is below it, is of the right kind and yet not what the metaschema wants.
    pub(crate) fn unexpected_value(
        &self,
        site: &Site<'_>,
        below: &[&str],
        wanted: &str,
        found: &Value,
    ) -> SchemaError {
        let kind = SchemaErrorKind::Expected {
            wanted: wanted.to_owned(),
            found: Excerpt::of(found).to_string(),
            suggestion: None,
        };
        self.error(site, below, kind)
    }

    /// Makes the error of a value below the keyword that is none of some names, and was perhaps meant to be one.
    pub(crate) fn unexpected_name(
        &self,
        site: &Site<'_>,
        below: &[&str],
        wanted: &str,
        found: &Value,
        suggestion: Option<&str>,
    ) -> SchemaError {
        let found = Excerpt::of(found).to_string();
        let suggestion = suggestion.map(str::to_owned);
        self.error(site, below, SchemaErrorKind::Expected { wanted: wanted.to_owned(), found, suggestion })
    }

    pub(crate) fn text<'v>(&self, site: &Site<'v>) -> Result<&'v str, SchemaError> {
        site.entry.value.as_str().ok_or_else(|| self.unexpected(site, "a string"))
    }

    pub(crate) fn boolean(&self, site: &Site<'_>) -> Result<bool, SchemaError> {
        site.entry.value.as_bool().ok_or_else(|| self.unexpected(site, "a boolean"))
    }

    pub(crate) fn number<'v>(&self, site: &Site<'v>) -> Result<&'v serde_json::Number, SchemaError> {
        if let Value::Number(number) = site.entry.value {
            return Ok(number);
        }
        Err(self.unexpected(site, "a number"))
    }

    pub(crate) fn object<'v>(
        &self,
        site: &Site<'v>,
        wanted: &str,
    ) -> Result<&'v Map<String, Value>, SchemaError> {
        site.entry.value.as_object().ok_or_else(|| self.unexpected(site, wanted))
    }

    pub(crate) fn array<'v>(&self, site: &Site<'v>, wanted: &str) -> Result<&'v [Value], SchemaError> {
        if let Value::Array(items) = site.entry.value {
            return Ok(items);
        }
        Err(self.unexpected(site, wanted))
    }
}

impl Site<'_> {
    /// The block of the keyword's only subschema.
    pub(crate) fn block(&self) -> BlockId {
        block_of(self.entry.first_child)
    }

    /// The blocks of the keyword's subschemas.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = BlockId> + use<> {
        let first = self.entry.first_child.0;
        (first..first + self.entry.children).map(BlockId)
    }
}

/// The block that a subschema becomes.
pub(crate) fn block_of(id: SubschemaId) -> BlockId {
    BlockId(id.0)
}

/// «expected this kind of value, found that kind».
fn expected(wanted: &str, found: &Value) -> SchemaErrorKind {
    let found = match found {
        Value::Array(items) if items.is_empty() => "an empty array",
        Value::Number(_) => "a number",
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            with_article(found.view().kind())
        }
    };
    SchemaErrorKind::Expected { wanted: wanted.to_owned(), found: found.to_owned(), suggestion: None }
}
