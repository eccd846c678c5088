//! Corpora and vectors outside of the workspace, in `../shared`.
//!
//! Tests that need them skip if they are absent, and say so. With `STANCHION_REQUIRE_SHARED=1`, as
//! in CI, their absence is a failure. `STANCHION_SHARED` names another directory.

use std::env;
use std::path::{Path, PathBuf};

/// Returns the path of a file or directory below `../shared`, or `None` if it is absent.
///
/// # Panics
///
/// If it is absent and `STANCHION_REQUIRE_SHARED` is `1`.
pub fn shared(path: &str) -> Option<PathBuf> {
    let beside = || {
        let workspace =
            Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the suite is in the workspace");
        workspace.with_file_name("shared")
    };
    let found = env::var_os("STANCHION_SHARED").map_or_else(beside, PathBuf::from).join(path);
    if found.exists() {
        return Some(found);
    }
    let is_required = env::var_os("STANCHION_REQUIRE_SHARED").is_some_and(|value| value == "1");
    assert!(!is_required, "{} is not there, and STANCHION_REQUIRE_SHARED is 1", found.display());
    println!("skipped: {} is not there", found.display());
    None
}
