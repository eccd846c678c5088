//! All that is wrong with a schema, and what it probably did not mean: [`Diagnosis`].
//!
//! Compiling ends at the first error. A diagnosis goes on: a keyword whose value is refused is left out, and so is a reference that leads
//! nowhere. Only a limit ends it. Warnings are read from the document afterwards.

use crate::document::{Document, Entry, SubschemaId, pointer};
use crate::error::{SchemaError, SchemaErrorKind, SchemaWarning, SchemaWarningKind};
use crate::program::FormatCheck;
use crate::suggest::{self, Purse};
use ahash::RandomState;
use serde_json::Value;
use stanchion_vocab::{Keyword, Vocabulary, format};
use std::collections::HashMap;

/// So many errors, and so many warnings, are listed.
const MOST: usize = 100;

/// What becomes of errors.
#[derive(Debug, Default)]
pub(crate) enum Faults {
    /// The first one ends it.
    #[default]
    First,
    /// They are gathered.
    All(Vec<SchemaError>),
}

impl Faults {
    pub(crate) fn gather() -> Faults {
        Faults::All(Vec::new())
    }

    /// Takes an error, or gives it back if it is the end. A limit always is.
    pub(crate) fn take(&mut self, error: SchemaError) -> Result<(), SchemaError> {
        match self {
            Faults::All(errors)
                if errors.len() < MOST && !matches!(error.kind(), SchemaErrorKind::Limit { .. }) =>
            {
                errors.push(error);
                Ok(())
            }
            Faults::All(_) | Faults::First => Err(error),
        }
    }

    pub(crate) fn into_errors(self) -> Vec<SchemaError> {
        match self {
            Faults::First => Vec::new(),
            Faults::All(errors) => errors,
        }
    }
}

/// All that is wrong with a schema, and what it probably did not mean.
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
    errors: Vec<SchemaError>,
    warnings: Vec<SchemaWarning>,
    is_cut: bool,
}

impl Diagnosis {
    pub(crate) fn new(errors: Vec<SchemaError>, mut warnings: Vec<SchemaWarning>) -> Diagnosis {
        let is_cut = errors.len() > MOST || warnings.len() > MOST;
        warnings.truncate(MOST);
        Diagnosis { errors, warnings, is_cut }
    }

    /// Why the schema is refused: references first, then keywords in the order of the schema, up to 100. None, if it is not.
    pub fn errors(&self) -> &[SchemaError] {
        &self.errors
    }

    /// What the schema probably did not mean, up to 100. They stop nobody from using it.
    pub fn warnings(&self) -> &[SchemaWarning] {
        &self.warnings
    }

    /// Whether there are more than these.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether there is nothing to say.
    pub fn is_clean(&self) -> bool {
        self.errors.is_empty() && self.warnings.is_empty()
    }
}

/// The warnings of a document, one more than are listed if there are more.
pub(crate) fn warnings(
    document: &Document<'_>,
    formats: &HashMap<String, FormatCheck, RandomState>,
) -> Vec<SchemaWarning> {
    let mut warnings = Vec::new();
    let mut purse = Purse::large();
    for index in 0..document.subschemas.len() {
        let id = SubschemaId(index as u32);
        for entry in document.entries(id) {
            let Some(kind) = warn(document, id, entry, formats, &mut purse) else { continue };
            let mut suffix = String::new();
            pointer::push(&mut suffix, entry.name);
            let (document, path) = document.place(id, &suffix);
            warnings.push(SchemaWarning { document: document.to_owned(), path, kind });
            if warnings.len() > MOST {
                return warnings;
            }
        }
    }
    warnings
}

/// What a keyword probably was not meant to be.
fn warn(
    document: &Document<'_>,
    id: SubschemaId,
    entry: &Entry<'_>,
    formats: &HashMap<String, FormatCheck, RandomState>,
    purse: &mut Purse,
) -> Option<SchemaWarningKind> {
    let dialect = document.resource(document.subschema(id).resource).rules.dialect;
    let name = entry.name.to_owned();
    let Some(keyword) = entry.keyword else {
        return match Keyword::from_name(entry.name) {
            Some(known) => says_something(known).then_some(SchemaWarningKind::OtherDialect { name, dialect }),
            None => {
                let suggestion = misspelt(document, id, entry.name, purse)?;
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
    let suggestion = suggest::nearest(purse, format, known).map(str::to_owned);
    Some(SchemaWarningKind::UnknownFormat { name: format.clone(), suggestion })
}

/// Whether a keyword says something of instances, and is not just there to be read or referred to.
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

/// The keyword that one which nobody knows was probably meant to be. Names with a prefix, and some that others give a meaning, are
/// meant as they are; and a keyword that is there already is not meant again.
fn misspelt(document: &Document<'_>, id: SubschemaId, name: &str, purse: &mut Purse) -> Option<String> {
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
    suggest::nearest(purse, name, known).map(str::to_owned)
}
