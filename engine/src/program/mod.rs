//! The schema, compiled: flat code, blocks over it, and pools of what instructions refer to.
//!
//! A block is one subschema: a run of instructions, front to back, cheap ones first. References are
//! calls by number, so recursion in the schema is a cycle of numbers. Block 0 is the root.
//!
//! ```text
//! {"type": "array", "items": {"$ref": "#"}}
//!
//! block 0
//!   0000 Type {array}      /type
//!   0001 EachItem 0.. → 1  /items
//! block 1  /items
//!   0002 Call → 0          /items/$ref
//! ```
//!
//! A block may also stand for two subschemas at once: the optimizer makes such blocks, and only its code leads to them.
//!
//! Each block has its code twice: as the keywords say it, for explanations, and as the optimizer wrote it,
//! for verdicts, behind a [`Gate`] that answers by the type of a node. Both give the same verdicts. Where nothing was optimized they are the same code.
//!
//! A program owns all it needs; nothing in it borrows from the schema.

mod components;
mod edges;
mod fused;
mod gate;
pub mod graph;
mod growth;
mod heap;
mod instruction;
mod listing;
pub(crate) mod names;
pub(crate) mod pattern;
mod pool;
pub(crate) mod verify;

pub(crate) use components::Components;
pub(crate) use edges::Reach;
pub(crate) use fused::{Branch, Interval, Items, Pick, Scalar, Test, Text, Unevaluated, Want};
pub(crate) use gate::{Gate, GateAnswer};
pub use growth::Growth;
pub(crate) use growth::Ways;
pub(crate) use instruction::{Applicator, Assertion, BlockId, Blocks, Content, Fast, Flat, Operand, Plain};
pub(crate) use names::NameTable;
pub(crate) use pattern::{MatchingPatterns, Pattern, PatternSet};
pub(crate) use pool::{Id, Pool};

use crate::document::pointer;
use crate::heap::{BuiltLater, Heap};
use crate::instance::divisor::Divisor;
use crate::keyword::apply::On;
use crate::limits::Budget;
use ahash::RandomState;
use serde_json::{Number, Value};
use smallvec::SmallVec;
use stanchion_vocab::{Keyword, TypeSet};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// How large a schema is, counted as [`Limits`](crate::Limits) count it, and the program made of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Size {
    /// The deepest nesting; see [`Limits::depth`](crate::Limits::depth).
    pub depth: usize,
    /// The subschemas, with those of all resources that were reached.
    pub subschemas: usize,
    /// The bytes of its texts and values; see [`Limits::document_bytes`](crate::Limits::document_bytes).
    pub document_bytes: usize,
    /// The states of its patterns; see [`Limits::pattern_size`](crate::Limits::pattern_size).
    pub pattern_size: u64,
    /// The patterns, each counted once however often it is written.
    pub patterns: usize,
    /// The references that lead somewhere.
    pub references: usize,
}

/// A compiled schema. `Display` and `Debug` print its listing; `{:#}` prints it with the gates of each name in a walk.
pub struct Program {
    /// The instructions as the keywords say them.
    pub(crate) code: Vec<Plain>,
    /// The keyword each of them comes from.
    pub(crate) origins: Vec<Keyword>,
    /// The instructions that verdicts run.
    pub(crate) fast_code: Vec<Flat>,
    /// The keyword each of them comes from, or the first of several.
    pub(crate) fast_origins: Vec<Keyword>,
    pub(crate) blocks: Vec<Block>,
    /// By block: how to run it for a verdict.
    pub(crate) fast: Vec<FastBlock>,
    /// The pointers from blocks to those in them, one behind the other.
    pub(crate) steps: String,
    /// The base URI of each resource.
    pub(crate) resources: Vec<Arc<str>>,
    /// Lists of blocks, for `allOf` and its like.
    pub(crate) lists: Vec<BlockId>,
    /// Whether a run may come to a block on a node so often that remembering verdicts pays.
    pub(crate) may_repeat: bool,
    /// By dynamic anchor that several resources have: those resources, in order, each with its block.
    pub(crate) anchors: Vec<Vec<(u32, BlockId)>>,
    /// For hashes of names and values.
    pub(crate) seeds: RandomState,
    pub(crate) counts: Pool<u64>,
    pub(crate) numbers: Pool<Bound>,
    pub(crate) multiples: Pool<Multiple>,
    pub(crate) constants: Pool<Value>,
    pub(crate) enumerations: Pool<Enumeration>,
    pub(crate) patterns: Pool<Pattern>,
    pub(crate) formats: Pool<Format>,
    pub(crate) names: Pool<NameTable>,
    pub(crate) dependent_names: Pool<DependentNames>,
    pub(crate) named_blocks: Pool<NamedBlocks>,
    pub(crate) pattern_blocks: Pool<PatternBlocks>,
    pub(crate) additional: Pool<Additional>,
    pub(crate) contains: Pool<Contains>,
    /// All scalars that `contains` look for, where these are many.
    pub(crate) contained: Option<Box<Enumeration>>,
    pub(crate) conditions: Pool<Condition>,
    pub(crate) annotations: Pool<Annotation>,
    pub(crate) members: Pool<Members>,
    pub(crate) picks: Pool<Pick>,
    pub(crate) intervals: Pool<Interval>,
    pub(crate) texts: Pool<Text>,
    pub(crate) items: Pool<Items>,
    pub(crate) unevaluated: Pool<Unevaluated>,
    /// The size of its schema.
    pub(crate) size: Size,
    /// The sizes of engines that runs have built since.
    pub(crate) built_later: Arc<BuiltLater>,
}

/// One subschema.
#[derive(Clone, Debug)]
pub(crate) struct Block {
    /// As the keywords say it.
    pub(crate) plain: Range<u32>,
    /// The block that the subschema is in; itself for the root of a document.
    pub(crate) parent: BlockId,
    /// The pointer from there to here, in [`Program::steps`].
    pub(crate) step: Range<u32>,
    pub(crate) resource: u32,
    /// Whether it has an `unevaluated…` keyword, which asks what the others evaluated.
    pub(crate) owns_marks: bool,
    /// Whether a run may come here from another resource, and that may change where a dynamic reference leads.
    pub(crate) enters: bool,
    /// The block that stands for all that say the same; mostly itself.
    pub(crate) same_as: BlockId,
    /// Whether it takes a few steps on any node, so that its verdict is not worth remembering: it runs no other block, and none of
    /// its instructions [is heavy](Program::is_heavy).
    pub(crate) is_light: bool,
    /// Whether more than one way leads here, so that verdicts may be worth remembering.
    pub(crate) is_shared: bool,
}

/// The part of a block that a verdict reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FastBlock {
    pub(crate) gate: Gate,
    /// Where the code starts that the optimizer wrote for the types that [`Gate::asks`].
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// Whether it takes a frame for marks, or enters a resource.
    pub(crate) needs_care: bool,
}

impl FastBlock {
    pub(crate) fn code(self) -> Range<u32> {
        self.start..self.end
    }
}

/// A number that a keyword compares with.
pub(crate) type Bound = Number;

/// The divisor of a `multipleOf`.
#[derive(Debug)]
pub(crate) struct Multiple {
    pub(crate) number: Number,
    pub(crate) divisor: Divisor,
}

/// The values of an `enum`: texts in a table, others by hash.
#[derive(Debug)]
pub(crate) struct Enumeration {
    pub(crate) values: Vec<Value>,
    pub(crate) texts: NameTable,
    /// Every value that is not a text, in order.
    pub(crate) others: Vec<Other>,
    /// The types of those others.
    pub(crate) other_types: TypeSet,
    /// All of those others, if each of them is a scalar, and there are not many.
    pub(crate) scalars: Option<Box<[Scalar]>>,
}

/// A value of an enumeration that is not a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Other {
    /// A key that is cheap to compute: the kind and size of a container, else the hash.
    pub(crate) key: u64,
    /// The hash of all that is in it.
    pub(crate) hash: u64,
    /// Its place among the values.
    pub(crate) index: u32,
}

impl Enumeration {
    /// The values that an error lists.
    pub(crate) fn listed(&self) -> &[Value] {
        &self.values[..self.values.len().min(100)]
    }
}

/// A format with its check.
pub(crate) struct Format {
    pub(crate) name: Box<str>,
    pub(crate) check: FormatCheck,
}

/// How a format is checked.
#[derive(Clone)]
pub(crate) enum FormatCheck {
    Known(stanchion_vocab::format::Check),
    Own(Arc<dyn Fn(&str) -> bool + Send + Sync>),
}

/// Names, some of which require others.
#[derive(Debug)]
pub(crate) struct DependentNames {
    /// All names that occur: first those that require others, then those that are only required.
    pub(crate) names: NameTable,
    /// By name that requires others: where its part of `required` ends.
    pub(crate) ends: Box<[u32]>,
    /// The places of the required names, one list behind the other.
    pub(crate) required: Box<[u32]>,
}

impl DependentNames {
    /// The names that require others.
    pub(crate) fn triggers(&self) -> impl Iterator<Item = &str> {
        self.names.iter().take(self.ends.len())
    }

    /// The places of the names that the one at this place requires; none if it is only required.
    pub(crate) fn required_by(&self, place: usize) -> &[u32] {
        let Some(&end) = self.ends.get(place) else { return &[] };
        let start = if place == 0 { 0 } else { self.ends[place - 1] };
        &self.required[start as usize..end as usize]
    }
}

/// Names, each with a block.
#[derive(Debug)]
pub(crate) struct NamedBlocks {
    pub(crate) names: NameTable,
    pub(crate) blocks: Vec<BlockId>,
}

impl NamedBlocks {
    pub(crate) fn new(names: NameTable, blocks: Vec<BlockId>) -> NamedBlocks {
        NamedBlocks { names, blocks }
    }
}

/// Patterns, each with a block.
#[derive(Debug)]
pub(crate) struct PatternBlocks {
    pub(crate) set: PatternSet,
    pub(crate) blocks: Vec<BlockId>,
}

impl PatternBlocks {
    pub(crate) fn iter(&self) -> impl Iterator<Item = (Id<Pattern>, BlockId)> {
        self.set.patterns().iter().copied().zip(self.blocks.iter().copied())
    }
}

/// The members that `additionalProperties` leaves to `properties` and `patternProperties`, and its own block.
#[derive(Debug)]
pub(crate) struct Additional {
    pub(crate) named: Option<Id<NamedBlocks>>,
    pub(crate) patterned: Option<Id<PatternBlocks>>,
    pub(crate) block: BlockId,
}

/// `contains` with its bounds.
#[derive(Debug)]
pub(crate) struct Contains {
    pub(crate) block: BlockId,
    pub(crate) least: u64,
    pub(crate) most: Option<u64>,
    /// Whether the accepted items count as evaluated: since 2020-12.
    pub(crate) marks: bool,
    /// The place of the scalar that is all that it looks for, in [`Program::contained`].
    pub(crate) constant: Option<u32>,
}

/// `if` with its branches.
#[derive(Debug)]
pub(crate) struct Condition {
    pub(crate) test: BlockId,
    pub(crate) then: Option<BlockId>,
    pub(crate) otherwise: Option<BlockId>,
}

/// A value to note.
#[derive(Debug)]
pub(crate) struct Annotation {
    /// The keyword: known or not.
    pub(crate) name: Cow<'static, str>,
    pub(crate) value: Value,
}

/// All that a block says about an object's members, for one walk.
#[derive(Debug)]
pub(crate) struct Members {
    /// Every name that the block speaks of, and what it says.
    pub(crate) names: NameTable<Member>,
    /// How many names are required, and a bit for each.
    pub(crate) required: (usize, u64),
    pub(crate) patterned: Option<Id<PatternBlocks>>,
    /// For members that neither `properties` nor a pattern speaks of.
    pub(crate) rest: Gate,
    /// How a walk finds what is said of members.
    pub(crate) lookup: LookupStrategy,
    /// By name: the patterns that match it, once that was asked.
    matching: OnceLock<Vec<Option<Matching>>>,
}

/// How a walk finds what is said of members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LookupStrategy {
    /// There is one name, and no other member matters.
    One,
    /// By the lengths of their names, and none is required.
    Length,
    /// By their lengths, and some are required.
    LengthRequired,
    /// By hashes of their names.
    Hash,
}

/// The patterns that match a name.
#[derive(Debug)]
pub(crate) struct Matching {
    /// Whether there are any.
    pub(crate) is_some: bool,
    /// The places of those that ask something.
    pub(crate) asking: Box<[u32]>,
}

/// The most names that are matched with their patterns beforehand.
const NAMES_MATCHED: usize = 64;

/// The most steps for each of them, so that matching takes no longer than compiling did.
const STEPS_TO_MATCH: usize = 8;

impl Members {
    /// The number of required names: those with the first bits.
    pub(crate) fn new(
        names: NameTable<Member>,
        required: usize,
        patterned: Option<Id<PatternBlocks>>,
        rest: Gate,
    ) -> Members {
        let is_only = names.len() == 1 && patterned.is_none() && rest.is_open();
        let lookup = if is_only && !names.has_costly_lookups() {
            LookupStrategy::One
        } else if !names.is_by_length() {
            LookupStrategy::Hash
        } else if required > 0 {
            LookupStrategy::LengthRequired
        } else {
            LookupStrategy::Length
        };
        let required = (required, (1 << required) - 1);
        Members { names, required, patterned, rest, lookup, matching: OnceLock::new() }
    }

    /// By name: which patterns match it, for those of which it is known. It depends on the program alone, so it is found on the first
    /// run, once for all runs, and costs those nothing.
    pub(crate) fn matching(&self, program: &Program, patterned: &PatternBlocks) -> &[Option<Matching>] {
        let PatternBlocks { set, blocks } = patterned;
        self.matching.get_or_init(|| {
            if self.names.len() > NAMES_MATCHED || set.patterns().len() > NAMES_MATCHED {
                return Vec::new();
            }
            let mut budget = Budget::for_matches((STEPS_TO_MATCH * self.names.len()) as u64);
            let matching = |name: &str| {
                let mut found = MatchingPatterns::new();
                set.find(&program.patterns, &mut budget, name, &mut found).ok()?;
                let is_asking = |place: &u32| !program.gate(blocks[*place as usize]).is_open();
                let asking = found.iter().copied().filter(is_asking).collect();
                Some(Matching { is_some: !found.is_empty(), asking })
            };
            let matching: Vec<Option<Matching>> = self.names.iter().map(matching).collect();
            program.built_later.add(matching.heap());
            matching
        })
    }
}

/// The requirements on a member, by its name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) gate: Gate,
    /// Its bit in [`Members::required`], or one that is not there.
    pub(crate) bit: u8,
    /// Whether `properties` speaks of it; if not, it is only required.
    pub(crate) is_property: bool,
}

impl Program {
    pub(crate) fn new(seeds: RandomState) -> Program {
        Program {
            code: Vec::new(),
            origins: Vec::new(),
            fast_code: Vec::new(),
            fast_origins: Vec::new(),
            blocks: Vec::new(),
            fast: Vec::new(),
            steps: String::new(),
            resources: Vec::new(),
            lists: Vec::new(),
            seeds,
            counts: Pool::default(),
            numbers: Pool::default(),
            multiples: Pool::default(),
            constants: Pool::default(),
            enumerations: Pool::default(),
            patterns: Pool::default(),
            formats: Pool::default(),
            names: Pool::default(),
            dependent_names: Pool::default(),
            named_blocks: Pool::default(),
            pattern_blocks: Pool::default(),
            additional: Pool::default(),
            contains: Pool::default(),
            contained: None,
            conditions: Pool::default(),
            may_repeat: false,
            anchors: Vec::new(),
            annotations: Pool::default(),
            members: Pool::default(),
            picks: Pool::default(),
            intervals: Pool::default(),
            texts: Pool::default(),
            items: Pool::default(),
            unevaluated: Pool::default(),
            size: Size::default(),
            built_later: Arc::default(),
        }
    }

    /// Gives back spare capacity of the parts that are largest in large programs.
    pub(crate) fn trim(&mut self) {
        pool::trim(&mut self.code);
        pool::trim(&mut self.origins);
        pool::trim(&mut self.fast_code);
        pool::trim(&mut self.fast_origins);
        pool::trim(&mut self.blocks);
        pool::trim(&mut self.fast);
        self.annotations.trim();
        self.enumerations.trim();
        self.names.trim();
        self.named_blocks.trim();
        self.additional.trim();
        self.members.trim();
    }

    /// How large the schema is.
    pub fn size(&self) -> Size {
        self.size
    }

    #[inline]
    pub(crate) fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    #[inline]
    pub(crate) fn fast(&self, id: BlockId) -> FastBlock {
        self.fast[id.0 as usize]
    }

    /// Returns the plain code of a block.
    #[inline]
    pub(crate) fn plain_of(&self, id: BlockId) -> &[Plain] {
        let plain = &self.block(id).plain;
        &self.code[plain.start as usize..plain.end as usize]
    }

    /// Returns the fast code of a block.
    pub(crate) fn fast_of(&self, id: BlockId) -> impl Iterator<Item = Fast> {
        let fast = self.fast(id);
        self.fast_code[fast.start as usize..fast.end as usize].iter().map(|&flat| flat.into())
    }

    /// Appends the fast code of a block.
    pub(crate) fn set_fast(&mut self, id: BlockId, code: impl IntoIterator<Item = (Fast, Keyword)>) {
        let start = self.fast_code.len() as u32;
        for (instruction, origin) in code {
            self.fast_code.push(instruction.into());
            self.fast_origins.push(origin);
        }
        let end = self.fast_code.len() as u32;
        let fast = &mut self.fast[id.0 as usize];
        (fast.start, fast.end) = (start, end);
    }

    /// Makes a block's plain code its fast code, as for all blocks where nothing is optimized.
    pub(crate) fn run_plain(&mut self, id: BlockId) {
        let code = self.block(id).plain.clone().map(|at| at as usize);
        let code = code.filter_map(|at| Some((self.code[at].for_verdicts()?, self.origins[at])));
        let code: SmallVec<[_; 8]> = code.collect();
        self.set_fast(id, code);
    }

    #[inline]
    pub(crate) fn gate(&self, id: BlockId) -> &Gate {
        &self.fast[id.0 as usize].gate
    }

    #[inline]
    pub(crate) fn list(&self, blocks: Blocks) -> &[BlockId] {
        let start = blocks.start as usize;
        &self.lists[start..start + blocks.len as usize]
    }

    /// Whether an applicator rejects every member that nothing else speaks of.
    pub(crate) fn refuses_unknown(&self, applicator: Applicator) -> bool {
        let mut refuses = false;
        applicator.edges(self, |_, on, block| {
            refuses |= matches!(on, On::OtherMembers | On::UnevaluatedMembers) && self.is_never(block);
        });
        refuses
    }

    /// Whether the errors of an instruction come before those of others: properties that are not known, as a name that is misspelt explains
    /// one that is missing.
    #[inline]
    pub(crate) fn comes_first(&self, instruction: Plain) -> bool {
        let Plain::Apply(Applicator::AdditionalProperties(id)) = instruction else { return false };
        self.is_never(self.additional[id].block)
    }

    /// Whether a block is just `false`.
    pub(crate) fn is_never(&self, id: BlockId) -> bool {
        self.plain_of(id) == [Plain::Assert(Assertion::Never)]
    }

    /// The keyword that an instruction of plain code comes from, known or not; none for a `false`.
    pub(crate) fn keyword_name(&self, at: u32) -> Option<&str> {
        match self.code[at as usize] {
            Plain::Annotate(id) | Plain::AnnotateText(id) => Some(&self.annotations[id].name),
            Plain::Assert(Assertion::Never) => None,
            Plain::Assert(_) | Plain::Apply(_) => Some(self.origins[at as usize].name()),
        }
    }

    /// The keyword that an instruction of fast code comes from; none for a `false`.
    pub(crate) fn fast_keyword_name(&self, at: u32) -> Option<&str> {
        let is_never = self.fast_code[at as usize] == Flat::Never;
        (!is_never).then(|| self.fast_origins[at as usize].name())
    }

    /// Where the subschema of a block stands in its document, as a JSON Pointer.
    pub(crate) fn pointer(&self, id: BlockId) -> String {
        // With room for the keyword that is often added.
        let mut pointer = String::with_capacity(self.pointer_bytes(id) + 24);
        self.push_pointer_until(&mut pointer, id, |_| false);
        pointer
    }

    /// Like [`Program::pointer`], with a step to a keyword behind it, cut to so many bytes.
    pub(crate) fn short_pointer(&self, id: BlockId, keyword: Option<&str>, most: usize) -> String {
        let mut step = String::new();
        keyword.iter().for_each(|keyword| pointer::push(&mut step, keyword));
        let mut steps: SmallVec<[&str; 16]> = SmallVec::new();
        steps.push(&step);
        let (mut id, mut block) = (id, self.block(id));
        while block.parent != id {
            steps.push(&self.steps[block.step.start as usize..block.step.end as usize]);
            (id, block) = (block.parent, self.block(block.parent));
        }
        steps.reverse();
        pointer::shortened_parts(&steps, most)
    }

    /// How many bytes [`Program::pointer`] takes.
    pub(crate) fn pointer_bytes(&self, mut id: BlockId) -> usize {
        let mut bytes = 0;
        let mut block = self.block(id);
        while block.parent != id {
            bytes += block.step.len();
            (id, block) = (block.parent, self.block(block.parent));
        }
        bytes
    }

    /// Where the subschema of a block stands, as the URI of its resource and a pointer within that. A URI that is longer than any real one
    /// is shortened, as each error has a copy.
    pub(crate) fn location(&self, id: BlockId) -> String {
        let resource = self.block(id).resource;
        let mut within = String::new();
        self.push_pointer_until(&mut within, id, |block| self.block(block.parent).resource != resource);
        let mut location = format!("{}#", shortened_uri(&self.resources[resource as usize]));
        pointer::push_as_fragment(&mut location, &within);
        location
    }

    /// Appends the steps from the first block upwards that `is_root` holds for, or from the document's root.
    fn push_pointer_until(&self, text: &mut String, id: BlockId, is_root: impl Fn(&Block) -> bool) {
        let mut steps: SmallVec<[&str; 16]> = SmallVec::new();
        let (mut id, mut block) = (id, self.block(id));
        while block.parent != id && !is_root(block) {
            steps.push(&self.steps[block.step.start as usize..block.step.end as usize]);
            (id, block) = (block.parent, self.block(block.parent));
        }
        steps.iter().rev().for_each(|step| text.push_str(step));
    }
}

/// A URI of at most 2 KiB: of a longer one the beginning, and an ellipsis.
fn shortened_uri(uri: &str) -> Cow<'_, str> {
    const LONGEST: usize = 2048;
    if uri.len() <= LONGEST {
        return Cow::Borrowed(uri);
    }
    let end = (0..=LONGEST).rev().find(|&end| uri.is_char_boundary(end)).unwrap_or(0);
    Cow::Owned(format!("{}…", &uri[..end]))
}
