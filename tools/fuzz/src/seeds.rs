//! Schemas and instances of the suite, to start from.

use std::path::Path;

use serde_json::Value;
use stanchion_suite::case;
use stanchion_suite::official::{Official, Section};

/// A schema and an instance of it, as text.
pub struct Seed {
    /// The schema.
    pub schema: Value,
    /// The instance.
    pub instance: String,
}

/// The cases of `suite/data/own` and `suite/data/regressions`, and of the official suite where cargo has it.
#[must_use]
pub fn all() -> Vec<Seed> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../suite/data");
    let mut files = Vec::new();
    for folder in ["own", "regressions"] {
        files.extend(case::read(&data.join(folder)).unwrap_or_default());
    }
    if let Ok(official) = Official::get() {
        files.extend(official.files(stanchion::Dialect::Draft202012, Section::Required).unwrap_or_default());
    }
    let mut seeds = Vec::new();
    for group in files.into_iter().flat_map(|file| file.groups) {
        for test in group.tests {
            seeds.push(Seed { schema: group.schema.clone(), instance: test.data.get().to_owned() });
        }
    }
    seeds
}
