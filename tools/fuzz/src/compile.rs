//! Any text is refused or compiled: optimized and plain alike, without a panic.

use serde_json::Value;
use stanchion::{References, Validator};

use crate::seeds::Seed;

/// Compiles the text of a schema.
pub fn target(bytes: &[u8]) {
    let Ok(schema) = serde_json::from_slice::<Value>(bytes) else { return };
    for references in [References::Local, References::Bundled] {
        let builder = Validator::builder().references(references).assert_formats(true);
        let optimized = builder.build(&schema);
        let plain = builder.clone().optimize(false).build(&schema);
        let shown = |result: &Result<Validator, stanchion::SchemaError>| {
            result.as_ref().map(|_| ()).map_err(ToString::to_string)
        };
        assert_eq!(shown(&optimized), shown(&plain), "the optimizer changes what is refused: {schema}");
        let diagnosis = builder.diagnose(&schema);
        assert_eq!(diagnosis.errors().is_empty(), optimized.is_ok(), "diagnose and build differ: {schema}");
        if let Ok(validator) = &optimized {
            let small = validator.cost().steps(1, 2);
            assert!(small <= validator.cost().steps(100, 1_000), "a larger instance costs less: {schema}");
            assert!(!validator.program().to_string().is_empty());
        }
    }
}

/// Schemas of the suite.
#[must_use]
pub fn seeds(seeds: &[Seed]) -> Vec<Vec<u8>> {
    let mut texts: Vec<Vec<u8>> = seeds.iter().map(|seed| seed.schema.to_string().into_bytes()).collect();
    texts.dedup();
    texts
}
