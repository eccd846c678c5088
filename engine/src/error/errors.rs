//! All errors of an instance, as [`Validator::iter_errors`](crate::Validator::iter_errors) finds them.

use super::ValidationError;
use std::fmt;
use std::vec;

/// The errors of an instance, most helpful first.
///
/// `Display` writes a line for each, and one more if some were left out.
#[derive(Clone, Debug)]
pub struct Errors {
    found: vec::IntoIter<ValidationError>,
    is_cut: bool,
}

impl Errors {
    pub(crate) fn new(found: Vec<ValidationError>, is_cut: bool) -> Errors {
        Errors { found: found.into_iter(), is_cut }
    }

    /// The errors that have not been taken yet.
    pub fn as_slice(&self) -> &[ValidationError] {
        self.found.as_slice()
    }

    /// Whether there are more than these: more than [`Limits::errors`](crate::Limits::errors), or more than fit into
    /// [`Limits::memory`](crate::Limits::memory).
    pub fn is_cut(&self) -> bool {
        self.is_cut
    }
}

impl Iterator for Errors {
    type Item = ValidationError;

    fn next(&mut self) -> Option<ValidationError> {
        self.found.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.found.size_hint()
    }
}

impl ExactSizeIterator for Errors {}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, error) in self.as_slice().iter().enumerate() {
            f.write_str(if index > 0 { "\n" } else { "" })?;
            error.fmt(f)?;
        }
        f.write_str(if self.is_cut { "\nand more" } else { "" })
    }
}
