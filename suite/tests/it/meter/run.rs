//! The cost of runs, for every instruction, format and engine of patterns.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use stanchion::{Dialect, Validator};

use super::{Count, SIZES, array, counts, instructions, metered_end, object};

/// Most instructions per additional step in a build for tests. Unoptimized code takes some twenty
/// times those of a release, in which 2,000,000 steps have 100 ms.
const MAX_PER_STEP: f64 = 8_000.0;

/// Most growth of the instructions per step at eight times the size. Work that is not charged grows
/// eight times.
const MAX_GROWTH: f64 = 2.0;

/// Instructions that need not be charged, whatever the size.
const FREE: f64 = 10_000.0;

/// Makes a schema and an instance of a size.
type Shape = fn(usize) -> (Value, Value);

fn text(n: usize) -> Value {
    "ab".repeat(n / 2).into()
}

fn names(n: usize) -> Value {
    array(n, |index| format!("name{index}").into())
}

fn record(n: usize) -> Value {
    object(n, |index| (format!("name{index}"), index.into()))
}

/// Returns numbers that are not integers, so that no type decides.
fn floats(n: usize) -> Value {
    array(n, |index| (index as f64 + 0.5).into())
}

/// Everything that a run can do, each as a function of a size.
const SHAPES: &[(&str, Shape)] = &[
    ("never", |n| (json!({"items": {"anyOf": [false, {"minimum": 0}]}}), floats(n))),
    ("type", |n| (json!({"items": {"type": "number"}}), floats(n))),
    ("type as written", |n| {
        let draft04 = "http://json-schema.org/draft-04/schema#";
        (json!({"$schema": draft04, "items": {"type": "integer"}}), array(n, |index| index.into()))
    }),
    ("const text", |n| (json!({"const": text(n)}), text(n))),
    ("const array", |n| (json!({"const": floats(n)}), floats(n))),
    ("const object", |n| (json!({"const": record(n)}), record(n))),
    ("const long, text short", |n| (json!({"items": {"const": text(n)}}), array(n, |_| "x".into()))),
    ("const on each", |n| (json!({"items": {"const": {"a": [1]}}}), array(n, |_| json!({"a": [1]})))),
    ("enum of many", |n| (json!({"items": {"enum": names(n)}}), names(n))),
    ("enum of objects", |n| {
        (
            json!({"items": {"enum": array(n, |index| json!({"a": index}))}}),
            array(n, |index| json!({"a": index})),
        )
    }),
    ("enum, large object", |n| (json!({"enum": [{"a": 1}, 2]}), record(n))),
    ("enum, long text", |n| (json!({"enum": [text(n), 1]}), text(n))),
    ("minimum", |n| (json!({"items": {"minimum": 0.25}}), floats(n))),
    ("maximum", |n| (json!({"items": {"maximum": 1e9}}), floats(n))),
    ("exclusiveMinimum", |n| (json!({"items": {"exclusiveMinimum": 0.25}}), floats(n))),
    ("exclusiveMaximum", |n| (json!({"items": {"exclusiveMaximum": 1e9}}), floats(n))),
    ("interval", |n| {
        (json!({"items": {"type": "integer", "minimum": 0, "maximum": 99999}}), array(n, |i| i.into()))
    }),
    ("multipleOf", |n| (json!({"items": {"multipleOf": 0.5}}), floats(n))),
    ("multipleOf, far", |n| (json!({"items": {"multipleOf": 1e-300}}), array(n, |_| json!(1e300)))),
    ("minLength", |n| (json!({"minLength": n}), text(n))),
    ("maxLength", |n| (json!({"maxLength": n}), text(n))),
    ("length and pattern", |n| (json!({"type": "string", "minLength": 1, "pattern": "b$"}), text(n))),
    ("content", |n| {
        let draft07 = "http://json-schema.org/draft-07/schema#";
        let schema =
            json!({"$schema": draft07, "contentEncoding": "base64", "contentMediaType": "application/json"});
        (schema, "IiIg".repeat(n / 4).into())
    }),
    ("minItems", |n| (json!({"minItems": 2}), floats(n))),
    ("maxItems", |n| (json!({"maxItems": n}), floats(n))),
    ("uniqueItems, numbers", |n| (json!({"uniqueItems": true}), floats(n))),
    ("uniqueItems, texts", |n| (json!({"uniqueItems": true}), names(n))),
    ("uniqueItems, objects", |n| (json!({"uniqueItems": true}), array(n, |index| json!({"a": [index]})))),
    ("items, unique and counted", |n| {
        (json!({"items": {"type": "number"}, "uniqueItems": true, "minItems": 1}), floats(n))
    }),
    ("minProperties", |n| (json!({"minProperties": 1}), record(n))),
    ("maxProperties", |n| (json!({"maxProperties": n}), record(n))),
    ("required", |n| (json!({"required": names(n)}), record(n))),
    ("required, one long name", |n| {
        let name = "x".repeat(n);
        (json!({"items": {"required": [name]}}), array(20, |_| json!({name.clone(): 1})))
    }),
    ("required, one prefix", |n| {
        let name = |index: usize| format!("{}{index}", "p".repeat(100));
        (
            json!({"required": array(n, |index| name(index).into())}),
            object(n, |index| (name(index), index.into())),
        )
    }),
    ("dependentRequired", |n| {
        (json!({"dependentRequired": object(n, |i| (format!("name{i}"), json!(["name0"])))}), record(n))
    }),
    ("dependentSchemas", |n| {
        (
            json!({"dependentSchemas": object(n, |i| (format!("name{i}"), json!({"minProperties": 1})))}),
            record(n),
        )
    }),
    ("reference", |n| {
        let schema = json!({"items": {"$ref": "#/$defs/a"}, "$defs": {"a": {"type": ["number", "array"], "items": {"$ref": "#/$defs/a"}}}});
        (schema, floats(n))
    }),
    ("dynamic reference", |n| {
        let schema = json!({
            "$id": "https://example.com/a",
            "$ref": "b",
            "$defs": {
                "b": {"$id": "b", "items": {"$dynamicRef": "#x"}, "$defs": {"x": {"$dynamicAnchor": "x", "type": "string"}}},
                "c": {"$id": "c", "$dynamicAnchor": "x", "type": "number"}
            }
        });
        (schema, names(n))
    }),
    ("allOf", |n| {
        (
            json!({"items": {"allOf": array(8, |i| json!({"minimum": -(i as i64), "not": {"const": i}}))}}),
            floats(n),
        )
    }),
    ("anyOf", |n| (json!({"anyOf": array(n, |i| json!({"minLength": i + 2 * n}))}), text(n))),
    ("oneOf", |n| (json!({"oneOf": array(n, |i| json!({"multipleOf": i + 2}))}), json!(7.0))),
    ("not", |n| (json!({"items": {"not": {"minimum": 1e9}}}), floats(n))),
    ("if", |n| {
        (
            json!({"items": {"if": {"minimum": 3}, "then": {"maximum": 1e9}, "else": {"maximum": 4}}}),
            floats(n),
        )
    }),
    ("prefixItems", |n| (json!({"prefixItems": array(n, |i| json!({"minimum": i}))}), floats(n))),
    ("prefixItems and items", |n| (json!({"prefixItems": [true], "items": {"minimum": 1}}), floats(n))),
    ("contains", |n| (json!({"contains": {"minimum": 1}, "maxContains": n}), floats(n))),
    ("contains a constant", |n| (json!({"contains": {"const": text(n)}}), names(n))),
    ("properties", |n| {
        (json!({"properties": object(n, |i| (format!("name{i}"), json!({"minimum": i})))}), record(n))
    }),
    ("patternProperties", |n| {
        (json!({"patternProperties": {"e\\d*1$": {"minimum": 1}, "^n": true}}), record(n))
    }),
    ("patternProperties, many", |n| {
        (
            json!({"patternProperties": object(n, |i| (format!("^name{i}$"), json!({"minimum": i})))}),
            record(n),
        )
    }),
    ("additionalProperties", |n| {
        (json!({"properties": {"a": {}}, "additionalProperties": {"minimum": 0}}), record(n))
    }),
    ("additionalProperties alone", |n| (json!({"additionalProperties": {"minimum": 0}}), record(n))),
    ("propertyNames", |n| (json!({"propertyNames": {"pattern": "^name\\d+$"}}), record(n))),
    ("members", |n| {
        (
            json!({"required": ["name1"], "properties": {"name1": {"minimum": 0}, "name2": {}}, "additionalProperties": {"minimum": 0}}),
            record(n),
        )
    }),
    ("members by pattern", |n| {
        let schema = json!({"required": ["name1"], "properties": {"name1": {}}, "patternProperties": {"\\d$": {"minimum": 0}}, "additionalProperties": false});
        (schema, record(n))
    }),
    ("discriminator", |n| {
        let branch = |i: usize| json!({"properties": {"kind": {"const": format!("k{i}")}, "value": {"minimum": i}}, "required": ["kind"]});
        (
            json!({"items": {"oneOf": array(40, branch)}}),
            array(n, |i| json!({"kind": format!("k{}", i % 40), "value": i})),
        )
    }),
    ("unevaluatedItems", |n| {
        (json!({"contains": {"minimum": 3}, "unevaluatedItems": {"maximum": 3}}), floats(n))
    }),
    ("unevaluatedProperties", |n| {
        let schema = json!({"anyOf": [{"patternProperties": {"1$": {"minimum": 0}}}, {"required": ["a"]}], "unevaluatedProperties": {"minimum": 0}});
        (schema, record(n))
    }),
    ("unevaluatedProperties by branch", |n| {
        let schema = json!({
            "anyOf": [{"properties": {"name1": {"minimum": 0}}}, {"properties": {"name2": {"maximum": 0}}}],
            "unevaluatedProperties": false
        });
        (schema, object(n, |i| (format!("other{i}"), i.into())))
    }),
    ("annotations", |n| {
        (json!({"items": {"title": "a", "contentMediaType": "text/plain", "default": 1}}), names(n))
    }),
    ("deep", |n| {
        let schema = json!({"type": ["array", "null"], "items": {"$ref": "#"}});
        (schema, (0..n.min(200)).fold(Value::Null, |inner, _| json!([inner])))
    }),
    ("pattern: prefix", |n| (json!({"items": {"pattern": "^name"}}), names(n))),
    ("pattern: suffix", |n| (json!({"pattern": "b$"}), text(n))),
    ("pattern: anywhere", |n| (json!({"pattern": "bb"}), text(n))),
    ("pattern: one class", |n| (json!({"pattern": "^[a-z]+$"}), text(n))),
    ("pattern: table", |n| (json!({"pattern": "^(ab|ba)*c?$"}), text(n))),
    ("pattern: words", |n| {
        (
            json!({"pattern": format!("^({})$", (0..400).map(|i| format!("w{i}x")).collect::<Vec<_>>().join("|"))}),
            text(n),
        )
    }),
    ("pattern: bounded class", |n| (json!({"pattern": "^[A-Za-z0-9+/]{1,4000}={0,2}$"}), text(n))),
    ("pattern: dense", |n| (json!({"pattern": "^\\p{L}+\\b$"}), text(n))),
    ("pattern: many states", |n| (json!({"pattern": "[ab]*a[ab]{12}c"}), text(n))),
    ("pattern: parts", |n| (json!({"pattern": "^(?=.*\\d)(?!admin$)\\w+$"}), text(n))),
    ("pattern: matcher", |n| (json!({"pattern": "(a|b)(?=.*\\1)c"}), text(n))),
    ("pattern: built for one text", |n| {
        (json!({"items": {"pattern": "\\P{Lu}[a-z]{30}"}}), array(n, |_| "a".into()))
    }),
];

/// Returns a long text for a format, valid as far as its grammar allows.
fn format_text(format: &str, n: usize) -> String {
    let list = |part: &str, count: usize| part.repeat(count);
    match format {
        "date" | "date-time" | "time" => format!("2024-05-17T08:00:00.{}Z", list("1", n)),
        "duration" => format!("P{}D", list("1", n)),
        "email" | "idn-email" => format!("{}a@example.com", list("a.", n / 2)),
        "hostname" | "idn-hostname" => format!("{}com", list("ab.", n / 3)),
        "ipv4" => list("1.", n / 2),
        "ipv6" => list("1:", n / 2),
        "uri" | "uri-reference" | "iri" | "iri-reference" => {
            format!("https://example.com/{}", list("%20a/", n / 5))
        }
        "uri-template" => format!("/{}", list("{a,b}", n / 5)),
        "uuid" => list("123e4567-", n / 9),
        "json-pointer" => list("/a~1", n / 4),
        "relative-json-pointer" => format!("1{}", list("/a~1", n / 4)),
        "regex" => list("(?:a|[b-d])?", n / 12),
        other => panic!("a format that this table does not know: {other}"),
    }
}

/// Runs a validator: the function that callgrind measures. The validator is fresh, so that what is
/// built on first use is counted.
#[inline(never)]
fn metered_run(validator: &Validator, instance: &Value) -> u64 {
    validator.measure(instance).steps
}

#[test]
#[ignore = "runs under callgrind, for `work_is_paid_for`"]
fn child() {
    let measure = |name: &str, schema: &Value, instance: &Value| {
        for optimize in [true, false] {
            let builder = Validator::builder().assert_formats(true).optimize(optimize);
            let builder = builder.references(stanchion::References::Bundled);
            let validator = builder.build(schema).unwrap_or_else(|error| panic!("{name}: {error}"));
            let steps = metered_run(&validator, instance);
            metered_end();
            println!("\nmeasured {name}{} {steps}", if optimize { "" } else { ", plain" });
        }
    };
    for size in SIZES {
        for (name, shape) in SHAPES {
            let (schema, instance) = shape(size);
            measure(name, &schema, &instance);
        }
        for format in stanchion_vocab::format::NAMES {
            let text = format_text(format, size * 4);
            measure(&format!("format: {format}"), &json!({"format": format}), &text.into());
        }
    }
}

#[test]
fn work_is_paid_for() {
    let Some((counts, _)) = counts("meter::run::child", "metered_run") else { return };
    let mut shapes: BTreeMap<String, Vec<Count>> = BTreeMap::new();
    for (name, count) in counts {
        shapes.entry(name).or_default().push(count);
    }
    assert_eq!(shapes.len(), 2 * (SHAPES.len() + stanchion_vocab::format::NAMES.len()));
    let mut wrong = String::new();
    for (name, counts) in &shapes {
        let [small, large] = counts[..] else { panic!("{name}: measured {} times", counts.len()) };
        // What is built on first use depends on the schema alone and is the same at both sizes.
        let more = (large.work as f64 - small.work as f64 - FREE).max(0.0);
        let per_more_step = more / (large.paid.saturating_sub(small.paid)).max(1) as f64;
        let per_step = |count: Count| count.work as f64 / count.paid.max(1) as f64;
        println!("{name}: {small:?} {large:?}, {per_more_step:.0} for one more");
        let grows = per_step(large) > MAX_GROWTH * per_step(small).max(MAX_PER_STEP / 8.0);
        if per_more_step > MAX_PER_STEP || grows {
            wrong += &format!(
                "\n  {name}: {small:?} {large:?}, {per_more_step:.0} instructions for one more step"
            );
        }
    }
    assert!(wrong.is_empty(), "work that is not paid for:{wrong}");
}

/// Every instruction occurs in some shape. A new one needs a shape that makes it work.
#[test]
fn every_instruction_is_metered() {
    let mut seen = BTreeSet::new();
    for (_, shape) in SHAPES {
        let (schema, _) = shape(20);
        let builder = Validator::builder().assert_formats(true).references(stanchion::References::Bundled);
        let validator = builder.build(&schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
        // `  0007 Items 1.. unique → 3`
        let listing = format!("{:#}", validator.program());
        let instructions = listing.lines().filter_map(|line| line.strip_prefix("  ")?.split_once(' '));
        for (at, rest) in instructions {
            if at.len() >= 4 && at.bytes().all(|byte| byte.is_ascii_digit()) {
                seen.extend(rest.split_whitespace().next().map(str::to_owned));
            }
        }
    }
    seen.insert("HasFormat".to_owned());
    let all = instructions();
    assert!(all.len() > 40, "{all:?}");
    let missing: Vec<&String> = all.difference(&seen).collect();
    assert!(missing.is_empty(), "no shape of the meter has {missing:?}");
}

/// Every keyword that asserts or applies something occurs in some shape.
#[test]
fn every_keyword_is_metered() {
    let mut text = String::new();
    for (_, shape) in SHAPES {
        text += &shape(20).0.to_string();
    }
    // These do no work: names, comments, annotations, values that other keywords read, and older
    // names of keywords.
    let silent = [
        "$anchor",
        "$comment",
        "$id",
        "$schema",
        "$vocabulary",
        "$recursiveAnchor",
        "$dynamicAnchor",
        "id",
        "definitions",
        "description",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
        "format",
        "minContains",
        "contentSchema",
        "additionalItems",
        "dependencies",
        "$recursiveRef",
    ];
    for keyword in stanchion_vocab::Keyword::ALL {
        let name = keyword.name();
        assert!(
            silent.contains(&name) || text.contains(&format!("{name:?}:")),
            "no shape of the meter has `{name}`"
        );
    }
    assert_eq!(Dialect::ALL.len(), 5);
}
