//! The C library: `include/stanchion.h` says what it does, and `stanchion-wire` does it.
//!
//! - `abi`: the functions of the header. All `unsafe` is there: reading `(pointer, length)` texts, writing results.
//! - `handles`: numbers that look like pointers, so that a handle which was freed is known as such.
//! - `texts`: results that the caller owns until they are freed.
#![deny(unsafe_code)]

#[allow(unsafe_code)]
pub mod abi;
mod handles;
mod texts;

#[cfg(test)]
mod tests;
