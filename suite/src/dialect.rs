//! Directories, numbers and URIs that the official suite uses for the dialects.

use stanchion::Dialect;

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
