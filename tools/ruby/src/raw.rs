//! All that is `unsafe`: what magnus has no safe form of, each behind a function that is safe to call.
//!
//! A function here that holds a reference into memory of Ruby's calls nothing of Ruby's meanwhile, so nothing moves, changes or frees it: the lock of
//! the virtual machine is held, and garbage is only collected when Ruby allocates.
#![allow(unsafe_code)]

use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};

use magnus::rb_sys::{AsRawValue, FromRawValue};
use magnus::value::ReprValue;
use magnus::{RArray, RString, Symbol, Value};

/// A validator as an object of Ruby's.
///
/// It is frozen and never changes, so that all threads and ractors may share it.
#[derive(Debug)]
#[magnus::wrap(class = "Stanchion::Validator", free_immediately, frozen_shareable, size)]
pub(crate) struct Validator(pub(crate) stanchion_wire::Validator);

/// The schema of a tool's arguments, by the rules of the Ruby SDK.
#[derive(Debug)]
#[magnus::wrap(class = "Stanchion::MCP::InputSchema", free_immediately, frozen_shareable, size)]
pub(crate) struct InputSchema(pub(crate) stanchion_mcp::InputSchema);

/// The schema of a tool's results, by the rules of the Ruby SDK.
#[derive(Debug)]
#[magnus::wrap(class = "Stanchion::MCP::OutputSchema", free_immediately, frozen_shareable, size)]
pub(crate) struct OutputSchema(pub(crate) stanchion_mcp::OutputSchema);

/// The tools of a server. It is frozen, and what changes in it is locked.
#[derive(Debug)]
#[magnus::wrap(class = "Stanchion::Toolbox", free_immediately, frozen_shareable, size)]
pub(crate) struct Toolbox(pub(crate) crate::toolbox::Tools);

/// Hands the text of a string to a function that must not call Ruby. `None` if it is no valid UTF-8, or has another encoding.
#[inline]
pub(crate) fn with_text<T>(string: RString, f: impl FnOnce(&str) -> T) -> Option<T> {
    // SAFETY: the reference does not outlive the call of `f`, which calls nothing of Ruby's.
    unsafe { string.test_as_str() }.map(f)
}

/// Hands the bytes of a string to a function that must not call Ruby.
#[inline]
pub(crate) fn with_bytes<T>(string: RString, f: impl FnOnce(&[u8]) -> T) -> T {
    // SAFETY: as in `with_text`.
    f(unsafe { string.as_slice() })
}

/// The item at that place, if the array is so long. An array that changes between two calls does no harm.
#[inline]
pub(crate) fn item(array: RArray, at: usize) -> Option<Value> {
    // SAFETY: the slice is gone when this returns; the item itself is held by the array, and then by the stack.
    unsafe { array.as_slice() }.get(at).copied()
}

/// The name of a symbol.
#[inline]
pub(crate) fn symbol_name(symbol: Symbol) -> RString {
    // SAFETY: `rb_sym2str` takes any symbol, does not raise, and returns the string that the symbol holds.
    let name = unsafe { Value::from_raw(rb_sys::rb_sym2str(symbol.as_value().as_raw())) };
    // A symbol's name is always a string.
    RString::from_value(name).expect("the name of a symbol")
}

/// Says that methods of this extension may be called in any ractor: they share nothing but what is immutable or locked.
pub(crate) fn declare_ractor_safe() {
    // SAFETY: sets a flag of the extension that is being loaded.
    unsafe { rb_sys::rb_ext_ractor_safe(true) };
}

/// Runs a function without the lock of the virtual machine, so that other threads of Ruby's run meanwhile. The function must not touch anything of
/// Ruby's, and has no way to: it gets nothing, and its result holds no values (`Send`).
pub(crate) fn without_lock<F: FnOnce() -> T + Send, T: Send>(work: F) -> T {
    struct Job<F, T>(Option<F>, Option<std::thread::Result<T>>);

    unsafe extern "C" fn run<F: FnOnce() -> T, T>(job: *mut c_void) -> *mut c_void {
        // SAFETY: `job` is the one below, which waits for this call.
        let job = unsafe { &mut *job.cast::<Job<F, T>>() };
        if let Some(work) = job.0.take() {
            job.1 = Some(catch_unwind(AssertUnwindSafe(work)));
        }
        std::ptr::null_mut()
    }

    let mut job = Job(Some(work), None);
    // SAFETY: this thread has the lock, `run` fits the job, which lives until the call returns. Without a function to unblock it, a run ends by
    // its own budget.
    unsafe {
        rb_sys::rb_thread_call_without_gvl(
            Some(run::<F, T>),
            std::ptr::from_mut(&mut job).cast(),
            None,
            std::ptr::null_mut(),
        );
    }
    match job.1 {
        Some(Ok(result)) => result,
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        None => unreachable!("the function was run"),
    }
}
