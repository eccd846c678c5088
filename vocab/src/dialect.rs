//! Dialects and vocabularies: the values of `$schema` that we know, and what each switches on.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use crate::keyword::{Keyword, Subschemas};

/// A version of JSON Schema. It is displayed by its [name](Dialect::name), and parsed from the names that people use:
///
/// ```
/// use stanchion_vocab::Dialect;
/// for name in ["draft-07", "draft7", "7", "http://json-schema.org/draft-07/schema#"] {
///     assert_eq!(name.parse(), Ok(Dialect::Draft07));
/// }
/// assert_eq!(Dialect::Draft202012.to_string(), "2020-12");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum Dialect {
    /// `http://json-schema.org/draft-04/schema#`
    Draft04,
    /// `http://json-schema.org/draft-06/schema#`
    Draft06,
    /// `http://json-schema.org/draft-07/schema#`
    Draft07,
    /// `https://json-schema.org/draft/2019-09/schema`
    Draft201909,
    /// `https://json-schema.org/draft/2020-12/schema`
    #[default]
    Draft202012,
}

impl Dialect {
    /// Every dialect, oldest first.
    pub const ALL: [Dialect; 5] =
        [Dialect::Draft04, Dialect::Draft06, Dialect::Draft07, Dialect::Draft201909, Dialect::Draft202012];

    /// Returns its usual name: `draft-04`, `draft-06`, `draft-07`, `2019-09` or `2020-12`.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Draft04 => "draft-04",
            Dialect::Draft06 => "draft-06",
            Dialect::Draft07 => "draft-07",
            Dialect::Draft201909 => "2019-09",
            Dialect::Draft202012 => "2020-12",
        }
    }

    /// Returns the URI that `$schema` gives for it, without a fragment.
    pub const fn uri(self) -> &'static str {
        match self {
            Dialect::Draft04 => "http://json-schema.org/draft-04/schema",
            Dialect::Draft06 => "http://json-schema.org/draft-06/schema",
            Dialect::Draft07 => "http://json-schema.org/draft-07/schema",
            Dialect::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Dialect::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// Returns the dialect that a `$schema` names: with or without an empty fragment, `http` or `https`.
    pub fn from_uri(uri: &str) -> Option<Dialect> {
        let rest = |uri| str::split_once(uri, "://").map(|(_, rest)| rest);
        let uri = uri.strip_suffix('#').unwrap_or(uri);
        if !uri.starts_with("http://") && !uri.starts_with("https://") {
            return None;
        }
        Dialect::ALL.into_iter().find(|dialect| rest(dialect.uri()) == rest(uri))
    }

    /// Returns the vocabularies of its own metaschema.
    pub const fn vocabularies(self) -> Vocabularies {
        Vocabularies::STANDARD
    }

    /// Whether `$ref` hides the keywords beside it: draft-07 and before.
    pub const fn reference_hides_siblings(self) -> bool {
        matches!(self, Dialect::Draft04 | Dialect::Draft06 | Dialect::Draft07)
    }

    /// Returns the keyword that gives a resource its URI.
    pub const fn id_keyword(self) -> &'static str {
        match self {
            Dialect::Draft04 => "id",
            Dialect::Draft06 | Dialect::Draft07 | Dialect::Draft201909 | Dialect::Draft202012 => "$id",
        }
    }

    /// Whether a fragment in `$id` is an anchor, as it was before `$anchor`.
    pub const fn id_fragment_is_anchor(self) -> bool {
        matches!(self, Dialect::Draft04 | Dialect::Draft06 | Dialect::Draft07)
    }

    /// Whether `true` and `false` are schemas.
    pub const fn has_boolean_schemas(self) -> bool {
        !matches!(self, Dialect::Draft04)
    }

    /// Whether `1.0` is an integer: draft-04 went by how a number is written.
    pub const fn integers_by_value(self) -> bool {
        !matches!(self, Dialect::Draft04)
    }

    /// Returns where this dialect's subschemas sit under a keyword, or `None` if the dialect does
    /// not have the keyword.
    pub fn subschemas(self, keyword: Keyword) -> Option<Subschemas> {
        let row = keyword.row();
        if !(row.since <= self && self <= row.until) {
            return None;
        }
        let tuple = self <= Dialect::Draft201909 && matches!(keyword, Keyword::Items);
        Some(if tuple { Subschemas::OneOrList } else { row.subschemas })
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Dialect {
    type Err = UnknownDialect;

    /// Parses a name with or without `draft`, the hyphen and the zero (`draft2020-12`, `draft7`, `4`), or a URI.
    fn from_str(text: &str) -> Result<Dialect, UnknownDialect> {
        let bare =
            |name: &str| name.strip_prefix("draft").unwrap_or(name).trim_start_matches(['-', '0']).to_owned();
        let by_name = Dialect::ALL.into_iter().find(|dialect| bare(dialect.name()) == bare(text));
        by_name.or_else(|| Dialect::from_uri(text)).ok_or(UnknownDialect(()))
    }
}

/// The error for a text that names no dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownDialect(());

impl fmt::Display for UnknownDialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "expected 2020-12, 2019-09, draft-07, draft-06, draft-04, or the URI of one of their metaschemas",
        )
    }
}

impl Error for UnknownDialect {}

/// A group of keywords that a metaschema can require or leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// Identifiers, references, comments. Always on.
    Core,
    /// Keywords that apply subschemas.
    Applicator,
    /// `unevaluatedItems` and `unevaluatedProperties`.
    Unevaluated,
    /// Assertions.
    Validation,
    /// `title`, `default` and their like.
    MetaData,
    /// `format` as an annotation.
    FormatAnnotation,
    /// `format` as an assertion.
    FormatAssertion,
    /// `contentMediaType` and its like.
    Content,
}

impl Vocabulary {
    /// Returns the vocabulary that this URI names, in 2020-12 or 2019-09.
    pub fn from_uri(uri: &str) -> Option<Vocabulary> {
        let name = uri
            .strip_prefix("https://json-schema.org/draft/2020-12/vocab/")
            .or_else(|| uri.strip_prefix("https://json-schema.org/draft/2019-09/vocab/"))?;
        Some(match name {
            "core" => Vocabulary::Core,
            "applicator" => Vocabulary::Applicator,
            "unevaluated" => Vocabulary::Unevaluated,
            "validation" => Vocabulary::Validation,
            "meta-data" => Vocabulary::MetaData,
            "format-annotation" | "format" => Vocabulary::FormatAnnotation,
            "format-assertion" => Vocabulary::FormatAssertion,
            "content" => Vocabulary::Content,
            _ => return None,
        })
    }
}

/// A set of vocabularies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vocabularies(u8);

impl Vocabularies {
    /// Core alone, which no metaschema can leave out.
    pub const CORE: Vocabularies = Vocabularies(1 << Vocabulary::Core as u8);
    /// Every vocabulary that the metaschemas of the specification list: all but format-assertion.
    pub const STANDARD: Vocabularies = Vocabularies(!(1 << Vocabulary::FormatAssertion as u8));

    /// Returns this set with one more vocabulary.
    #[must_use]
    pub const fn with(self, vocabulary: Vocabulary) -> Vocabularies {
        Vocabularies(self.0 | 1 << vocabulary as u8)
    }

    /// Whether the set holds this vocabulary.
    pub const fn has(self, vocabulary: Vocabulary) -> bool {
        self.0 & (1 << vocabulary as u8) != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schema_uris() {
        let draft07 = Some(Dialect::Draft07);
        assert_eq!(Dialect::from_uri("http://json-schema.org/draft-07/schema#"), draft07);
        assert_eq!(Dialect::from_uri("https://json-schema.org/draft-07/schema"), draft07);
        assert_eq!(Dialect::from_uri("http://json-schema.org/schema#"), None);
        assert_eq!(Dialect::from_uri("draft-07"), None);
        for dialect in Dialect::ALL {
            assert_eq!(Dialect::from_uri(dialect.uri()), Some(dialect));
        }
    }

    #[test]
    fn names_that_people_use() {
        for name in ["draft4", "draft-04", "04", "4"] {
            assert_eq!(name.parse(), Ok(Dialect::Draft04), "{name}");
        }
        for name in ["draft2020-12", "2020-12", "draft-2020-12"] {
            assert_eq!(name.parse(), Ok(Dialect::Draft202012), "{name}");
        }
        for name in ["", "draft", "draft3", "2020", "latest", "http://json-schema.org/schema#"] {
            assert!(name.parse::<Dialect>().is_err(), "{name}");
        }
        for dialect in Dialect::ALL {
            assert_eq!(dialect.to_string().parse(), Ok(dialect));
            assert!(UnknownDialect(()).to_string().contains(dialect.name()));
        }
    }

    #[test]
    fn items_was_a_tuple_once() {
        assert_eq!(Dialect::Draft07.subschemas(Keyword::Items), Some(Subschemas::OneOrList));
        assert_eq!(Dialect::Draft202012.subschemas(Keyword::Items), Some(Subschemas::One));
        assert_eq!(Dialect::Draft07.subschemas(Keyword::PrefixItems), None);
    }
}
