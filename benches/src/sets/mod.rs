//! Our own sets: schemas in 2020-12, and instances with their verdicts.
//!
//! A set is generated, not stored, and always the same. One in five of the generated instances has
//! a mistake in one place: at its beginning, in its middle or at its end.

mod composed;
mod configuration;
mod events;
mod extension;
mod geojson;
mod manifests;
mod mcp;
mod openapi;
mod random;
mod shapes;
mod small;
mod strings;
mod table;
mod wide;

use serde_json::Value;

use random::Random;

/// A schema, and instances with their verdicts.
#[derive(Debug)]
pub struct Set {
    /// The name in benchmarks.
    pub name: &'static str,
    /// The schema, in 2020-12.
    pub schema: Value,
    /// Instances, and whether each is valid.
    pub instances: Vec<(Value, bool)>,
}

/// A function that generates a set.
type Maker = fn() -> Set;

/// The generator of each set, by name.
const MAKERS: [(&str, Maker); 17] = [
    ("tool_call", small::tool_call),
    ("records", small::records),
    ("tree", small::tree),
    ("union", small::union),
    ("unevaluated", small::unevaluated),
    ("mcp", mcp::set),
    ("openapi", openapi::set),
    ("geojson", geojson::set),
    ("manifests", manifests::set),
    ("events", events::set),
    ("configuration", configuration::set),
    ("table", table::set),
    ("wide", wide::set),
    ("shapes", shapes::set),
    ("strings", strings::set),
    ("composed", composed::set),
    ("extension", extension::set),
];

/// Returns all sets.
pub fn sets() -> Vec<Set> {
    MAKERS.iter().map(|(_, make)| make()).collect()
}

/// Returns the names of all sets.
pub fn names() -> impl Iterator<Item = &'static str> {
    MAKERS.iter().map(|(name, _)| *name)
}

/// Returns the set of this name.
pub fn by_name(name: &str) -> Option<Set> {
    MAKERS.iter().find(|(known, _)| *known == name).map(|(_, make)| make())
}

/// The place of a mistake in an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Early,
    Middle,
    Late,
}

impl Place {
    /// Returns which of `parts` parts has the mistake.
    fn among(self, parts: usize) -> usize {
        match self {
            Place::Early => 0,
            Place::Middle => parts / 2,
            Place::Late => parts.saturating_sub(1),
        }
    }
}

/// Generates a set. `instance` makes one instance with a mistake at the given place, or with none.
fn generate(
    name: &'static str,
    schema: &str,
    count: usize,
    instance: fn(&mut Random, Option<Place>) -> Value,
) -> Set {
    let schema = serde_json::from_str(schema).unwrap_or_else(|error| panic!("the schema of {name}: {error}"));
    let mut random = Random::new(name);
    let make = |index: usize| {
        let wrong = (index % 5 == 4).then(|| [Place::Early, Place::Middle, Place::Late][index / 5 % 3]);
        (instance(&mut random, wrong), wrong.is_none())
    };
    Set { name, schema, instances: (0..count).map(make).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stanchion::{References, Validator, Verdict};

    /// Every verdict is the one that the generator meant.
    #[test]
    fn verdicts_are_those_expected() {
        for set in sets() {
            let builder = Validator::builder().references(References::Bundled);
            let validator =
                builder.build(&set.schema).unwrap_or_else(|error| panic!("{}: {error}", set.name));
            for (at, (instance, valid)) in set.instances.iter().enumerate() {
                let want = if *valid { Verdict::Valid } else { Verdict::Invalid };
                let error = validator.validate(instance).err().map(|error| error.to_string());
                assert_eq!(validator.verdict(instance), want, "{} {at}: {error:?}: {instance}", set.name);
                let text = instance.to_string();
                assert_eq!(validator.verdict_json(text.as_bytes()).ok(), Some(want), "{} {at}", set.name);
            }
        }
    }

    /// The table of makers and the sets agree on names; the generated sets have enough instances.
    #[test]
    fn sets_are_as_promised() {
        for (name, make) in MAKERS {
            let set = make();
            assert_eq!(set.name, name);
            let wrong = set.instances.iter().filter(|(_, valid)| !valid).count();
            assert!(wrong > 0, "{name} has no wrong instance");
            if set.instances.len() > 4 {
                assert!(set.instances.len() >= 200, "{name}: {} instances", set.instances.len());
                assert_eq!(wrong, set.instances.len() / 5, "{name}");
            }
        }
    }

    /// Generating a set twice gives the same set.
    #[test]
    fn sets_are_repeatable() {
        for (first, second) in sets().iter().zip(sets()) {
            assert_eq!(first.instances, second.instances, "{}", first.name);
        }
    }

    /// Optimizing changes neither the errors nor their order.
    #[test]
    fn errors_are_those_of_plain_programs() {
        for set in sets() {
            let builder = Validator::builder().references(References::Bundled);
            let [fast, plain] = [true, false]
                .map(|optimize| builder.clone().optimize(optimize).build(&set.schema).expect(set.name));
            for (instance, _) in set.instances.iter().filter(|(_, valid)| !valid) {
                let (fast, plain) = (fast.iter_errors(instance), plain.iter_errors(instance));
                assert_eq!(fast.to_string(), plain.to_string(), "{}", set.name);
                assert_eq!(fast.for_model(1000), plain.for_model(1000), "{}", set.name);
            }
        }
    }

    /// The errors are of many kinds and in several places.
    #[test]
    fn errors_differ() {
        for set in sets().into_iter().filter(|set| set.instances.len() > 4) {
            let builder = Validator::builder().references(References::Bundled);
            let validator =
                builder.build(&set.schema).unwrap_or_else(|error| panic!("{}: {error}", set.name));
            let wrong = set.instances.iter().filter(|(_, valid)| !valid);
            let places: std::collections::BTreeSet<String> = wrong
                .filter_map(|(instance, _)| validator.validate(instance).err())
                .map(|error| format!("{} {}", error.instance_path(), error.schema_path()))
                .collect();
            assert!(places.len() >= 3, "{}: {places:?}", set.name);
        }
    }
}
