//! A cache holds no more than it says: the bytes that the allocator gave out, against [`Cache::bytes`].

use std::env;
use std::process::Command;

use serde_json::{Value, json};
use stanchion::{Cache, Validator};

use super::compile::HEAP;
use super::{array, object};

/// The bytes that the cache may hold.
const BYTES: usize = 8 << 20;

/// A schema by its number, and an instance.
type Shape = fn(usize) -> (Value, Value);

const SHAPES: &[(&str, Shape)] = &[
    ("texts of one character", |n| {
        let texts = array(5_000, |i| char::from_u32(0x4e00 + i as u32).unwrap_or('x').to_string().into());
        (json!({"enum": texts, "minLength": n}), "x".into())
    }),
    ("values of all kinds", |n| {
        (json!({"enum": array(300, |i| json!([i, n, {"a": i, "b": [null, true, 1.5]}]))}), json!([1]))
    }),
    ("a constant", |n| (json!({"const": object(400, |i| (format!("name{i}"), json!([i, n])))}), json!({}))),
    ("properties", |n| {
        let properties = object(200, |i| (format!("name{i}"), json!({"type": "string", "minLength": n})));
        (json!({"properties": properties, "required": ["name1", "name2"]}), json!({"name1": "x"}))
    }),
    ("names by themselves", |n| {
        let names = object(500, |i| (format!("name{i}"), json!([format!("other{i}"), format!("n{n}")])));
        (
            json!({"dependentRequired": names, "required": array(500, |i| format!("name{i}").into())}),
            json!({}),
        )
    }),
    ("branches", |n| {
        let branch = |i: usize| json!({"properties": {"kind": {"const": format!("kind{i}")}, "value": {"minimum": n}}, "required": ["kind"]});
        (json!({"oneOf": array(100, branch)}), json!({"kind": "kind7", "value": 1}))
    }),
    ("tables of patterns", |n| {
        (
            json!({"allOf": array(10, |i| json!({"pattern": format!("[ab]*a[ab]{{8}}c{i}d{n}")}))}),
            "abab".into(),
        )
    }),
    ("patterns on the matcher", |n| {
        (json!({"anyOf": array(10, |i| json!({"pattern": format!("(a|b{i})\\1(?=.*{n})")}))}), "abab".into())
    }),
    ("patterns of properties", |n| {
        let patterns = object(40, |i| (format!("^(x{i}|y{n})\\w+$"), json!({"minimum": i})));
        let properties = object(20, |i| (format!("x{i}abc"), json!({"minimum": i})));
        (json!({"properties": properties, "patternProperties": patterns}), json!({"x1abc": 1, "y1abc": 2}))
    }),
    ("classes of Unicode", |n| {
        (
            json!({"pattern": format!("^[\\p{{L}}\\p{{N}}]{{1,{}}}-[\\u0100-\\u0200\\u3000-\\u3fff]+$", n + 1)}),
            "é-ā".into(),
        )
    }),
    ("annotations", |n| {
        let notes =
            array(300, |i| json!({"title": format!("title {i}"), "x-note": [i, n], "default": {"a": i}}));
        (json!({"allOf": notes}), json!(1))
    }),
    ("references under a long name", |n| {
        let definitions =
            object(100, |i| (format!("d{i}"), json!({"$id": format!("item{i}"), "minimum": n})));
        (json!({"$id": format!("https://example.com/{}/", "x".repeat(300)), "$defs": definitions}), json!(1))
    }),
    ("small ones", |n| {
        (
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "minProperties": n}),
            json!({"a": "x"}),
        )
    }),
];

#[test]
#[ignore = "runs in a process of its own, for `caches_hold_what_they_say`"]
fn child() {
    for (name, shape) in SHAPES {
        let builder = Validator::builder().references(stanchion::References::Bundled);
        let cache = Cache::new(builder).bytes(BYTES).entries(usize::MAX);
        let before = HEAP.now();
        let (mut most, mut number) = (0, 0);
        // Until as many have gone as are kept, so that it is full.
        while number < 2 * cache.len() + 2 && number < 40_000 {
            let (schema, instance) = shape(number);
            let validator = cache.get_or_build(&schema).unwrap_or_else(|error| panic!("{name}: {error}"));
            validator.is_valid(&instance);
            number += 1;
            // What this one built is counted by the next call.
            drop((schema, instance, validator));
            let (last, _) = shape(0);
            cache.get_or_build(&last).expect("a schema that was built before");
            drop(last);
            most = most.max(HEAP.now() - before);
        }
        println!("\nheld {name}: {most} by {}", cache.len());
    }
}

#[test]
fn caches_hold_what_they_say() {
    let program = env::current_exe().expect("this program");
    let words = ["meter::cache::child", "--exact", "--ignored", "--nocapture", "--test-threads=1"];
    let output = Command::new(program).args(words).output().expect("this program");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let held: Vec<(&str, usize)> = said
        .lines()
        .filter_map(|line| line.strip_prefix("held ")?.split_once(": "))
        .map(|(name, rest)| {
            (name, rest.split(' ').next().and_then(|held| held.parse().ok()).expect("a number"))
        })
        .collect();
    assert_eq!(held.len(), SHAPES.len());
    println!("{said}");
    for (name, held) in held {
        assert!(held <= BYTES, "{name}: {held} bytes are held, and {BYTES} are said");
        // Nor is much counted that is not there.
        assert!(held >= BYTES / 3, "{name}: {held} bytes are held, of {BYTES}");
    }
}
