//! The dialects that the engine knows, with the directories and numbers that the official suite
//! uses for them.

use stanchion::Dialect;

/// All dialects, oldest first.
pub const DIALECTS: [Dialect; 5] =
    [Dialect::Draft04, Dialect::Draft06, Dialect::Draft07, Dialect::Draft201909, Dialect::Draft202012];

/// Returns the directory of a dialect's tests and remote schemas.
pub fn folder(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Draft04 => "draft4",
        Dialect::Draft06 => "draft6",
        Dialect::Draft07 => "draft7",
        Dialect::Draft201909 => "draft2019-09",
        Dialect::Draft202012 => "draft2020-12",
    }
}

/// Returns the number for a dialect in the `compatibility` of annotation tests.
pub fn release(dialect: Dialect) -> u32 {
    match dialect {
        Dialect::Draft04 => 4,
        Dialect::Draft06 => 6,
        Dialect::Draft07 => 7,
        Dialect::Draft201909 => 2019,
        Dialect::Draft202012 => 2020,
    }
}

/// Returns the URI of a dialect's metaschema.
pub fn metaschema(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Draft04 => "http://json-schema.org/draft-04/schema#",
        Dialect::Draft06 => "http://json-schema.org/draft-06/schema#",
        Dialect::Draft07 => "http://json-schema.org/draft-07/schema#",
        Dialect::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
        Dialect::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
    }
}

/// Returns the dialect for a name such as `2020-12`, `draft2020-12`, `7`, `draft7` or `draft-07`.
pub fn by_name(name: &str) -> Option<Dialect> {
    let release = name.strip_prefix("draft").unwrap_or(name).trim_start_matches(['-', '0']);
    DIALECTS.into_iter().find(|&dialect| folder(dialect).strip_prefix("draft") == Some(release))
}

/// Returns the dialect whose metaschema has this URI; an empty fragment makes no difference.
pub fn by_metaschema(uri: &str) -> Option<Dialect> {
    let bare = |uri: &'static str| uri.strip_suffix('#').unwrap_or(uri);
    let wanted = uri.strip_suffix('#').unwrap_or(uri);
    DIALECTS.into_iter().find(|&dialect| bare(metaschema(dialect)) == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_people_use() {
        for name in ["draft4", "draft-04", "04", "4"] {
            assert_eq!(by_name(name), Some(Dialect::Draft04), "{name}");
        }
        for name in ["draft2020-12", "2020-12"] {
            assert_eq!(by_name(name), Some(Dialect::Draft202012), "{name}");
        }
        for name in ["", "draft3", "2020", "latest"] {
            assert_eq!(by_name(name), None, "{name}");
        }
    }

    #[test]
    fn metaschemas_with_and_without_an_empty_fragment() {
        assert_eq!(by_metaschema("http://json-schema.org/draft-07/schema"), Some(Dialect::Draft07));
        assert_eq!(
            by_metaschema("https://json-schema.org/draft/2020-12/schema#"),
            Some(Dialect::Draft202012)
        );
        assert_eq!(by_metaschema("http://json-schema.org/schema#"), None);
    }
}
