//! Counts instructions with callgrind.

use std::io;
use std::path::Path;
use std::process::Command;

/// Option that makes this program only run passes.
pub(crate) const PASS: &str = "--pass";

/// Passes of the short run and of the long one. The first passes also build what is built on first
/// use.
const PASSES: [u32; 2] = [2, 6];

/// Returns the instructions of one pass of a stage.
pub(crate) fn count(program: &Path, set: &str, stage: &str) -> Result<f64, String> {
    let [few, many] = PASSES;
    let (short, long) = (whole(program, set, stage, few)?, whole(program, set, stage, many)?);
    Ok((long - short) / f64::from(many - few))
}

/// Returns the instructions of a whole process.
fn whole(program: &Path, set: &str, stage: &str, passes: u32) -> Result<f64, String> {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args([PASS, set, stage, &passes.to_string()])
        .output()
        .map_err(|error| match error.kind() == io::ErrorKind::NotFound {
            true => "valgrind is not installed; instructions are counted by its tool callgrind".to_owned(),
            false => format!("valgrind: {error}"),
        })?;
    let said = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        return Err(format!("{set}/{stage}: under valgrind: {}\n{said}", output.status));
    }
    // ==123== Collected : 4567
    let collected =
        said.lines().find_map(|line| line.split_once("Collected :")).map(|(_, count)| count.trim());
    collected
        .and_then(|count| count.parse().ok())
        .ok_or_else(|| format!("{set}/{stage}: valgrind said nothing of what it collected:\n{said}"))
}
