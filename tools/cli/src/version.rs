//! `stanchion --version`: what this build is. Nothing of the machine that made it or runs it.

use stanchion_suite::dialect::{DIALECTS, folder};

/// The version, the dialects, what the engine was built with, and how.
pub(crate) fn long() -> String {
    let dialects: Vec<&str> = DIALECTS.into_iter().rev().map(folder).collect();
    let features: Vec<&str> =
        stanchion::FEATURES.iter().filter(|(_, is_on)| *is_on).map(|(name, _)| *name).collect();
    let features = if features.is_empty() { "none".to_owned() } else { features.join(", ") };
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    format!(
        "{}\ndialects: {}\nfeatures: {features}\nprofile: {profile}",
        env!("CARGO_PKG_VERSION"),
        dialects.join(", ")
    )
}
