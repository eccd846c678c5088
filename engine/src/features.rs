//! Which features this build of the crate has.

/// The features that change what the crate can do, each with whether it is on. For version messages and bug reports.
pub const FEATURES: &[(&str, bool)] = &[
    ("simd-json", cfg!(feature = "simd-json")),
    ("preserve_order", cfg!(feature = "preserve_order")),
    ("arbitrary_precision", cfg!(feature = "arbitrary_precision")),
];
