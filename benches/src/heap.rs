//! An allocator that counts: how much is on the heap, and how much was at the worst time.
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

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The system's allocator, counted.
#[derive(Debug, Default)]
pub struct Counting {
    now: AtomicUsize,
    peak: AtomicUsize,
}

impl Counting {
    /// Nothing yet.
    pub const fn new() -> Counting {
        Counting { now: AtomicUsize::new(0), peak: AtomicUsize::new(0) }
    }

    /// Forgets the worst time, and says how many bytes there are now.
    pub fn restart(&self) -> usize {
        let now = self.now.load(Ordering::Relaxed);
        self.peak.store(now, Ordering::Relaxed);
        now
    }

    /// How many bytes there were at the worst time since the last [`Counting::restart`].
    pub fn peak(&self) -> usize {
        self.peak.load(Ordering::Relaxed)
    }

    fn add(&self, bytes: usize) {
        let now = self.now.fetch_add(bytes, Ordering::Relaxed) + bytes;
        self.peak.fetch_max(now, Ordering::Relaxed);
    }

    fn remove(&self, bytes: usize) {
        self.now.fetch_sub(bytes, Ordering::Relaxed);
    }
}

// SAFETY: every call goes to the system's allocator with the same arguments; counting touches no memory of it.
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
            // While it moves, there may be both.
            self.add(size);
            self.remove(layout.size());
        }
        moved
    }
}
