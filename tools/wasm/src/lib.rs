//! The wasm module of Stanchion: the functions of [`stanchion_wire`], for every host that runs WebAssembly.
//!
//! The module imports nothing. A host writes texts into a buffer that the module keeps, and calls a function with their lengths; what
//! comes back is a number, and for most functions a text that it reads from memory. No address ever comes from the host, so nothing that a
//! host passes can make this code read or write where it should not. README.md describes the interface.
#![deny(unsafe_code)]

pub mod abi;
mod handles;
mod room;
mod state;
