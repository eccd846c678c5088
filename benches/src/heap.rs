//! An allocator that counts how many bytes are on the heap now, and at the peak.
//!
//! ```
//! use stanchion_benches::heap::Counting;
//!
//! #[global_allocator]
//! static HEAP: Counting = Counting::new();
//!
//! let before = HEAP.restart();
//! drop(vec![0_u8; 1_000_000]);
//! assert!(HEAP.peak() - before >= 1_000_000);
//! ```
//!
//! A program that also measures the time of allocations starts with [`Counting::paused`] and
//! resumes counting later.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The system's allocator, with counters.
#[derive(Debug, Default)]
pub struct Counting {
    paused: AtomicBool,
    now: AtomicUsize,
    peak: AtomicUsize,
}

impl Counting {
    /// Returns an allocator that counts from the start.
    pub const fn new() -> Counting {
        Counting { paused: AtomicBool::new(false), now: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    /// Returns an allocator that counts nothing until [`Counting::resume`].
    pub const fn paused() -> Counting {
        Counting { paused: AtomicBool::new(true), now: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    /// Starts counting, as if nothing had been allocated before.
    ///
    /// Freeing memory that was allocated before counts as negative, so only differences of
    /// [`Counting::now`] are meaningful then.
    pub fn resume(&self) {
        self.paused.store(false, Ordering::Relaxed);
    }

    /// Returns the number of bytes on the heap now.
    pub fn now(&self) -> usize {
        self.now.load(Ordering::Relaxed)
    }

    /// Resets the peak, and returns the number of bytes on the heap now.
    pub fn restart(&self) -> usize {
        let now = self.now();
        self.peak.store(now, Ordering::Relaxed);
        now
    }

    /// Returns the most bytes on the heap since the last [`Counting::restart`].
    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    fn add(&self, bytes: usize) {
        if self.paused.load(Ordering::Relaxed) {
            return;
        }
        let now = self.now.fetch_add(bytes, Ordering::Relaxed).wrapping_add(bytes);
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    fn remove(&self, bytes: usize) {
        if self.paused.load(Ordering::Relaxed) {
            return;
        }
        self.now.fetch_sub(bytes, Ordering::Relaxed);
    }
}

// SAFETY: every call goes to the system's allocator with the same arguments; the counters do not
// touch its memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`.
        let place = unsafe { System.alloc(layout) };
        if !place.is_null() {
            self.add(layout.size());
        }
        place
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        let place = unsafe { System.alloc_zeroed(layout) };
        if !place.is_null() {
            self.add(layout.size());
        }
        place
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(place, layout) };
        self.remove(layout.size());
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`.
        let moved = unsafe { System.realloc(place, layout, size) };
        if !moved.is_null() {
            // While it moves, both blocks may exist.
            self.add(size);
            self.remove(layout.size());
        }
        moved
    }
}
