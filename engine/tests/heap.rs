//! The heap that compiling takes, counted by an allocator. Each test counts what its own thread allocates.

use serde_json::{Map, Value, json};
use stanchion::{Reader, Validator};
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

/// A few more small values than a schema may have: those that are allowed take 44 MiB. A map that keeps the order
/// of its members makes values larger, and small objects smaller.
fn too_many(of_sorted_maps: usize, of_ordered_maps: usize) -> usize {
    if size_of::<Map<String, Value>>() > 3 * size_of::<usize>() { of_ordered_maps } else { of_sorted_maps }
}

/// Schemas as large as they may be take no more than 64 MiB to compile, whatever they consist of. Those that would take more
/// are refused, before anything is copied.
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
        ("enum of texts", json!({"enum": names(240_000)})),
        ("enum of short texts", json!({"enum": array(400_000, |index| json!(format!("{}", index % 10)))})),
        ("enum of numbers", json!({"enum": array(450_000, |index| json!(index))})),
        ("const of numbers", json!({"const": array(640_000, |_| json!(0))})),
        ("examples", json!({"examples": array(640_000, |_| json!(0))})),
        ("const of small objects", json!({"const": array(57_000, |_| json!({"": 0}))})),
        ("examples of small objects", json!({"examples": array(57_000, |_| json!({"": 0}))})),
        ("enum of small objects", json!({"enum": array(50_000, |index| json!({"a": index}))})),
        ("const of small arrays", json!({"const": array(310_000, |_| json!([0]))})),
        ("const, an object", json!({"const": object(120_000, |index| (format!("{index}"), json!(0)))})),
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
        (
            "names and copies",
            json!({"required": names(200_000), "const": array(28_000, |_| json!({"": 0})), "allOf": array(4_900, |index| json!({"minLength": index, "items": {"maximum": index}}))}),
        ),
        ("unknown keywords", object(150_000, |index| (format!("x{index}"), json!("some text")))),
    ];
    for (name, schema) in shapes {
        let (peak, validator) = peak_of(|| Validator::new(&schema));
        assert!(validator.is_ok(), "{name}: {:?}", validator.err());
        println!("{name}: {:.1} MiB", peak as f64 / MIB as f64);
        assert!(peak <= 64 * MIB, "{name}: {:.1} MiB", peak as f64 / MIB as f64);
    }
    let zeros = |count: usize| array(count, |_| json!(0));
    let objects = |count: usize| array(count, |_| json!({"": 0}));
    for (name, schema) in [
        ("numbers", json!({"const": zeros(too_many(1_050_000, 650_000))})),
        ("small objects", json!({"const": objects(too_many(58_500, 132_000))})),
        ("small examples", json!({"examples": objects(too_many(58_500, 132_000))})),
        ("texts", json!({"enum": names(too_many(390_000, 300_000))})),
        (
            "names and objects",
            json!({"required": names(300_000), "const": objects(too_many(25_000, 50_000))}),
        ),
        (
            "in two keywords",
            json!({"const": objects(too_many(29_500, 66_000)), "default": objects(too_many(29_500, 66_000))}),
        ),
    ] {
        let (peak, refused) = peak_of(|| Validator::new(&schema).unwrap_err());
        assert!(refused.to_string().contains("the limit is"), "{name}: {refused}");
        println!("{name}: {refused}: {:.1} MiB", peak as f64 / MIB as f64);
        assert!(peak <= 64 * MIB, "{name}: {:.1} MiB", peak as f64 / MIB as f64);
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

/// Reading a text holds no more than 32 bytes for each of its bytes, whatever it consists of.
#[test]
fn reading_holds_bytes_in_proportion() {
    let list = |open: &str, item: &dyn Fn(usize) -> String, close: &str| {
        let items: Vec<String> = (0..200_000).map(item).collect();
        format!("{open}{}{close}", items.join(","))
    };
    for (name, text) in [
        ("digits", list("[", &|_| "0".to_owned(), "]")),
        ("empty arrays", list("[", &|_| "[]".to_owned(), "]")),
        ("arrays of one", list("[", &|_| "[0]".to_owned(), "]")),
        ("empty texts", list("[", &|_| "\"\"".to_owned(), "]")),
        ("escapes", list("[", &|_| r#""\n""#.to_owned(), "]")),
        ("one name", list("{", &|_| "\"\":0".to_owned(), "}")),
        ("two names", list("{", &|index| format!("\"{}\":0", index % 2), "}")),
        ("names with escapes", list("{", &|index| format!(r#""\n{}":0"#, index % 2), "}")),
        ("each name twice", list("{", &|index| format!("\"{}\":0", index / 2), "}")),
        ("objects of one member", list("[", &|_| "{\"\":0}".to_owned(), "]")),
        ("long numbers", list("[", &|_| "12345678901234567890123".to_owned(), "]")),
    ] {
        let (peak, count) = peak_of(|| Reader::new().parse_str(&text).is_ok());
        assert!(count, "{name}");
        println!("{name}: {:.1} for a byte", peak as f64 / text.len() as f64);
        assert!(peak <= 32 * text.len(), "{name}: {:.1} for a byte", peak as f64 / text.len() as f64);
    }
}
