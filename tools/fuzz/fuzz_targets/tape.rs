//! The target `tape` for libFuzzer.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| stanchion_fuzz::tape::target(bytes));
