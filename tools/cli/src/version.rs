//! `stanchion --version`: describes this build, and nothing of the machine that built it or runs
//! it.

use stanchion::Dialect;

/// Returns the version, the dialects, and the features and profile of the build.
pub(crate) fn long() -> String {
    let dialects: Vec<&str> = Dialect::ALL.into_iter().rev().map(Dialect::name).collect();
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
