//! Results that the caller owns. They stay in a table until they are freed, so that freeing one twice, or something that is
//! no result, does nothing.

use std::collections::BTreeMap;
use std::ffi::c_char;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The results that were given out, by their address.
static TEXTS: Mutex<BTreeMap<usize, Vec<u8>>> = Mutex::new(BTreeMap::new());

fn texts() -> MutexGuard<'static, BTreeMap<usize, Vec<u8>>> {
    TEXTS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Gives out a text with a NUL behind it: its address and its length.
pub(crate) fn give(mut text: Vec<u8>) -> (*mut c_char, usize) {
    let length = text.len();
    text.push(0);
    let address = text.as_mut_ptr();
    // What a vector holds stays where it is when the vector moves.
    texts().insert(address as usize, text);
    (address.cast(), length)
}

/// Takes a text back. Returns whether it was one that was given out and not yet taken back.
pub(crate) fn take_back(address: *mut c_char) -> bool {
    texts().remove(&(address as usize)).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_taken_back_once() {
        let (address, length) = give(b"abc".to_vec());
        assert_eq!(length, 3);
        assert!(take_back(address));
        assert!(!take_back(address));
        assert!(!take_back(std::ptr::null_mut()));
    }
}
