//! The heap that compiling takes, counted by an allocator. Each test counts what its own thread allocates.

use serde_json::{Map, Value, json};
use stanchion::Validator;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

const MIB: usize = 1 << 20;

/// The system's allocator, counted by thread.
struct Counting;

thread_local! {
    static NOW: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // Threads that end have nothing to count.
    let _ = NOW.try_with(|now| {
        now.set(now.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
    });
}

// SAFETY: all is left to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static HEAP: Counting = Counting;

/// The most bytes that were held at a time, more than before, and what came of it.
fn peak_of<T>(work: impl FnOnce() -> T) -> (usize, T) {
    let before = NOW.get();
    PEAK.set(before);
    let made = work();
    ((PEAK.get() - before) as usize, made)
}

/// An object of many members.
fn object(count: usize, member: impl Fn(usize) -> (String, Value)) -> Value {
    (0..count).map(member).collect::<Map<String, Value>>().into()
}

fn array(count: usize, item: impl Fn(usize) -> Value) -> Value {
    (0..count).map(item).collect::<Vec<Value>>().into()
}

/// The size of a value with serde_json's sorted maps. Those that keep the order of members have larger ones.
const VALUE: usize = 32;

fn values(schema: &Value) -> usize {
    1 + match schema {
        Value::Array(items) => items.iter().map(values).sum(),
        Value::Object(members) => members.values().map(values).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Schemas as large as they may be take no more than 64 MiB to compile, whatever they consist of; and where values are
/// larger, what that adds to a copy of them, as a `const` is one.
#[test]
fn large_schemas_compile_within_bounds() {
    let names = |count: usize| array(count, |index| json!(format!("n{index}")));
    let shapes = [
        (
            "dependentRequired, one name",
            json!({"dependentRequired": object(150_000, |index| (format!("k{index}"), json!(["a"])))}),
        ),
        (
            "dependentRequired, other names",
            json!({"dependentRequired": object(150_000, |index| (format!("k{index}"), json!([format!("r{index}")])))}),
        ),
        (
            "dependentRequired, two names",
            json!({"dependentRequired": object(150_000, |index| (format!("k{index}"), json!(["a", "b"])))}),
        ),
        ("required", json!({"required": names(400_000)})),
        ("enum of texts", json!({"enum": names(400_000)})),
        ("enum of short texts", json!({"enum": array(1_000_000, |index| json!(format!("{}", index % 10)))})),
        ("enum of numbers", json!({"enum": array(500_000, |index| json!(index))})),
        ("const of numbers", json!({"const": array(1_000_000, |_| json!(0))})),
        ("examples", json!({"examples": array(1_000_000, |_| json!(0))})),
        (
            "allOf",
            json!({"allOf": array(9_900, |index| json!({"required": [format!("a{index}")], "minItems": index % 7, "maxItems": 10 + index % 5, "maxLength": 20 + index}))}),
        ),
        (
            "anyOf of constants",
            json!({"anyOf": array(4_900, |index| json!({"properties": {"kind": {"const": format!("k{index}")}}}))}),
        ),
        (
            "properties",
            json!({"properties": object(9_900, |index| (format!("p{index}"), json!({"type": "string", "minLength": 1, "description": "d".repeat(300)})))}),
        ),
        ("unknown keywords", object(150_000, |index| (format!("x{index}"), json!("some text")))),
    ];
    for (name, schema) in shapes {
        let (peak, validator) = peak_of(|| Validator::new(&schema));
        assert!(validator.is_ok(), "{name}: {:?}", validator.err());
        let bound = 64 * MIB + values(&schema) * (size_of::<Value>() - VALUE);
        assert!(peak <= bound, "{name}: {:.1} MiB", peak as f64 / MIB as f64);
    }
}

/// Lists of places do not repeat a long name for each of them.
#[test]
fn long_names_are_not_repeated() {
    let branches = array(
        3_000,
        |index| json!({"minLength": index, "maxLength": index, "minItems": 1, "format": "emial", "$ref": "#/nope"}),
    );
    let schema = json!({"$id": format!("http://h/{}", "b".repeat(MIB)), "properties": {"p".repeat(MIB): {"anyOf": branches}}});
    let (peak, diagnosis) = peak_of(|| Validator::builder().diagnose(&schema));
    assert_eq!((diagnosis.errors().len(), diagnosis.warnings().len()), (101, 100));
    assert!(diagnosis.errors().iter().all(|error| error.path().len() <= 1024 && error.path().contains('…')));
    assert!(diagnosis.warnings().iter().all(|warning| warning.path().len() <= 1024));
    assert!(peak <= 32 * MIB, "{peak}");

    let branches = array(
        9_000,
        |index| json!({"minLength": index, "maxLength": index, "minItems": 1, "maxItems": 2, "minProperties": 3}),
    );
    let schema = json!({"properties": {"p".repeat(2 * MIB): {"anyOf": branches}}});
    let validator = Validator::new(&schema).unwrap();
    let (peak, places) = peak_of(|| validator.cost_by_place(100, 1_000));
    assert!(places.len() > 9_000);
    assert!(places.iter().all(|place| place.pointer.len() <= 1024));
    assert!(peak <= 64 * MIB, "{peak}");
}
