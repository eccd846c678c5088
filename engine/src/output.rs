//! Output formats, as JSON: [core §12], and the two that came after.
//!
//! All are readings of one tree. A unit of `basic`, `detailed` and `verbose` is a keyword or a
//! subschema; one of `list` and `hierarchical` is a subschema, with its keywords' errors and annotations inside.
//!
//! [core §12]: https://json-schema.org/draft/2020-12/json-schema-core#section-12

use crate::error::{Found, ValidationError, value_bytes};
use crate::limits::Exhausted;
use crate::program::Program;
use crate::report::annotations::{self, Annotation};
use crate::report::{self, Findings, Place, Room, Tree, UnitKind};
use crate::validator::Verdict;
use serde_json::{Map, Value, json};
use std::sync::{Arc, OnceLock};

/// All that a run found out: the verdict, annotations, errors, and the output formats.
#[derive(Debug)]
pub struct Evaluation {
    verdict: Verdict,
    /// Why the run gave up, if it did after it had its verdict.
    pub(crate) exhausted: Option<Exhausted>,
    findings: Arc<Findings>,
    /// How many errors are listed.
    limit: usize,
    annotations: OnceLock<Vec<Annotation>>,
}

impl Evaluation {
    pub(crate) fn new(
        verdict: Verdict,
        exhausted: Option<Exhausted>,
        findings: Arc<Findings>,
        limit: usize,
    ) -> Evaluation {
        Evaluation { verdict, exhausted, findings, limit, annotations: OnceLock::new() }
    }

    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Whether the instance was proven valid.
    pub fn is_valid(&self) -> bool {
        self.verdict == Verdict::Valid
    }

    /// Whether something was left out, for [`Limits::errors`](crate::Limits::errors) or because the run gave up
    /// after it had its verdict.
    pub fn is_cut(&self) -> bool {
        let is_told = self.verdict == Verdict::Invalid;
        self.findings.tree.is_cut || (is_told && self.writer().leaves_out(0))
    }

    fn writer(&self) -> Writer<'_> {
        let Findings { program, tree, .. } = &*self.findings;
        Writer { program, tree, is_valid: self.is_valid(), room: Room::new(tree.memory / 4) }
    }

    /// What the keywords that held say about the instance. Nothing, if it is not valid.
    pub fn annotations(&self) -> impl Iterator<Item = &Annotation> {
        let list = self.annotations.get_or_init(|| match self.verdict {
            Verdict::Valid => annotations::list(&self.findings.program, &self.findings.tree),
            Verdict::Invalid | Verdict::Undecided(_) => Vec::new(),
        });
        list.iter()
    }

    /// The errors. None, if the instance is valid. If the run ended before all errors were found, the last one says so
    /// by [`ValidationError::exhausted`].
    ///
    /// They are those of [`Validator::iter_errors`](crate::Validator::iter_errors), except that another branch may speak for a union: here
    /// branches are compared by all of their errors, there by their first.
    pub fn errors(&self) -> impl Iterator<Item = ValidationError> {
        let found = match self.verdict {
            Verdict::Valid | Verdict::Undecided(_) => Found::new(),
            Verdict::Invalid => report::list(&self.findings, self.limit).0,
        };
        let exhausted = self.exhausted.filter(|_| !self.is_valid());
        found.into_iter().chain(exhausted.map(ValidationError::exhaustion))
    }

    /// `flag`: the verdict alone.
    pub fn flag(&self) -> Value {
        json!({"valid": self.is_valid()})
    }

    /// `basic`: a flat list of errors or annotations.
    pub fn basic(&self) -> Value {
        self.write(false, |writer| {
            let mut units = Vec::new();
            writer.flatten(0, &mut units);
            writer.whole(units)
        })
    }

    /// `detailed`: a tree of errors or annotations, without the units that say nothing themselves and
    /// hold no more than one other.
    pub fn detailed(&self) -> Value {
        self.write(false, |writer| {
            let mut root = writer.unit(0).unwrap_or_default();
            let mut units = writer.details(0);
            if let ([only], false) = (&mut units[..], self.is_valid()) {
                return only.take();
            }
            root.insert(writer.plural().to_owned(), units.into());
            Value::Object(root)
        })
    }

    /// `verbose`: the whole tree, what held and what did not.
    pub fn verbose(&self) -> Value {
        self.write(true, |writer| writer.verbose(0).unwrap_or_default())
    }

    /// `list`: every subschema that was applied, with its errors or annotations.
    pub fn list(&self) -> Value {
        self.write(true, |writer| {
            let subschemas = (0..writer.tree.units.len()).filter(|&index| writer.is_subschema(index));
            let details: Vec<Value> =
                subschemas.map_while(|index| writer.subschema(index)).map(Value::Object).collect();
            json!({"valid": self.is_valid(), "details": details})
        })
    }

    /// `hierarchical`: the same as a tree.
    pub fn hierarchical(&self) -> Value {
        self.write(true, |writer| writer.hierarchy(0).unwrap_or_default())
    }

    /// Writes an output. An undecided run has just its reason; an output from which something was left out says
    /// so by `"incomplete": true`.
    fn write(&self, shows_all: bool, output: impl FnOnce(&Writer<'_>) -> Value) -> Value {
        if let Verdict::Undecided(exhausted) = self.verdict {
            return json!({"valid": false, "error": exhausted.to_string()});
        }
        let writer = self.writer();
        let mut written = output(&writer);
        // Some outputs have what does not count.
        let leaves_out = shows_all && writer.tree.units.iter().any(|unit| unit.is_cut);
        if leaves_out || self.is_cut() || writer.room.is_empty() {
            written["incomplete"] = true.into();
        }
        written
    }
}

/// Writes units until there is no more room for them.
struct Writer<'e> {
    program: &'e Program,
    tree: &'e Tree,
    is_valid: bool,
    room: Room,
}

impl Writer<'_> {
    /// The units directly inside one that have the verdict of the whole, and count: not the condition of an `if`.
    fn relevant(&self, index: usize) -> impl Iterator<Item = usize> {
        let is_test = |index| !self.is_valid && report::is_test(self.program, self.tree, index);
        let children = self.tree.children(index);
        children.filter(move |&child| self.tree.units[child].valid == self.is_valid && !is_test(child))
    }

    /// Whether failures were left out that would count.
    fn leaves_out(&self, index: usize) -> bool {
        self.relevant(index).any(|child| self.tree.units[child].is_cut || self.leaves_out(child))
    }

    /// What a keyword's unit says: its error, or its annotation.
    fn says(&self, index: usize) -> Option<(&'static str, Value)> {
        let unit = &self.tree.units[index];
        match unit.valid {
            true => annotations::value(self.program, &unit.kind).map(|value| ("annotation", value)),
            false => {
                report::kind(self.program, self.tree, index).map(|error| ("error", error.to_string().into()))
            }
        }
    }

    /// Adds a unit for each keyword that has something to say.
    fn flatten(&self, index: usize, units: &mut Vec<Value>) {
        for child in self.relevant(index) {
            if let Some((key, value)) = self.says(child) {
                let Some(mut shown) = self.unit(child) else { return };
                shown.insert(key.to_owned(), value);
                units.push(Value::Object(shown));
            }
            self.flatten(child, units);
        }
    }

    fn details(&self, index: usize) -> Vec<Value> {
        let mut units = Vec::new();
        for child in self.relevant(index) {
            let mut inside = self.details(child);
            match (self.says(child), inside.len()) {
                (None, 0) => {}
                (None, 1) => units.append(&mut inside),
                (says, _) => {
                    let Some(mut shown) = self.unit(child) else { break };
                    shown.extend(says.map(|(key, value)| (key.to_owned(), value)));
                    if !inside.is_empty() {
                        shown.insert(self.plural().to_owned(), inside.into());
                    }
                    units.push(Value::Object(shown));
                }
            }
        }
        units
    }

    fn verbose(&self, index: usize) -> Option<Value> {
        let mut shown = self.unit(index)?;
        shown.extend(self.says(index).map(|(key, value)| (key.to_owned(), value)));
        let inside: Vec<Value> = self.tree.children(index).map_while(|child| self.verbose(child)).collect();
        if !inside.is_empty() {
            let key = if self.tree.units[index].valid { "annotations" } else { "errors" };
            shown.insert(key.to_owned(), inside.into());
        }
        Some(Value::Object(shown))
    }

    fn hierarchy(&self, index: usize) -> Option<Value> {
        let mut shown = self.subschema(index)?;
        let keywords = self.tree.children(index);
        let inside = keywords.flat_map(|keyword| self.tree.children(keyword));
        let inside: Vec<Value> = inside.map_while(|child| self.hierarchy(child)).collect();
        if !inside.is_empty() {
            shown.insert("details".to_owned(), inside.into());
        }
        Some(Value::Object(shown))
    }

    /// A subschema with what its own keywords say.
    fn subschema(&self, index: usize) -> Option<Map<String, Value>> {
        let place = self.place(index)?;
        let is_valid = self.tree.units[index].valid;
        let mut shown = Map::new();
        shown.insert("valid".to_owned(), is_valid.into());
        shown.insert("evaluationPath".to_owned(), place.evaluation_path.into());
        shown.insert("schemaLocation".to_owned(), place.absolute_location.into());
        shown.insert("instanceLocation".to_owned(), place.instance_path.into());
        let (mut errors, mut notes) = (Map::new(), Map::new());
        for keyword in self.tree.children(index) {
            let Some((key, value)) = self.says(keyword) else { continue };
            if !self.room.take(value_bytes(&value)) {
                break;
            }
            let UnitKind::Keyword { at, .. } = self.tree.units[keyword].kind else { continue };
            let name = self.program.keyword_name(at).unwrap_or_default().to_owned();
            if key == "error" {
                errors.insert(name, value)
            } else {
                notes.insert(name, value)
            };
        }
        let of_notes = if is_valid { "annotations" } else { "droppedAnnotations" };
        for (key, said) in [("errors", errors), (of_notes, notes)] {
            if !said.is_empty() {
                shown.insert(key.to_owned(), said.into());
            }
        }
        Some(shown)
    }

    fn is_subschema(&self, index: usize) -> bool {
        matches!(self.tree.units[index].kind, UnitKind::Block { .. })
    }

    /// A unit with its verdict and its places; nothing, if there is no more room.
    fn unit(&self, index: usize) -> Option<Map<String, Value>> {
        let place = self.place(index)?;
        let mut shown = Map::new();
        shown.insert("valid".to_owned(), self.tree.units[index].valid.into());
        shown.insert("keywordLocation".to_owned(), place.evaluation_path.into());
        shown.insert("absoluteKeywordLocation".to_owned(), place.absolute_location.into());
        shown.insert("instanceLocation".to_owned(), place.instance_path.into());
        Some(shown)
    }

    /// Where a unit stands, if there is room for it and for what it says.
    fn place(&self, index: usize) -> Option<Place> {
        /// What a unit takes besides its texts.
        const UNIT: usize = 256;
        if self.room.is_empty() || index >= self.tree.units.len() {
            return None;
        }
        let place = Place::of(self.program, self.tree, index);
        let says = self.says(index).map_or(0, |(_, value)| value_bytes(&value));
        self.room.take(place.bytes() + says + UNIT).then_some(place)
    }

    /// The verdict with a list of units.
    fn whole(&self, units: Vec<Value>) -> Value {
        let mut root = Map::new();
        root.insert("valid".to_owned(), self.is_valid.into());
        root.insert(self.plural().to_owned(), units.into());
        Value::Object(root)
    }

    fn plural(&self) -> &'static str {
        if self.is_valid { "annotations" } else { "errors" }
    }
}
