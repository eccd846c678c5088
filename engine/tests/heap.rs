//! What compiling holds, counted by an allocator. Each test counts what its own thread allocates.

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

/// Schemas as large as they may be take no more than 64 MiB to compile, whatever they consist of.
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
        assert!(peak <= 64 * MIB, "{name}: {:.1} MiB", peak as f64 / MIB as f64);
    }
}
