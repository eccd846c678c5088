//! Output formats, as JSON: [core §12], and the two that came after.
//!
//! All are readings of one trace. A unit of `basic`, `detailed` and `verbose` is a keyword or a
//! subschema; one of `list` and `hierarchical` is a subschema, with its keywords' errors and annotations inside.
//!
//! [core §12]: https://json-schema.org/draft/2020-12/json-schema-core#section-12

use crate::error::{ErrorKind, ValidationError};
use crate::program::Program;
use crate::report::annotations::{self, Annotation};
use crate::report::errors::{self, Place};
use crate::report::{Trace, UnitKind};
use crate::validator::Verdict;
use serde_json::{Map, Value, json};
use std::sync::{Arc, OnceLock};

/// All that a run found out: the verdict, annotations, errors, and the output formats.
#[derive(Debug)]
pub struct Evaluation {
    verdict: Verdict,
    program: Arc<Program>,
    trace: Trace,
    annotations: OnceLock<Vec<Annotation>>,
}

impl Evaluation {
    pub(crate) fn new(verdict: Verdict, program: Arc<Program>, trace: Trace) -> Evaluation {
        Evaluation { verdict, program, trace, annotations: OnceLock::new() }
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
        self.trace.cut_at.is_some()
    }

    /// What the keywords that held say about the instance. Nothing, if it is not valid.
    pub fn annotations(&self) -> impl Iterator<Item = &Annotation> {
        let list = self.annotations.get_or_init(|| match self.verdict {
            Verdict::Valid => annotations::list(&self.program, &self.trace),
            Verdict::Invalid | Verdict::Undecided(_) => Vec::new(),
        });
        list.iter()
    }

    /// The errors. None, if the instance is valid.
    pub fn errors(&self) -> impl Iterator<Item = ValidationError> {
        let list = match self.verdict {
            Verdict::Valid => Vec::new(),
            Verdict::Invalid => errors::list(&self.program, &self.trace),
            Verdict::Undecided(exhausted) => vec![ValidationError::exhaustion(exhausted)],
        };
        list.into_iter()
    }

    /// `flag`: the verdict alone.
    pub fn flag(&self) -> Value {
        json!({"valid": self.is_valid()})
    }

    /// `basic`: a flat list of errors or annotations.
    pub fn basic(&self) -> Value {
        let mut units = Vec::new();
        match self.verdict {
            Verdict::Valid => self.flatten(0, &mut units, |unit, program| {
                annotations::value(program, unit).map(|value| ("annotation", value))
            }),
            Verdict::Invalid => self.flatten(0, &mut units, |unit, _| {
                error_of(unit).map(|error| ("error", error.to_string().into()))
            }),
            Verdict::Undecided(_) => {}
        }
        self.whole(units)
    }

    /// Adds a unit for each keyword that has something to say, among those whose verdict is the instance's.
    fn flatten(
        &self,
        index: usize,
        units: &mut Vec<Value>,
        says: impl Fn(&UnitKind, &Program) -> Option<(&'static str, Value)> + Copy,
    ) {
        for child in self.trace.children(index) {
            let unit = &self.trace.units[child];
            if unit.valid != self.is_valid() || self.is_test(child) {
                continue;
            }
            if let Some((key, value)) = says(&unit.kind, &self.program) {
                let mut shown = self.unit(child);
                shown.insert(key.to_owned(), value);
                units.push(Value::Object(shown));
            }
            self.flatten(child, units, says);
        }
    }

    /// `detailed`: a tree of errors or annotations, without the units that say nothing themselves and
    /// hold no more than one other.
    pub fn detailed(&self) -> Value {
        if let Verdict::Undecided(_) = self.verdict {
            return self.whole(Vec::new());
        }
        let mut units = self.details(0);
        if let ([only], Verdict::Invalid) = (&mut units[..], self.verdict) {
            return only.take();
        }
        let mut root = self.unit(0);
        root.insert(self.plural().to_owned(), units.into());
        Value::Object(root)
    }

    fn details(&self, index: usize) -> Vec<Value> {
        let mut units = Vec::new();
        for child in self.trace.children(index) {
            let unit = &self.trace.units[child];
            if unit.valid != self.is_valid() || self.is_test(child) {
                continue;
            }
            let mut inside = self.details(child);
            let says = match unit.valid {
                true => annotations::value(&self.program, &unit.kind).map(|value| ("annotation", value)),
                false => error_of(&unit.kind).map(|error| ("error", error.to_string().into())),
            };
            match (says, inside.len()) {
                (None, 0) => {}
                (None, 1) => units.append(&mut inside),
                (says, _) => {
                    let mut shown = self.unit(child);
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

    /// `verbose`: the whole tree, what held and what did not.
    pub fn verbose(&self) -> Value {
        if self.trace.units.is_empty() {
            return self.whole(Vec::new());
        }
        let mut root = self.verbose_unit(0);
        root["valid"] = self.is_valid().into();
        root
    }

    fn verbose_unit(&self, index: usize) -> Value {
        let unit = &self.trace.units[index];
        let mut shown = self.unit(index);
        if let Some(error) = error_of(&unit.kind) {
            shown.insert("error".to_owned(), error.to_string().into());
        } else if let Some(value) = annotations::value(&self.program, &unit.kind).filter(|_| unit.valid) {
            shown.insert("annotation".to_owned(), value);
        }
        let inside: Vec<Value> = self.trace.children(index).map(|child| self.verbose_unit(child)).collect();
        if !inside.is_empty() {
            let key = if unit.valid { "annotations" } else { "errors" };
            shown.insert(key.to_owned(), inside.into());
        }
        Value::Object(shown)
    }

    /// `list`: every subschema that was applied, with its errors or annotations.
    pub fn list(&self) -> Value {
        let subschemas = (0..self.trace.units.len()).filter(|&index| self.is_subschema(index));
        let details: Vec<Value> = subschemas.map(|index| Value::Object(self.subschema(index))).collect();
        json!({"valid": self.is_valid(), "details": details})
    }

    /// `hierarchical`: the same as a tree.
    pub fn hierarchical(&self) -> Value {
        if self.trace.units.is_empty() {
            return self.whole(Vec::new());
        }
        let mut root = self.hierarchy(0);
        root["valid"] = self.is_valid().into();
        root
    }

    fn hierarchy(&self, index: usize) -> Value {
        let mut shown = self.subschema(index);
        let keywords = self.trace.children(index);
        let inside = keywords.flat_map(|keyword| self.trace.children(keyword).collect::<Vec<_>>());
        let inside: Vec<Value> = inside.map(|child| self.hierarchy(child)).collect();
        if !inside.is_empty() {
            shown.insert("details".to_owned(), inside.into());
        }
        Value::Object(shown)
    }

    /// A subschema with what its own keywords say.
    fn subschema(&self, index: usize) -> Map<String, Value> {
        let valid = self.trace.units[index].valid;
        let place = Place::of(&self.program, &self.trace, index);
        let mut shown = Map::new();
        shown.insert("valid".to_owned(), valid.into());
        shown.insert("evaluationPath".to_owned(), place.evaluation_path.into());
        shown.insert("schemaLocation".to_owned(), place.absolute_location.into());
        shown.insert("instanceLocation".to_owned(), place.instance_path.into());
        let (mut errors, mut notes) = (Map::new(), Map::new());
        for keyword in self.trace.children(index) {
            let unit = &self.trace.units[keyword];
            let name = Place::of(&self.program, &self.trace, keyword).keyword;
            if let Some(error) = error_of(&unit.kind) {
                errors.insert(name, error.to_string().into());
            } else if let Some(value) = annotations::value(&self.program, &unit.kind).filter(|_| unit.valid) {
                notes.insert(name, value);
            }
        }
        if !errors.is_empty() {
            shown.insert("errors".to_owned(), errors.into());
        }
        if !notes.is_empty() {
            let key = if valid { "annotations" } else { "droppedAnnotations" };
            shown.insert(key.to_owned(), notes.into());
        }
        shown
    }

    fn is_subschema(&self, index: usize) -> bool {
        matches!(self.trace.units[index].kind, UnitKind::Block { .. })
    }

    /// Whether a block was run for `if`, where failing is no error.
    fn is_test(&self, index: usize) -> bool {
        !self.trace.units[index].valid && errors::is_test(&self.program, &self.trace, index)
    }

    fn unit(&self, index: usize) -> Map<String, Value> {
        let mut shown = Map::new();
        let Some(unit) = self.trace.units.get(index) else { return shown };
        let place = Place::of(&self.program, &self.trace, index);
        shown.insert("valid".to_owned(), unit.valid.into());
        shown.insert("keywordLocation".to_owned(), place.evaluation_path.into());
        shown.insert("absoluteKeywordLocation".to_owned(), place.absolute_location.into());
        shown.insert("instanceLocation".to_owned(), place.instance_path.into());
        shown
    }

    /// The verdict with a list of units. An undecided run has just its reason.
    fn whole(&self, units: Vec<Value>) -> Value {
        if let Verdict::Undecided(exhausted) = self.verdict {
            return json!({"valid": false, "error": exhausted.to_string()});
        }
        let mut root = Map::new();
        root.insert("valid".to_owned(), self.is_valid().into());
        root.insert(self.plural().to_owned(), units.into());
        Value::Object(root)
    }

    fn plural(&self) -> &'static str {
        if self.is_valid() { "annotations" } else { "errors" }
    }
}

fn error_of(kind: &UnitKind) -> Option<&ErrorKind> {
    match kind {
        UnitKind::Keyword { error, .. } => error.as_deref(),
        UnitKind::Block { .. } => None,
    }
}
