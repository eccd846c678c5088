//! A place in a text, and what is there.
//!
//! A cursor holds some of the bytes that follow, so that most punctuation is found without reading the text. When it holds none, the
//! next byte is zero to it, which no JSON has: [`Cursor::skip_space`], which comes before every decision, looks again.

use super::repeated;

#[derive(Clone, Copy)]
pub(super) struct Cursor {
    pub(super) at: u32,
    /// Up to eight bytes from `at` on, the first of them lowest, and zeros behind.
    pub(super) next: u64,
}

impl Cursor {
    #[inline(always)]
    pub(super) fn new(text: &[u8], at: u32) -> Cursor {
        Cursor { at, next: eight(text, at) }
    }

    /// The byte it is at, or zero if there is none or it is not known.
    #[inline(always)]
    pub(super) fn byte(&self) -> u8 {
        self.next as u8
    }

    /// Whether it is known to be at these two bytes.
    #[inline(always)]
    pub(super) fn is_at(&self, two: [u8; 2]) -> bool {
        self.next as u16 == u16::from_le_bytes(two)
    }

    /// Whether it is known to be at these three bytes.
    #[inline(always)]
    pub(super) fn is_at_three(&self, [a, b, c]: [u8; 3]) -> bool {
        (self.next as u32) << 8 == u32::from_le_bytes([0, a, b, c])
    }

    /// Whether it is known to be at these four bytes.
    #[inline(always)]
    pub(super) fn is_at_four(&self, four: [u8; 4]) -> bool {
        self.next as u32 == u32::from_le_bytes(four)
    }

    /// Moves on by so many bytes, which are known.
    #[inline(always)]
    pub(super) fn skip(&mut self, count: u32) {
        self.at += count;
        self.next >>= 8 * count;
    }

    /// Moves on behind spaces, tabs and ends of lines. If there is a byte, it is known then.
    #[inline(always)]
    pub(super) fn skip_space(&mut self, text: &[u8]) {
        // Most often there are none.
        if self.byte() <= b' ' {
            *self = self.behind_space(text);
        }
    }

    /// By value, so that a cursor stays in registers.
    #[cold]
    #[inline(never)]
    fn behind_space(self, text: &[u8]) -> Cursor {
        let mut at = self.at as usize;
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = text.get(at) {
            at += 1;
        }
        Cursor::new(text, at as u32)
    }
}

/// The eight bytes from a place on, or as many as there are and zeros.
#[inline(always)]
pub(super) fn eight(text: &[u8], at: u32) -> u64 {
    let from = at as usize;
    match text.get(from..from + 8).and_then(<[u8]>::first_chunk) {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => last_of_eight(text, at),
    }
}

/// The eight bytes before a place, and the eight from there on.
#[inline(always)]
pub(super) fn around(text: &[u8], at: u32) -> (u64, u64) {
    let from = at.wrapping_sub(8) as usize;
    match text.get(from..from + 16).and_then(<[u8]>::first_chunk::<16>) {
        Some([a, b, c, d, e, f, g, h, ahead @ ..]) => {
            (u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]), u64::from_le_bytes(*ahead))
        }
        None => around_an_end(text, at),
    }
}

/// Like [`around`], near the start or the end of the text.
#[cold]
#[inline(never)]
fn around_an_end(text: &[u8], at: u32) -> (u64, u64) {
    (repeated::before(text, at as usize), eight(text, at))
}

/// Like [`eight`], near the end of the text.
#[cold]
#[inline(never)]
fn last_of_eight(text: &[u8], at: u32) -> u64 {
    let left = text.len().saturating_sub(at as usize);
    match text.last_chunk() {
        _ if left == 0 => 0,
        Some(bytes) => u64::from_le_bytes(*bytes) >> (64 - 8 * left.min(8)),
        None => text.iter().rev().take(left).fold(0, |eight, &byte| eight << 8 | u64::from(byte)),
    }
}
