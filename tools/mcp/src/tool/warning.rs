//! Warnings about a tool.

use crate::words;
use std::fmt;

/// Most characters that the name of a tool should have.
const MAX_NAME: usize = 128;

/// A warning about a tool, which is no reason to refuse it. `Display` is one line for its author.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToolWarning {
    /// The name is empty, or longer than 128 characters.
    NameLength {
        /// Number of characters.
        characters: usize,
    },
    /// The name has another character than letters and digits of ASCII, `_`, `-` and `.`.
    NameCharacter {
        /// The first such character.
        found: char,
    },
}

/// Returns the warnings about a name.
pub(super) fn of_name(name: &str) -> Vec<ToolWarning> {
    let characters = name.chars().count();
    let length = (characters == 0 || characters > MAX_NAME).then_some(ToolWarning::NameLength { characters });
    let is_usual = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | '-' | '.');
    let character = name.chars().find(|char| !is_usual(*char));
    length.into_iter().chain(character.map(|found| ToolWarning::NameCharacter { found })).collect()
}

impl fmt::Display for ToolWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ToolWarning::NameLength { characters } => {
                write!(f, "the name has {characters} characters; it should have 1 to {MAX_NAME}")
            }
            ToolWarning::NameCharacter { found } => write!(
                f,
                "the name has {}; it should have letters and digits of ASCII, \"_\", \"-\" and \".\" alone",
                words::quoted(&found.to_string())
            ),
        }
    }
}
