//! Instances that own their memory.

use super::escape::Escaped;
use super::{Entry, Instance};

/// A JSON text that was read, to be kept: it borrows nothing, and takes no more memory than it needs.
///
/// The buffers of a [`Reader`](crate::Reader) hold one text at a time, with room for others. Of many texts that are looked at again and again, those
/// that are kept lie close together.
///
/// ```
/// use stanchion::{KeptInstance, Reader, Validator};
///
/// let mut reader = Reader::new();
/// let mut calls: Vec<KeptInstance> = Vec::new();
/// for text in [r#"{"city": "Turin"}"#, r#"{"city": 7}"#] {
///     calls.push(reader.parse_str(text)?.keep());
/// }
/// let validator = Validator::new(&serde_json::json!({"properties": {"city": {"type": "string"}}}))?;
/// let valid = calls.iter().filter(|call| validator.is_valid(call.instance().root())).count();
/// assert_eq!(valid, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct KeptInstance {
    text: Box<str>,
    escaped: Box<[Escaped]>,
    entries: Box<[Entry]>,
}

impl std::fmt::Debug for KeptInstance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.instance().fmt(f)
    }
}

impl KeptInstance {
    /// Returns the instance, borrowed.
    #[inline]
    pub fn instance(&self) -> Instance<'_> {
        let KeptInstance { text, escaped, entries } = self;
        Instance { text, escaped, entries }
    }
}

impl Instance<'_> {
    /// Copies the instance, with memory of its own.
    pub fn keep(&self) -> KeptInstance {
        KeptInstance { text: self.text.into(), escaped: self.escaped.into(), entries: self.entries.into() }
    }
}
