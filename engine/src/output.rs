//! Output formats, as JSON: [core §12], and the two that came after.
//!
//! All are readings of one tree. A unit of `basic`, `detailed` and `verbose` is a keyword or a
//! subschema; one of `list` and `hierarchical` is a subschema, with its keywords' errors and annotations inside.
//!
//! [core §12]: https://json-schema.org/draft/2020-12/json-schema-core#section-12

use crate::error::{ValidationError, value_bytes};
use crate::explain::annotations::{self, Annotation, Room};
use crate::explain::{Explanation, UnitKind, Whole};
use crate::program::{Applicator, Plain};
use crate::validator::Verdict;
use serde_json::{Map, Value, json};
use std::sync::OnceLock;

/// All that a run found out: the verdict, annotations, errors, and the output formats.
#[derive(Debug)]
pub struct Evaluation {
    pub(crate) whole: Whole,
    /// The memory of a call: an output takes no more than that.
    pub(crate) memory: usize,
    pub(crate) annotations: OnceLock<Vec<Annotation>>,
}

impl Evaluation {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        self.whole.verdict
    }

    /// Whether the instance was proven valid.
    pub fn is_valid(&self) -> bool {
        self.verdict() == Verdict::Valid
    }

    /// Whether something was left out, for [`Limits::errors`](crate::Limits::errors) or because the run gave up
    /// after it had its verdict.
    pub fn is_cut(&self) -> bool {
        let is_invalid = self.verdict() == Verdict::Invalid;
        self.whole.is_cut || self.whole.found.is_cut || (is_invalid && self.writer().leaves_out(0))
    }

    fn writer(&self) -> Writer<'_> {
        let room = Room::new(self.memory / 4);
        Writer { explanation: &self.whole.explanation, is_valid: self.is_valid(), room }
    }

    /// The annotations of the keywords that held. None, if the instance is not valid.
    pub fn annotations(&self) -> impl Iterator<Item = &Annotation> {
        let list = self.annotations.get_or_init(|| match self.verdict() {
            Verdict::Valid => annotations::list(&self.whole.explanation, self.memory),
            Verdict::Invalid | Verdict::Undecided(_) => Vec::new(),
        });
        list.iter()
    }

    /// The errors: the same that [`Validator::iter_errors`](crate::Validator::iter_errors) gives. None, if the instance is valid.
    pub fn errors(&self) -> impl Iterator<Item = ValidationError> {
        self.whole.found.errors.iter().cloned()
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
            json!({"valid": self.is_valid(), (writer.plural()): units})
        })
    }

    /// `detailed`: a tree of errors or annotations, without the units that say nothing themselves and
    /// hold no more than one other.
    pub fn detailed(&self) -> Value {
        self.write(false, |writer| {
            let root = writer.unit(0, writer.says(0)).unwrap_or_default();
            let mut units = writer.details(0);
            match (&mut units[..], self.is_valid()) {
                ([only], false) => only.take(),
                _ => with(root, writer.plural(), units),
            }
        })
    }

    /// `verbose`: the whole tree, what held and what did not.
    pub fn verbose(&self) -> Value {
        self.write(true, |writer| writer.verbose(0).unwrap_or_default())
    }

    /// `list`: every subschema that was applied, with its errors or annotations.
    pub fn list(&self) -> Value {
        self.write(true, |writer| {
            let subschemas = (0..writer.units()).filter(|&unit| writer.explanation.tree.at(unit).is_none());
            let details: Vec<Value> =
                subschemas.map_while(|unit| writer.subschema(unit)).map(Value::Object).collect();
            json!({"valid": self.is_valid(), "details": details})
        })
    }

    /// `hierarchical`: every subschema that was applied, as a tree.
    pub fn hierarchical(&self) -> Value {
        self.write(true, |writer| writer.hierarchy(0).unwrap_or_default())
    }

    /// Writes an output. An undecided run has just its reason; an output from which something was left out says
    /// so by `"incomplete": true`.
    fn write(&self, shows_all: bool, output: impl FnOnce(&Writer<'_>) -> Value) -> Value {
        if let Verdict::Undecided(exhausted) = self.verdict() {
            return json!({"valid": false, "error": exhausted.to_string()});
        }
        let writer = self.writer();
        let mut written = output(&writer);
        // The budget may end before the root is seen; the verdict is known all the same.
        if written.get("valid").is_none() {
            written["valid"] = self.is_valid().into();
        }
        // Some outputs have what does not count.
        let leaves_out = shows_all && writer.explanation.tree.units.iter().any(|unit| unit.is_cut);
        if leaves_out || self.is_cut() || writer.room.is_empty() {
            written["incomplete"] = true.into();
        }
        written
    }
}

/// Writes units until there is no more room for them.
struct Writer<'e> {
    explanation: &'e Explanation,
    is_valid: bool,
    room: Room,
}

impl Writer<'_> {
    fn units(&self) -> u32 {
        self.explanation.tree.units.len() as u32
    }

    fn holds(&self, unit: u32) -> bool {
        self.explanation.tree.unit(unit).valid
    }

    /// The units directly inside one that have the verdict of the whole, and count: not the condition of an `if`.
    fn relevant(&self, unit: u32) -> impl Iterator<Item = u32> {
        let tree = &self.explanation.tree;
        // Nothing is inside where the budget ended before anything was seen.
        let children = if unit < self.units() { Some(tree.children(unit)) } else { None };
        let counts =
            move |&child: &u32| self.holds(child) == self.is_valid && (self.is_valid || !self.is_test(child));
        children.into_iter().flatten().filter(counts)
    }

    /// Whether a block was tried for `if`, where failing is no error.
    fn is_test(&self, unit: u32) -> bool {
        let Explanation { program, tree } = self.explanation;
        let UnitKind::Block { edge, .. } = &tree.unit(unit).kind else { return false };
        let applied = tree.at(tree.unit(unit).parent).map(|at| program.code[at as usize]);
        edge.keyword.is_none() && matches!(applied, Some(Plain::Apply(Applicator::If(_))))
    }

    /// Whether failures were left out that would count.
    fn leaves_out(&self, unit: u32) -> bool {
        self.relevant(unit).any(|child| self.explanation.tree.unit(child).is_cut || self.leaves_out(child))
    }

    /// The error or the annotation of a keyword's unit.
    fn says(&self, unit: u32) -> Option<(&'static str, Value)> {
        let Explanation { program, tree } = self.explanation;
        if tree.units.get(unit as usize)?.valid {
            return annotations::value(self.explanation, unit).map(|value| ("annotation", value));
        }
        // What is inside a union has units of its own.
        let error = tree.kind(program, unit, &|_| Vec::new())?;
        Some(("error", error.to_string().into()))
    }

    /// Adds a unit for each keyword that has something to say.
    fn flatten(&self, unit: u32, units: &mut Vec<Value>) {
        for child in self.relevant(unit) {
            if let says @ Some(_) = self.says(child) {
                let Some(shown) = self.unit(child, says) else { return };
                units.push(Value::Object(shown));
            }
            self.flatten(child, units);
        }
    }

    fn details(&self, unit: u32) -> Vec<Value> {
        let mut units = Vec::new();
        for child in self.relevant(unit) {
            let mut inside = self.details(child);
            let says = self.says(child);
            if inside.len() < 2 && says.is_none() {
                units.append(&mut inside);
                continue;
            }
            let Some(shown) = self.unit(child, says) else { break };
            units.push(with_some(shown, self.plural(), inside));
        }
        units
    }

    fn verbose(&self, unit: u32) -> Option<Value> {
        let shown = self.unit(unit, self.says(unit))?;
        let inside = self.explanation.tree.children(unit).map_while(|child| self.verbose(child));
        let key = if self.holds(unit) { "annotations" } else { "errors" };
        Some(with_some(shown, key, inside.collect()))
    }

    fn hierarchy(&self, unit: u32) -> Option<Value> {
        let shown = self.subschema(unit)?;
        let keywords = self.explanation.tree.children(unit);
        let inside = keywords.flat_map(|keyword| self.explanation.tree.children(keyword));
        let inside = inside.map_while(|child| self.hierarchy(child));
        Some(with_some(shown, "details", inside.collect()))
    }

    /// A subschema with what its own keywords say.
    fn subschema(&self, unit: u32) -> Option<Map<String, Value>> {
        let mut shown = self.places(unit, 0, ["evaluationPath", "schemaLocation"])?;
        let of_notes = if self.holds(unit) { "annotations" } else { "droppedAnnotations" };
        for keyword in self.explanation.tree.children(unit) {
            let Some((key, value)) = self.says(keyword) else { continue };
            if !self.room.take(value_bytes(&value)) {
                break;
            }
            let Some(at) = self.explanation.tree.at(keyword) else { continue };
            let name = self.explanation.program.keyword_name(at).unwrap_or_default();
            let key = if key == "error" { "errors" } else { of_notes };
            shown.entry(key).or_insert_with(|| json!({}))[name] = value;
        }
        Some(shown)
    }

    /// A unit with its verdict, its places and what it says; nothing, if there is no more room.
    fn unit(&self, unit: u32, says: Option<(&str, Value)>) -> Option<Map<String, Value>> {
        let bytes = says.as_ref().map_or(0, |(_, value)| value_bytes(value));
        let mut shown = self.places(unit, bytes, ["keywordLocation", "absoluteKeywordLocation"])?;
        shown.extend(says.map(|(key, value)| (key.to_owned(), value)));
        Some(shown)
    }

    /// A unit's verdict and its places, of which those in the schema have these names, if there is room for them and
    /// for so many bytes more.
    fn places(
        &self,
        unit: u32,
        bytes: usize,
        [evaluation, absolute]: [&str; 2],
    ) -> Option<Map<String, Value>> {
        /// The bytes that a unit takes besides its texts.
        const UNIT: usize = 256;
        if self.room.is_empty() || unit >= self.units() {
            return None;
        }
        let place = self.explanation.paths(unit);
        let has_room = self.room.take(place.bytes() + bytes + UNIT);
        let mut shown = Map::new();
        shown.insert("valid".to_owned(), self.holds(unit).into());
        shown.insert(evaluation.to_owned(), place.evaluation_path.into());
        shown.insert(absolute.to_owned(), place.absolute_location.into());
        shown.insert("instanceLocation".to_owned(), place.instance_path.into());
        has_room.then_some(shown)
    }

    fn plural(&self) -> &'static str {
        if self.is_valid { "annotations" } else { "errors" }
    }
}

/// Adds a member to a unit.
fn with(mut unit: Map<String, Value>, key: &str, value: impl Into<Value>) -> Value {
    unit.insert(key.to_owned(), value.into());
    Value::Object(unit)
}

/// Adds the units inside to a unit, if there are some.
fn with_some(unit: Map<String, Value>, key: &str, inside: Vec<Value>) -> Value {
    if inside.is_empty() { Value::Object(unit) } else { with(unit, key, inside) }
}
