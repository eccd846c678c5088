//! The target `compile` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| stanchion_fuzz::compile::target(bytes));
