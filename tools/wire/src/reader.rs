//! A reader for each thread, whose buffers are used again: a verdict from text allocates nothing once they have grown.

use stanchion::{Instance, Reader, TextError};
use std::cell::RefCell;

/// The buffers of longer texts are not kept.
const KEPT: usize = 1 << 20;

thread_local! {
    static READER: RefCell<Reader> = RefCell::new(Reader::new());
}

/// Reads a text of at most `limit` bytes and does something with the instance.
#[inline]
pub(crate) fn read<T>(text: &[u8], limit: usize, f: impl FnOnce(Instance<'_>) -> T) -> Result<T, TextError> {
    if text.len() > limit || text.len() > KEPT {
        return Reader::new().text_bytes(limit).parse(text).map(f);
    }
    READER.with(|reader| match reader.try_borrow_mut() {
        Ok(mut reader) => reader.parse(text).map(f),
        // Somebody further up this stack reads already: nothing here does that, but a caller's own function may.
        Err(_) => Reader::new().parse(text).map(f),
    })
}
