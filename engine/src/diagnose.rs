//! Collects all errors and warnings of a schema: [`Diagnosis`].
//!
//! Compiling ends at the first error. A diagnosis continues: a keyword whose value is refused is
//! skipped, and so is a reference that leads nowhere. Only a limit ends it. Warnings are read from
//! the document afterwards.
//!
//! A reference that leads nowhere, or back to itself, is not an error if nothing leads to it, for
//! example in an unused definition. A diagnosis lists those separately.

use crate::document::{Document, Entry, SubschemaId, pointer};
use crate::error::{SchemaError, SchemaErrorKind, SchemaWarning, SchemaWarningKind};
use crate::program::FormatCheck;
use crate::suggest::{self, SuggestBudget};
use ahash::RandomState;
use serde_json::Value;
use stanchion_vocab::{Keyword, Vocabulary, format};
use std::collections::HashMap;

/// Most errors, and most warnings, that are listed.
pub(crate) const MOST: usize = 100;

/// Handling of errors.
#[derive(Debug, Default)]
pub(crate) enum Faults {
    /// The first error ends reading.
    #[default]
    First,
    /// Errors are collected.
    All(Gathered),
    /// Errors are ignored.
    Ignored,
}

/// Collected errors.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) errors: Vec<SchemaError>,
    /// References that lead nowhere or back to themselves.
    pub(crate) references: Vec<SchemaError>,
    /// Such references in places that nothing leads to.
    pub(crate) unreached: Vec<SchemaError>,
}

impl Faults {
    pub(crate) fn gather() -> Faults {
        Faults::All(Gathered::default())
    }

    /// Takes an error, or returns it if it ends reading. A limit always does.
    pub(crate) fn take(&mut self, error: SchemaError) -> Result<(), SchemaError> {
        let is_limit = matches!(error.kind(), SchemaErrorKind::Limit { .. });
        match self {
            Faults::All(Gathered { errors, .. }) if errors.len() < MOST && !is_limit => {
                errors.push(error);
                Ok(())
            }
            Faults::Ignored if !is_limit => Ok(()),
            Faults::All(_) | Faults::Ignored | Faults::First => Err(error),
        }
    }

    /// Takes the error of a reference, which counts only if something leads to it. It is built on
    /// demand.
    pub(crate) fn take_reference(
        &mut self,
        is_reached: bool,
        error: impl FnOnce() -> SchemaError,
    ) -> Result<(), SchemaError> {
        match self {
            Faults::First if is_reached => return Err(error()),
            Faults::All(Gathered { references, .. }) if is_reached => {
                let error = error();
                if references.len() == MOST {
                    return Err(error);
                }
                references.push(error);
            }
            // One more than are listed, to know that there are more.
            Faults::All(Gathered { unreached, .. }) if unreached.len() <= MOST => unreached.push(error()),
            Faults::First | Faults::All(_) | Faults::Ignored => {}
        }
        Ok(())
    }

    pub(crate) fn into_gathered(self) -> Gathered {
        match self {
            Faults::First | Faults::Ignored => Gathered::default(),
            Faults::All(gathered) => gathered,
        }
    }
}

/// All errors and warnings of a schema.
///
/// ```
/// use serde_json::json;
/// use stanchion::Validator;
///
/// let diagnosis = Validator::builder().diagnose(&json!({
///     "type": "objetc",
///     "properties": {"home": {"$ref": "#/$defs/adress"}},
///     "requried": ["home"],
///     "$defs": {"address": {"type": "string", "format": "emial"}}
/// }));
/// let errors: Vec<String> = diagnosis.errors().iter().map(|error| error.to_string()).collect();
/// assert_eq!(errors, [
///     "/properties/home/$ref: no \"#/$defs/adress\"; there is \"#/$defs/address\"",
///     "/type: expected one of \"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\", \"string\", \
///         found \"objetc\" (did you mean \"object\"?)",
/// ]);
/// let warnings: Vec<String> = diagnosis.warnings().iter().map(|warning| warning.to_string()).collect();
/// assert_eq!(warnings, [
///     "/requried: unknown keyword \"requried\" (did you mean \"required\"?)",
///     "/$defs/address/format: unknown format \"emial\" (did you mean \"email\"?)",
/// ]);
/// ```
#[derive(Clone, Debug)]
pub struct Diagnosis {
    errors: Box<[SchemaError]>,
    warnings: Box<[SchemaWarning]>,
    unreached: Box<[SchemaError]>,
    is_cut: bool,
}

impl Diagnosis {
    pub(crate) fn new(
        errors: Vec<SchemaError>,
        mut warnings: Vec<SchemaWarning>,
        mut unreached: Vec<SchemaError>,
    ) -> Diagnosis {
        let is_cut = errors.len() > MOST || warnings.len() > MOST || unreached.len() > MOST;
        warnings.truncate(MOST);
        unreached.truncate(MOST);
        Diagnosis { errors: errors.into(), warnings: warnings.into(), unreached: unreached.into(), is_cut }
    }

    /// Returns the errors for which the schema is refused, up to 100 of each kind: names and
    /// references out of the document, references that lead nowhere or back to themselves, then
    /// keywords, each in the order of the schema. Empty if it is not refused.
    pub fn errors(&self) -> &[SchemaError] {
        &self.errors
    }

    /// Returns warnings about likely mistakes, up to 100. The schema can be used all the same.
    pub fn warnings(&self) -> &[SchemaWarning] {
        &self.warnings
    }

    /// Returns references that lead nowhere or back to themselves in places that nothing leads to,
    /// up to 100. The schema is not refused for these, since no validation reaches them.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion::Validator;
    ///
    /// let schema = json!({"type": "object", "$defs": {"unused": {"$ref": "#/$defs/nope"}}});
    /// assert!(Validator::new(&schema).is_ok());
    /// let diagnosis = Validator::builder().diagnose(&schema);
    /// assert!(diagnosis.errors().is_empty());
    /// assert_eq!(diagnosis.unreached()[0].path(), "/$defs/unused/$ref");
    /// ```
    pub fn unreached(&self) -> &[SchemaError] {
        &self.unreached
    }

    /// Whether some errors or warnings were left out.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether there are no errors and no warnings.
    pub fn is_clean(&self) -> bool {
        self.errors.is_empty() && self.warnings.is_empty() && self.unreached.is_empty()
    }
}

/// Returns the warnings of a document, one more than are listed if there are more.
pub(crate) fn warnings(
    document: &Document<'_>,
    formats: &HashMap<String, FormatCheck, RandomState>,
) -> Vec<SchemaWarning> {
    let mut warnings = Vec::new();
    let mut budget = SuggestBudget::large();
    for index in 0..document.subschemas.len() {
        let id = SubschemaId(index as u32);
        for entry in document.entries(id) {
            let Some(kind) = warn(document, id, entry, formats, &mut budget) else { continue };
            let mut suffix = String::new();
            pointer::push(&mut suffix, entry.name);
            let (document, path) = document.place(id, &suffix);
            let document = pointer::shortened(document, pointer::LONGEST);
            let path = pointer::shortened(&path, pointer::LONGEST);
            warnings.push(SchemaWarning { document, path, kind });
            if warnings.len() > MOST {
                return warnings;
            }
        }
    }
    warnings
}

/// Adds the warnings about a keyword.
fn warn(
    document: &Document<'_>,
    id: SubschemaId,
    entry: &Entry<'_>,
    formats: &HashMap<String, FormatCheck, RandomState>,
    budget: &mut SuggestBudget,
) -> Option<SchemaWarningKind> {
    let dialect = document.resource(document.subschema(id).resource).rules.dialect;
    let name = entry.name.to_owned();
    let Some(keyword) = entry.keyword else {
        return match Keyword::from_name(entry.name) {
            Some(known) => says_something(known).then_some(SchemaWarningKind::OtherDialect { name, dialect }),
            None => {
                let suggestion = misspelt(document, id, entry.name, budget)?;
                Some(SchemaWarningKind::MisspeltKeyword { name, suggestion })
            }
        };
    };
    let hides = dialect.reference_hides_siblings()
        && document
            .entries(id)
            .iter()
            .any(|other| other.keyword == Some(Keyword::Ref) && other.value.is_string());
    if hides && keyword != Keyword::Ref && says_something(keyword) {
        return Some(SchemaWarningKind::HiddenByReference { name, dialect });
    }
    let (Keyword::Format, Value::String(format)) = (keyword, entry.value) else { return None };
    if formats.contains_key(format) || format::check(format).is_some() {
        return None;
    }
    let known = format::NAMES.into_iter().chain(formats.keys().map(String::as_str));
    let suggestion = suggest::nearest(budget, format, known).map(str::to_owned);
    Some(SchemaWarningKind::UnknownFormat { name: format.clone(), suggestion })
}

/// Whether a keyword affects instances, and is not only for readers or references.
fn says_something(keyword: Keyword) -> bool {
    match keyword.vocabulary() {
        Vocabulary::Applicator | Vocabulary::Unevaluated | Vocabulary::Validation => true,
        Vocabulary::Core
        | Vocabulary::MetaData
        | Vocabulary::FormatAnnotation
        | Vocabulary::FormatAssertion
        | Vocabulary::Content => false,
    }
}

/// Returns the keyword that an unknown one was probably meant to be. Names with a prefix, and some
/// that others define, are taken as intended; and a keyword that is there already is not suggested.
fn misspelt(
    document: &Document<'_>,
    id: SubschemaId,
    name: &str,
    budget: &mut SuggestBudget,
) -> Option<String> {
    const MEANT: [&str; 3] = ["example", "optional", "component"];
    if name.starts_with("x-") || name.contains(':') || MEANT.contains(&name) {
        return None;
    }
    let rules = document.resource(document.subschema(id).resource).rules;
    let entries = document.entries(id);
    let is_free = |keyword: &Keyword| {
        rules.dialect.subschemas(*keyword).is_some()
            && !entries.iter().any(|entry| entry.keyword == Some(*keyword))
    };
    let known = Keyword::ALL.into_iter().filter(is_free).map(Keyword::name);
    suggest::nearest(budget, name, known).map(str::to_owned)
}
