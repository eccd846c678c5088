//! A verdict from text allocates nothing once the buffers have grown.

use stanchion_wire::{Status, Validator};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: everything is passed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller says.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller says.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller says.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn verdicts_allocate_nothing() {
    let schema = br#"{
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 1, "pattern": "^[A-Z]"},
            "days": {"type": "array", "items": {"type": "integer", "minimum": 1}},
            "unit": {"enum": ["celsius", "fahrenheit"]}
        },
        "required": ["city"],
        "additionalProperties": false
    }"#;
    let validator = Validator::new(schema, b"").unwrap();
    let valid = r#"{"city": "Turin é", "days": [1, 2, 3, 4e0], "unit": "celsius"}"#.as_bytes();
    let invalid = br#"{"city": "Turin", "days": [1, 2, 0]}"#;
    let verdicts = || {
        assert_eq!(validator.check(valid), Status::Valid);
        assert_eq!(validator.check(invalid), Status::Invalid);
    };
    verdicts();
    let before = ALLOCATIONS.with(Cell::get);
    (0..100).for_each(|_| verdicts());
    assert_eq!(ALLOCATIONS.with(Cell::get) - before, 0);
}
