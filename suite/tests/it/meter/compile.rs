//! The cost of compiling: instructions and bytes in proportion to the size of the schema, for
//! thirty shapes of schemas.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stanchion::{Limits, References, Validator};
use stanchion_benches::heap::Counting;

use super::{Count, SIZES, array, counts, metered_end, object};

/// Counts all allocations of this test binary; compiling is measured in a process of its own.
#[global_allocator]
pub(super) static HEAP: Counting = Counting::new();

/// Most growth of the cost per byte of a schema at eight times the size. Quadratic work grows eight
/// times.
const MAX_GROWTH: f64 = 2.0;

/// Fixed cost of any schema, in instructions. A larger value would hide the cost of small schemas.
const FIXED_COST: u64 = 50_000;

/// Most bytes of heap for each byte of a schema while compiling, and a fixed amount for any schema.
const HEAP_PER_BYTE: u64 = 100;
const FIXED_HEAP: u64 = 64 << 10;

/// Shapes that are known to take more. Remove a shape from the list when it is fixed.
const KNOWN_EXCESS: &[&str] = &[];

/// Makes a schema of a size.
type Shape = fn(usize) -> Value;

fn name(index: usize) -> String {
    format!("name{index}")
}

const SHAPES: &[(&str, Shape)] = &[
    ("properties", |n| json!({"properties": object(n, |i| (name(i), json!({"type": "string"})))})),
    ("required", |n| json!({"required": array(n, |i| name(i).into())})),
    (
        "properties and required",
        |n| json!({"properties": object(n, |i| (name(i), json!({"minimum": i}))), "required": array(n, |i| name(i).into())}),
    ),
    (
        "patternProperties",
        |n| json!({"patternProperties": object(n, |i| (format!("^{}", name(i)), json!({"minimum": i})))}),
    ),
    ("dependentRequired", |n| json!({"dependentRequired": object(n, |i| (name(i), json!([name(i + 1)])))})),
    (
        "dependentSchemas",
        |n| json!({"dependentSchemas": object(n, |i| (name(i), json!({"minProperties": i})))}),
    ),
    ("enum of texts", |n| json!({"enum": array(n, |i| name(i).into())})),
    ("enum of objects", |n| json!({"enum": array(n, |i| json!({"a": i, "b": [i]}))})),
    ("const", |n| json!({"const": array(n, |i| json!({"a": i}))})),
    ("allOf of small schemas", |n| json!({"allOf": array(n, |i| json!({"minimum": i}))})),
    (
        "allOf of properties",
        |n| json!({"allOf": array(n, |i| json!({"properties": {name(i): {"type": "string"}}}))}),
    ),
    (
        "allOf of the same property",
        |n| json!({"allOf": array(n, |i| json!({"properties": {"a": {"minimum": i}}}))}),
    ),
    ("allOf of items", |n| json!({"allOf": array(n, |i| json!({"items": {"minimum": i}}))})),
    (
        "allOf of references",
        |n| json!({"allOf": array(n, |i| json!({"$ref": format!("#/$defs/{}", name(i))})), "$defs": object(n, |i| (name(i), json!({"minimum": i})))}),
    ),
    (
        "anyOf of types",
        |n| json!({"anyOf": array(n, |i| json!({"type": ["string", "array"], "minLength": i, "minItems": i}))}),
    ),
    ("anyOf of required", |n| json!({"anyOf": array(n, |i| json!({"required": [name(i)]}))})),
    (
        "oneOf with a discriminator",
        |n| json!({"oneOf": array(n, |i| json!({"properties": {"kind": {"const": name(i)}, "value": {"minimum": i}}, "required": ["kind"]}))}),
    ),
    (
        "oneOf of objects",
        |n| json!({"oneOf": array(n, |i| json!({"properties": {name(i): {"type": "string"}}, "required": [name(i)]}))}),
    ),
    (
        "conditions",
        |n| json!({"allOf": array(n, |i| json!({"if": {"properties": {"kind": {"const": i}}}, "then": {"required": [name(i)]}}))}),
    ),
    ("not", |n| json!({"allOf": array(n, |i| json!({"not": {"const": i}}))})),
    ("prefixItems", |n| json!({"prefixItems": array(n, |i| json!({"minimum": i}))})),
    ("contains", |n| json!({"allOf": array(n, |i| json!({"contains": {"const": i}}))})),
    (
        "a chain of references",
        |n| json!({"$ref": "#/$defs/name0", "$defs": object(n, |i| (name(i), if i + 1 < n { json!({"$ref": format!("#/$defs/{}", name(i + 1))}) } else { json!({}) }))}),
    ),
    ("references that double", |n| {
        let next = |i: usize| json!({"$ref": format!("#/$defs/{}", name(i + 1))});
        json!({"$ref": "#/$defs/name0", "$defs": object(n, |i| (name(i), if i + 1 < n { json!({"anyOf": [next(i), next(i)]}) } else { json!({"type": "null"}) }))})
    }),
    (
        "anchors",
        |n| json!({"allOf": array(n, |i| json!({"$ref": format!("#{}", name(i))})), "$defs": object(n, |i| (name(i), json!({"$anchor": name(i), "minimum": i})))}),
    ),
    (
        "resources",
        |n| json!({"$id": "https://example.com/", "$defs": object(n, |i| (name(i), json!({"$id": name(i), "minimum": i}))), "allOf": array(n, |i| json!({"$ref": name(i)}))}),
    ),
    (
        "dynamic references",
        |n| json!({"$defs": object(n, |i| (name(i), json!({"$dynamicAnchor": name(i), "items": {"$dynamicRef": format!("#{}", name(i))}}))), "allOf": array(n, |i| json!({"$ref": format!("#{}", name(i))}))}),
    ),
    (
        "unevaluatedProperties",
        |n| json!({"anyOf": array(n, |i| json!({"properties": {name(i): {"minimum": i}}})), "unevaluatedProperties": false}),
    ),
    (
        "unevaluatedItems",
        |n| json!({"anyOf": array(n, |i| json!({"prefixItems": array(3, |j| json!({"minimum": i + j}))})), "unevaluatedItems": false}),
    ),
    ("patterns", |n| json!({"anyOf": array(n, |i| json!({"pattern": format!("^(a|{})+$", name(i))}))})),
    ("one long pattern", |n| json!({"pattern": (0..n).map(name).collect::<Vec<_>>().join("|")})),
    (
        "annotations",
        |n| json!({"properties": object(n, |i| (name(i), json!({"title": name(i), "description": "x".repeat(40), "default": i})))}),
    ),
    ("a long text", |n| json!({"description": "x".repeat(100 * n), "const": "y".repeat(100 * n)})),
    (
        "many keywords",
        |n| json!({"properties": object(n, |i| (name(i), json!({"type": "object", "minimum": i, "maxLength": i, "items": {"type": "string"}, "required": ["a"], "uniqueItems": true})))}),
    ),
];

/// Compiles a schema: the function that callgrind measures.
#[inline(never)]
fn metered_compile(schema: &Value) -> Validator {
    let limits = Limits::default().pattern_size(1 << 24);
    let builder = Validator::builder().references(References::Bundled).limits(limits);
    builder.build(schema).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
#[ignore = "runs under callgrind, for `compiling_is_linear`"]
fn child() {
    for size in SIZES {
        for (name, shape) in SHAPES {
            let schema = shape(size);
            let bytes = schema.to_string().len() as u64;
            let before = HEAP.restart();
            let validator = metered_compile(&schema);
            metered_end();
            drop(validator);
            let heap = HEAP.peak().saturating_sub(before) as u64;
            println!("\nheld {name} {heap}");
            println!("\nmeasured {name} {bytes}");
        }
    }
}

#[test]
fn compiling_is_linear() {
    assert!(SHAPES.len() >= 30);
    let Some((counts, said)) = counts("meter::compile::child", "metered_compile") else { return };
    let mut shapes: BTreeMap<String, Vec<Count>> = BTreeMap::new();
    for (name, count) in counts {
        shapes.entry(name).or_default().push(count);
    }
    assert_eq!(shapes.len(), SHAPES.len());
    let mut wrong = Vec::new();
    for (name, counts) in &shapes {
        let [small, large] = counts[..] else { panic!("{name}: measured {} times", counts.len()) };
        let per_byte = |count: Count| count.work.saturating_sub(FIXED_COST) as f64 / count.paid as f64;
        let mut heap = said
            .lines()
            .filter_map(|line| line.strip_prefix("held ")?.strip_prefix(name.as_str())?.trim().parse().ok());
        let heap: u64 = heap.next_back().expect("what was held");
        println!(
            "{name}: {:.0} → {:.0} instructions, {} bytes for a byte",
            per_byte(small),
            per_byte(large),
            heap / large.paid
        );
        if per_byte(large) > MAX_GROWTH * per_byte(small).max(1.0)
            || heap > FIXED_HEAP + HEAP_PER_BYTE * large.paid
        {
            wrong.push(name.as_str());
        }
    }
    assert_eq!(wrong, KNOWN_EXCESS, "shapes that take more than in proportion to their size");
}
