//! Whether there is memory for a call, so that one which would run out of it is not begun.
//!
//! A module that runs out of memory within a call traps, and its instance cannot be used again. Limits bound what a call takes, so it
//! can be told beforehand. Memory that is free inside of what the module has already is looked for only where growing would not do.

use std::sync::atomic::{AtomicUsize, Ordering};

/// What the module may have in all: at first as `tools/wasm/build` tells the linker.
static LIMIT: AtomicUsize = AtomicUsize::new(1 << 30);

/// What every call may take besides what grows with its text: `limits.memory`, errors, and the optimizer's tables.
const FIXED: usize = 64 << 20;

/// What a call may take for each byte of an instance: an entry of 16 bytes for two bytes of text, and words of names.
const PER_BYTE: usize = 12;

/// What compiling may take for each byte of a schema and its options.
const PER_SCHEMA_BYTE: usize = 128;

/// Whether there is room to read an instance of so many bytes, and for a run on it.
#[inline]
pub(crate) fn for_instance(bytes: usize) -> bool {
    is_there(FIXED.saturating_add(bytes.saturating_mul(PER_BYTE)))
}

/// Whether there is room to compile a schema that has so many bytes together with its options.
pub(crate) fn for_schema(bytes: usize) -> bool {
    is_there(FIXED.saturating_add(bytes.saturating_mul(PER_SCHEMA_BYTE)))
}

/// Takes note that the host allows no more than so many bytes in all.
pub(crate) fn limit(bytes: usize) {
    LIMIT.fetch_min(bytes, Ordering::Relaxed);
}

#[cfg(target_arch = "wasm32")]
#[inline]
fn is_there(bytes: usize) -> bool {
    const PAGE: usize = 1 << 16;
    let grown = core::arch::wasm32::memory_size(0) * PAGE;
    grown.saturating_add(bytes) <= LIMIT.load(Ordering::Relaxed) || probe(bytes)
}

#[cfg(not(target_arch = "wasm32"))]
#[inline]
fn is_there(bytes: usize) -> bool {
    bytes <= LIMIT.load(Ordering::Relaxed)
}

/// Whether so many bytes can be had now.
#[cfg(target_arch = "wasm32")]
#[cold]
#[inline(never)]
fn probe(bytes: usize) -> bool {
    std::hint::black_box(Vec::<u8>::new()).try_reserve_exact(bytes).is_ok()
}
