//! JSON bytes in, JSON bytes out: the contract that every language binding of Stanchion shares.
//!
//! The C library and the wasm module are thin layers over this crate, and the other bindings use one of these two. So a verdict,
//! an error and a text are the same in every language, to the byte. The [README](https://docs.rs/stanchion-wire) is the
//! contract; the cases in `suite/data/wire` are its examples, which every binding runs.
//!
//! ```
//! use stanchion_wire::{Status, Validator};
//!
//! let validator = Validator::new(br#"{"type": "integer"}"#, br#"{"limits": {"steps": 1000}}"#).unwrap();
//! assert_eq!(validator.check(b"5"), Status::Valid);
//! assert_eq!(validator.check(b"5.5"), Status::Invalid);
//! assert_eq!(validator.check(b"five"), Status::NotJson);
//!
//! let problem = Validator::new(b"{}", br#"{"limit": {}}"#).unwrap_err();
//! assert_eq!(problem.status(), Status::Misuse);
//! ```
#![forbid(unsafe_code)]

mod cache;
mod encoded;
mod errors;
mod json;
mod options;
mod problem;
mod reader;
mod status;
mod toolbox;
mod validator;

pub use cache::{cached, clear_cache, seed};
pub use encoded::{forget_names, keep_name};
pub use options::Options;
pub use problem::Problem;
pub use status::Status;
pub use toolbox::Toolbox;
pub use validator::{Answer, Output, Validator};

/// The version of the contract. It grows when something that a caller may rely on changes; members that are added to
/// answers, and new options, leave it as it is.
pub const CONTRACT_VERSION: u32 = 1;

/// The contract, as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
