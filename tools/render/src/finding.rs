//! A finding: a sentence, and the places in texts that it is about.

use std::ops::Range;

use stanchion::{ErrorKind, TextError, ValidationError};
use stanchion::{SchemaError, SchemaErrorKind, SchemaWarning, SchemaWarningKind};
use stanchion_vocab::pointer;

use crate::place::{Place, locate, locate_all};
use crate::source::{Position, Source};
use crate::visible;

/// Severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Good to know.
    Note,
    /// Likely a mistake.
    Warning,
    /// A mistake.
    Error,
}

/// A sentence about some places in texts. The first mark is the place itself, the others are context.
#[derive(Clone, Debug)]
pub struct Finding<'s> {
    /// The severity.
    pub level: Level,
    /// The kind of finding, such as the keyword that was not satisfied.
    pub rule: String,
    /// The sentence, without the place.
    pub message: String,
    /// The place as a JSON Pointer, if it is one in a JSON value.
    pub pointer: Option<String>,
    /// The name of the text, for a finding without marks.
    pub name: String,
    /// The places in texts.
    pub marks: Vec<Mark<'s>>,
    /// Further advice, such as what to change.
    pub help: Vec<String>,
}

/// A marked part of a text.
#[derive(Clone, Debug)]
pub struct Mark<'s> {
    /// The text.
    pub source: &'s Source<'s>,
    /// The bytes.
    pub span: Range<usize>,
    /// A label for the mark; may be empty.
    pub label: String,
}

impl<'s> Finding<'s> {
    /// Makes a finding about a text as a whole. The text itself need not be available.
    pub fn new(level: Level, rule: &str, name: &str, message: &str) -> Finding<'s> {
        Finding {
            level,
            rule: rule.to_owned(),
            message: message.to_owned(),
            pointer: None,
            name: name.to_owned(),
            marks: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Makes a finding at a JSON Pointer of a text. If the pointer leads nowhere, it is shown and
    /// nothing is marked.
    pub fn at(level: Level, rule: &str, source: &'s Source<'s>, pointer: &str, message: &str) -> Finding<'s> {
        let mut finding = Finding::new(level, rule, source.name(), message);
        finding.pointer = Some(pointer.to_owned());
        finding.mark(source, locate(source.text(), pointer).map(|place| place.value), pointer_label(pointer));
        finding
    }

    /// Makes a finding from a schema error, with its place marked in the text of the schema.
    pub fn of_schema_error(error: &SchemaError, schema: &'s Source<'s>) -> Finding<'s> {
        let is_elsewhere = !error.document().is_empty();
        if is_elsewhere || matches!(error.kind(), SchemaErrorKind::Limit { .. }) {
            // The error is in a resource, whose text is not available, or in the whole schema: the
            // message says so.
            return Finding::new(Level::Error, "schema", schema.name(), &error.to_string());
        }
        Finding::at(Level::Error, "schema", schema, error.path(), &error.message())
    }

    /// Makes a finding from a schema warning, with its place marked in the text of the schema.
    pub fn of_schema_warning(warning: &SchemaWarning, schema: &'s Source<'s>) -> Finding<'s> {
        if !warning.document().is_empty() {
            return Finding::new(Level::Warning, "schema", schema.name(), &warning.to_string());
        }
        let mut finding = Finding::at(Level::Warning, "schema", schema, warning.path(), &warning.message());
        // A format is a value; all other warnings are about a keyword, so its name is marked.
        if !matches!(warning.kind(), SchemaWarningKind::UnknownFormat { .. }) {
            finding.mark_name(schema, warning.path());
        }
        finding
    }

    /// Makes a finding from a text that is not JSON, with the place marked. The source is the text
    /// that was read.
    pub fn of_text_error(error: &TextError, source: &'s Source<'s>) -> Finding<'s> {
        Finding::of_broken(&error.to_string(), error.line(), error.column(), source)
    }

    /// Makes a finding from an error of serde_json, with the place marked. The source is the text
    /// that was read.
    pub fn of_json_error(error: &serde_json::Error, source: &'s Source<'s>) -> Finding<'s> {
        Finding::of_broken(&error.to_string(), error.line(), error.column(), source)
    }

    fn of_broken(sentence: &str, line: usize, column: usize, source: &'s Source<'s>) -> Finding<'s> {
        let place = format!(" at line {line} column {column}");
        let message = format!("not JSON: {}", sentence.strip_suffix(&place).unwrap_or(sentence));
        let mut finding = Finding::new(Level::Error, "json", source.name(), &message);
        let start = source.offset(line, column);
        let length = source.text()[start..].chars().next().map_or(0, char::len_utf8);
        finding.mark(source, Some(start..start + length), String::new());
        finding
    }

    /// Makes a finding from each error of an instance, with its place in the instance, and in the
    /// schema if its text is available.
    pub fn of_errors(
        errors: &[ValidationError],
        instance: &'s Source<'s>,
        schema: Option<&'s Schema<'s>>,
    ) -> Vec<Finding<'s>> {
        // Two places of the instance for each error, so that one pass over its text finds all.
        let offenders: Vec<[String; 2]> = errors.iter().map(offender).collect();
        let pointers: Vec<&str> = offenders.iter().flatten().map(String::as_str).collect();
        let places = locate_all(instance.text(), &pointers);
        let in_schema = schema.map(|schema| schema.places(errors)).unwrap_or_default();
        let mut findings = Vec::with_capacity(errors.len());
        for (index, error) in errors.iter().enumerate() {
            let mut finding = Finding::new(level(error), rule(error), instance.name(), &error.message());
            if error.exhausted().is_none() {
                let pair = [places[2 * index].clone(), places[2 * index + 1].clone()];
                finding.pointer = Some(error.instance_path().to_owned());
                finding.mark_instance(error, instance, pair);
            }
            if let (Some(schema), Some(Some(place))) = (schema, in_schema.get(index)) {
                let span = schema.span(error, place);
                finding.mark(schema.source, Some(span), pointer_label(error.schema_path()));
            }
            finding.help.extend(error.expected_shape(MAX_SKETCH).map(|shape| format!("expected {shape}")));
            findings.push(finding);
        }
        findings
    }

    fn mark_instance(
        &mut self,
        error: &ValidationError,
        instance: &'s Source<'s>,
        [first, second]: [Option<Place>; 2],
    ) {
        let label = pointer_label(error.instance_path());
        if let ErrorKind::UniqueItems { .. } = error.kind() {
            self.mark(instance, second.map(|place| place.value), label);
            self.mark(instance, first.map(|place| place.value), "equal to this".to_owned());
            return;
        }
        // For a member that should not be there, or is misspelt, mark the name.
        let named = second.and_then(|place| place.name);
        self.mark(instance, named.or(first.map(|place| place.value)), label);
    }

    /// Marks the name at a place instead of the value.
    fn mark_name(&mut self, source: &Source<'_>, pointer: &str) {
        let name = locate(source.text(), pointer).and_then(|place| place.name);
        if let (Some(mark), Some(name)) = (self.marks.first_mut(), name) {
            mark.span = name;
        }
    }

    fn mark(&mut self, source: &'s Source<'s>, span: Option<Range<usize>>, label: String) {
        self.marks.extend(span.map(|span| Mark { source, span, label }));
    }

    /// Returns the line and the column of the first mark.
    pub fn position(&self) -> Option<Position> {
        self.marks.first().map(|mark| mark.source.position(mark.span.start))
    }

    /// Formats the finding as one line: name, line and column, pointer, sentence. Invisible
    /// characters are escaped.
    pub fn line(&self) -> String {
        let mut line = self.name.clone();
        if let Some(Position { line: at, column }) = self.position() {
            line += &format!(":{at}:{column}");
        }
        if let Some(pointer) = &self.pointer {
            line += ": ";
            line += shown_pointer(pointer);
        }
        visible(&format!("{line}: {}", self.message))
    }
}

/// The text of the schema that the errors come from.
#[derive(Clone, Debug)]
pub struct Schema<'s> {
    source: &'s Source<'s>,
    id: String,
}

impl<'s> Schema<'s> {
    /// Takes the schema's text, and the `$id` at its root, if there is one.
    pub fn new(source: &'s Source<'s>, id: Option<&str>) -> Schema<'s> {
        Schema { source, id: id.unwrap_or_default().trim_end_matches('#').to_owned() }
    }

    /// Returns the places of the errors' keywords. A keyword of another resource is not in this
    /// text.
    fn places(&self, errors: &[ValidationError]) -> Vec<Option<Place>> {
        let pointers: Vec<&str> = errors.iter().map(ValidationError::schema_path).collect();
        let mut places = locate_all(self.source.text(), &pointers);
        for (place, error) in places.iter_mut().zip(errors) {
            let resource = error.absolute_location().split('#').next().unwrap_or_default();
            let is_ours = resource.is_empty() || resource == self.id;
            if !is_ours || error.schema_path().is_empty() {
                *place = None;
            }
        }
        places
    }

    /// Returns the range of a keyword with its value, if both are on one line; otherwise of its
    /// name.
    fn span(&self, error: &ValidationError, place: &Place) -> Range<usize> {
        let Some(name) = &place.name else { return place.value.clone() };
        let whole = name.start..place.value.end;
        let is_keyword = error.schema_path().rsplit('/').next() == Some(error.keyword());
        match is_keyword && self.source.is_one_line(&whole) && whole.len() <= 60 {
            true => whole,
            false => name.clone(),
        }
    }
}

/// Most characters of a sketch of what was expected.
const MAX_SKETCH: usize = 120;

/// Returns two pointers for an error: the value, and the member or item at fault within it, if
/// there is one. For equal items, both.
#[allow(clippy::wildcard_enum_match_arm, reason = "most are about the value itself, and more may come")]
fn offender(error: &ValidationError) -> [String; 2] {
    let place = error.instance_path();
    let below = |name: &str| pointer::join(place, name);
    match error.kind() {
        ErrorKind::UniqueItems { equal: (first, second) } => {
            [format!("{place}/{first}"), format!("{place}/{second}")]
        }
        ErrorKind::UnknownProperty { name, .. }
        | ErrorKind::PropertyNames { name, .. }
        | ErrorKind::DependentRequired { name, .. } => [place.to_owned(), below(name)],
        ErrorKind::Required { misspelt, .. } => {
            let name = misspelt.first().map(|(name, _)| below(name));
            [place.to_owned(), name.unwrap_or_else(|| String::from("-"))]
        }
        // A member that is not allowed is given by its own place.
        ErrorKind::Never { name: Some(_) } => [place.to_owned(), place.to_owned()],
        _ => [place.to_owned(), String::from("-")],
    }
}

fn level(error: &ValidationError) -> Level {
    if error.exhausted().is_some() { Level::Warning } else { Level::Error }
}

fn rule(error: &ValidationError) -> &str {
    match (error.exhausted().is_some(), error.keyword()) {
        (true, _) => "undecided",
        (false, "") => "false",
        (false, keyword) => keyword,
    }
}

/// Returns the pointer as messages write it: the root is not an empty text.
pub(crate) fn shown_pointer(pointer: &str) -> &str {
    if pointer.is_empty() { "/" } else { pointer }
}

/// Returns a pointer as a label. A long one is cut at the front, since its end says more.
fn pointer_label(pointer: &str) -> String {
    const MAX_LABEL: usize = 60;
    let pointer = shown_pointer(pointer);
    match pointer.char_indices().rev().nth(MAX_LABEL) {
        Some((start, _)) => format!("…{}", &pointer[start..]),
        None => pointer.to_owned(),
    }
}
