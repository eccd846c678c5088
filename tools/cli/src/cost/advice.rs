//! Advice on how to make an expensive schema cheaper, with the places to change.

use serde_json::Value;
use stanchion::{Cost, Growth, PlaceCost};

/// A piece of advice, and the places it is about.
pub(super) struct Advice {
    pub(super) words: String,
    /// The most expensive places, a few of them.
    pub(super) places: Vec<String>,
    /// Number of further places.
    pub(super) more: usize,
}

/// Most places that are listed.
const MAX_PLACES: usize = 5;

/// Smallest share of the total, in percent, at which a place matters.
const MIN_SHARE: u64 = 10;

/// Smallest share of its limit, in percent, at which a count matters.
const MIN_LIMIT_SHARE: u64 = 80;

/// Returns the advice for a schema.
pub(super) fn of(
    schema: &Value,
    places: &[PlaceCost],
    cost: &Cost,
    counts: &[(&'static str, u64, u64)],
    total: u64,
    most_steps: u64,
) -> Vec<Advice> {
    let mut advice = Vec::new();
    let dear: Vec<&PlaceCost> = places
        .iter()
        .filter(|place| {
            place.steps == u64::MAX
                || (total > 0 && u128::from(place.steps) * 100 / u128::from(total) >= MIN_SHARE.into())
        })
        .collect();
    // A schema whose cost surely fits into the steps need not be made cheaper.
    let is_cheap = total <= most_steps / 2;
    if !is_cheap {
        for (keyword, words) in ADVICE {
            let blamed = dear.iter().filter(|place| place.keyword.as_deref() == Some(keyword));
            let blamed = blamed.filter(|place| is_helped(schema, place)).copied();
            push(&mut advice, words, blamed);
        }
        let backreferences = dear.iter().filter(|place| is_unbounded(place)).copied();
        push(
            &mut advice,
            "a backreference is bounded by nothing but the steps: write the alternatives out",
            backreferences,
        );
    }
    let unions = places.iter().filter(|place| {
        matches!(place.keyword.as_deref(), Some("anyOf" | "oneOf" | "if" | "not" | "$ref" | "$dynamicRef"))
    });
    match cost.growth() {
        Growth::Exponential => push(
            &mut advice,
            "the same subschema is reached by several ways on one value, which doubles at each level: let branches differ by a `const` \
             in a required member, and refer to the common part once, beside the union",
            unions,
        ),
        Growth::Polynomial => {
            push(
                &mut advice,
                "recursion inside of recursion multiplies: bound one of them, or write it out",
                unions,
            );
        }
        Growth::Constant | Growth::Linear => {}
    }
    for &(name, count, limit) in counts {
        if u128::from(count) * 100 >= u128::from(limit) * u128::from(MIN_LIMIT_SHARE) {
            let words = match name {
                "depth" => {
                    "the nesting is near its limit: move inner subschemas to `$defs`, and refer to them"
                }
                "subschemas" => {
                    "the subschemas are near their limit: say what is said often once, in `$defs`"
                }
                "document_bytes" => {
                    "the schema's text is near its limit: shorten descriptions, examples and long enums"
                }
                _ => "the patterns are near their limit: lower the counts of repetitions, or use `maxLength`",
            };
            advice.push(Advice { words: words.to_owned(), places: Vec::new(), more: 0 });
        }
    }
    advice
}

/// For each keyword, how to make it cheaper.
const ADVICE: &[(&str, &str)] = &[
    (
        "pattern",
        "a pattern costs its states for each byte of text: `maxLength` beside it refuses a long text before it is matched",
    ),
    (
        "patternProperties",
        "each pattern is matched with each name: name the members in `properties` where they are known",
    ),
    (
        "uniqueItems",
        "every item is compared as a whole: `maxItems` beside it bounds how many, and scalars compare fastest",
    ),
    (
        "enum",
        "values are compared as a whole: texts and numbers in `enum` are found by a table, arrays and objects are not",
    ),
    (
        "const",
        "values are compared as a whole: a text or a number compares faster than an array or an object",
    ),
    ("contains", "every item is tried: `maxItems` beside it bounds how many"),
    (
        "anyOf",
        "each branch may be tried: branches that differ in `type`, or in a `const` of a required member, are picked by a table",
    ),
    (
        "oneOf",
        "each branch may be tried: branches that differ in `type`, or in a `const` of a required member, are picked by a table",
    ),
    ("multipleOf", "a divisor of many digits takes as many steps: a shorter one is cheaper"),
    ("$dynamicRef", "where it leads depends on the way there: `$ref` is cheaper, and bounded"),
    (
        "unevaluatedProperties",
        "what was evaluated is kept book of: `additionalProperties` needs no book, if all members are declared beside it",
    ),
    (
        "unevaluatedItems",
        "what was evaluated is kept book of: `items` needs no book, if all items are declared beside it",
    ),
];

/// Adds advice, if there are places for it.
fn push<'p>(advice: &mut Vec<Advice>, words: &str, places: impl Iterator<Item = &'p PlaceCost>) {
    let mut places: Vec<String> = places.map(super::shown).collect();
    let mut seen = std::collections::HashSet::new();
    places.retain(|place| seen.insert(place.clone()));
    if places.is_empty() {
        return;
    }
    let more = places.len().saturating_sub(MAX_PLACES);
    places.truncate(MAX_PLACES);
    advice.push(Advice { words: words.to_owned(), places, more });
}

/// Whether the advice for a keyword would help at this place.
fn is_helped(schema: &Value, place: &PlaceCost) -> bool {
    let found = place.document.is_empty().then(|| schema.pointer(&place.pointer)).flatten();
    match (place.keyword.as_deref(), found) {
        // There is a bound on the text already, or the pattern itself has none.
        (Some("pattern"), _) => {
            !is_unbounded(place)
                && beside(schema, place).is_none_or(|beside| beside.get("maxLength").is_none())
        }
        (Some("uniqueItems" | "contains"), _) => {
            beside(schema, place).is_none_or(|beside| beside.get("maxItems").is_none())
        }
        (Some("enum"), Some(Value::Array(values))) => values.iter().any(is_container),
        (Some("const"), Some(value)) => is_container(value),
        _ => true,
    }
}

fn is_container(value: &Value) -> bool {
    value.is_array() || value.is_object()
}

fn is_unbounded(place: &PlaceCost) -> bool {
    place.steps == u64::MAX && matches!(place.keyword.as_deref(), Some("pattern" | "patternProperties"))
}

/// Returns the subschema that contains a keyword, if it is in the schema itself.
fn beside<'s>(schema: &'s Value, place: &PlaceCost) -> Option<&'s Value> {
    let (parent, _) = place.pointer.rsplit_once('/')?;
    place.document.is_empty().then(|| schema.pointer(parent)).flatten()
}
