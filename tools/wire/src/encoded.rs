//! Instances that a host encoded from values of its own: a decoder for each thread, whose buffers and names are used again.

use crate::status::Status;
use stanchion::{Decoder, Instance};
use std::cell::RefCell;

/// Larger buffers are not kept.
const KEPT: usize = 1 << 21;

thread_local! {
    static DECODER: RefCell<Decoder> = RefCell::new(Decoder::new());
}

/// Keeps a name for encoded instances of this thread, and returns its number: 0, 1, 2 and so on. Nothing if it is no UTF-8, has more than
/// 64 bytes, or if 4,096 names are kept already.
pub fn keep_name(name: &[u8]) -> Option<u32> {
    let name = str::from_utf8(name).ok()?;
    DECODER.with_borrow_mut(|decoder| decoder.keep_name(name))
}

/// Forgets the kept names of this thread. The next one is number 0 again.
pub fn forget_names() {
    DECODER.with_borrow_mut(Decoder::forget_names);
}

/// Reads an encoded instance and does something with it.
#[inline]
pub(crate) fn read(words: &[u8], text: &[u8], f: impl FnOnce(Instance<'_>) -> Status) -> Status {
    DECODER.with(|decoder| {
        // Somebody further up this stack reads already: nothing here does that.
        let Ok(mut decoder) = decoder.try_borrow_mut() else { return Status::Misuse };
        decoder.shrink_to(KEPT);
        decoder.decode(words, text).map_or(Status::NotJson, f)
    })
}
