//! All that is wrong with a schema, and what it probably did not mean: [`Diagnosis`].
//!
//! Compiling ends at the first error. A diagnosis goes on: a keyword whose value is refused is left out, and so is a reference that leads
//! nowhere. Only a limit ends it. Warnings are read from the document afterwards.
//!
//! A reference that leads nowhere, or comes back to itself, is no error where nothing leads to it, such as in a definition that is not
//! used. A diagnosis lists those apart.

use crate::document::{Document, Entry, SubschemaId, pointer};
use crate::error::{SchemaError, SchemaErrorKind, SchemaWarning, SchemaWarningKind};
use crate::program::FormatCheck;
use crate::suggest::{self, SuggestBudget};
use ahash::RandomState;
use serde_json::Value;
use stanchion_vocab::{Keyword, Vocabulary, format};
use std::collections::HashMap;

/// So many errors, and so many warnings, are listed.
pub(crate) const MOST: usize = 100;

/// What becomes of errors.
#[derive(Debug, Default)]
pub(crate) enum Faults {
    /// The first one ends it.
    #[default]
    First,
    /// They are gathered.
    All(Gathered),
    /// They do not matter.
    Ignored,
}

/// Errors, gathered.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    pub(crate) errors: Vec<SchemaError>,
    /// References that lead nowhere or come back to themselves.
    pub(crate) references: Vec<SchemaError>,
    /// Such references where nothing leads to them.
    pub(crate) unreached: Vec<SchemaError>,
}

impl Faults {
    pub(crate) fn gather() -> Faults {
        Faults::All(Gathered::default())
    }

    /// Takes an error, or gives it back if it is the end. A limit always is.
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

    /// Takes the error of a reference, which is one only where something leads to it. It is made where it is wanted.
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

    /// Why the schema is refused, up to 100 of each: names and references out of the document, references that lead nowhere or back
    /// to themselves, then keywords, each in the order of the schema. None, if it is not.
    pub fn errors(&self) -> &[SchemaError] {
        &self.errors
    }

    /// What the schema probably did not mean, up to 100. They stop nobody from using it.
    pub fn warnings(&self) -> &[SchemaWarning] {
        &self.warnings
    }

    /// References that lead nowhere or come back to themselves where nothing leads to them, up to 100. The schema is not refused for
    /// these: no validation ever meets them.
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

    /// Whether there are more than these.
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// Whether there is nothing to say.
    pub fn is_clean(&self) -> bool {
        self.errors.is_empty() && self.warnings.is_empty() && self.unreached.is_empty()
    }
}

/// The warnings of a document, one more than are listed if there are more.
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

/// What a keyword probably was not meant to be.
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
