//! Machine code that was made of a schema when this program was built, by jsonschema's macro: how fast a validator may be that has nothing to interpret,
//! counts nothing and compiles no schema that it is given.

use serde_json::Value;

/// What such code is.
pub(crate) type IsValid = fn(&Value) -> bool;

#[cfg(feature = "native")]
include!(concat!(env!("OUT_DIR"), "/native.rs"));

/// The code for a set of the corpus: none without the feature `native`.
#[cfg(not(feature = "native"))]
pub(crate) fn find(_: &str) -> Option<IsValid> {
    None
}
