//! Where something is in a text, sixteen bytes at a time.
//!
//! Every x86-64 and every ARM of 64 bits compares sixteen bytes at once, so nothing has to be found out
//! about the machine.
//!
//! [`mark`] goes over a text before it is read, and leaves a bit for each byte that may end a string. Where a string ends is
//! then a load, a shift and a count of zeros, whatever its length up to 57 bytes: no branch has to guess that.

use super::buffers::make_room;
use wide::u8x16;

/// How many bytes are looked at in a step.
const STEP: usize = 16;

/// How many bytes are marked in a step.
const BLOCK: usize = 64;

/// Marks each quote, backslash and control character, and the end of the text, by a bit of `marks`: those of the first eight bytes are in
/// the first of them.
#[inline(never)]
pub(super) fn mark(text: &[u8], marks: &mut Vec<u8>) {
    let (blocks, rest) = text.as_chunks::<BLOCK>();
    // One word for the rest, and one that is read with it.
    make_room(marks, (blocks.len() + 2) * 8, 0);
    let (words, _) = marks.as_chunks_mut::<8>();
    for (word, block) in words.iter_mut().zip(blocks) {
        *word = marked(block).to_le_bytes();
    }
    let bits = match text.last_chunk() {
        _ if rest.is_empty() => 0,
        Some(block) => marked(block) >> (BLOCK - rest.len()),
        None => marked_in_short(text),
    };
    if let Some(last) = words.get_mut(blocks.len()) {
        *last = (bits | 1 << rest.len()).to_le_bytes();
    }
}

/// The marks of at least 57 bytes, as they were read at once: where there are two strings one behind the other, the end of the second
/// is mostly seen as well.
#[derive(Clone, Copy)]
pub(super) struct Window {
    start: u32,
    /// The mark of the byte at `start` lowest.
    bits: u64,
}

impl Window {
    #[inline(always)]
    pub(super) fn new(marks: &[u8], start: u32) -> Window {
        Window { start, bits: marks_from(marks, start) }
    }

    /// The first place that is marked, the start being no further than the end of the text.
    #[inline(always)]
    pub(super) fn first(self, marks: &[u8]) -> u32 {
        if self.bits == 0 {
            return first_mark_beyond(marks, self.start);
        }
        self.start + self.bits.trailing_zeros()
    }

    /// The third place that is marked: behind the end of a name and the quote before a string, where that may end. The string starts at `at`.
    #[inline(always)]
    pub(super) fn third(self, marks: &[u8], at: u32) -> u32 {
        // Without the lowest bit, twice.
        let rest = self.bits & self.bits.wrapping_sub(1);
        let rest = rest & rest.wrapping_sub(1);
        if rest == 0 {
            return first_mark_beyond_window(marks, at);
        }
        self.start + rest.trailing_zeros()
    }
}

#[inline(always)]
fn marks_from(marks: &[u8], at: u32) -> u64 {
    let word = (at / 8) as usize;
    match marks.get(word..word + 8).and_then(<[u8]>::first_chunk) {
        Some(bytes) => u64::from_le_bytes(*bytes) >> (at % 8),
        None => 0,
    }
}

/// The first place from `at` on that is marked.
#[cold]
#[inline(never)]
fn first_mark_beyond_window(marks: &[u8], at: u32) -> u32 {
    Window::new(marks, at).first(marks)
}

/// The first place from `at` on that is marked, if none of the next 57 bytes is.
#[cold]
#[inline(never)]
fn first_mark_beyond(marks: &[u8], mut at: u32) -> u32 {
    loop {
        at = (at / 8 + 8) * 8;
        let found = marks_from(marks, at);
        if found != 0 || at as usize / 8 >= marks.len() {
            return at + found.trailing_zeros();
        }
    }
}

/// A bit for each quote, backslash and control character.
#[inline(always)]
fn marked(block: &[u8; BLOCK]) -> u64 {
    let (steps, _) = block.as_chunks::<STEP>();
    let [a, b, c, d] = [0, 1, 2, 3].map(|step| u64::from(marked_in_step(&steps[step])));
    a | b << 16 | c << 32 | d << 48
}

#[inline(always)]
fn marked_in_step(step: &[u8; STEP]) -> u16 {
    let bytes = u8x16::new(*step);
    // With that bit turned round, quotes and control characters are the bytes up to 0x20, of which nothing is left here.
    let low = (bytes ^ u8x16::splat(0x02)).saturating_sub(u8x16::splat(0x20));
    let backslash = bytes ^ u8x16::splat(b'\\');
    low.min(backslash).cmp_eq(u8x16::ZERO).move_mask() as u16
}

/// Marks bytes in a text that is shorter than a block.
fn marked_in_short(text: &[u8]) -> u64 {
    let (steps, rest) = text.as_chunks::<STEP>();
    let mut bits = u64::from(of_last(text, rest.len(), marked_in_step)) << (steps.len() * STEP);
    for (step, at) in steps.iter().zip((0..).step_by(STEP)) {
        bits |= u64::from(marked_in_step(step)) << at;
    }
    bits
}

/// The place of the first line feed, or the length of the text.
pub(in crate::instance) fn end_of_line(text: &[u8]) -> usize {
    let ends_line = |step: &[u8; STEP]| u8x16::new(*step).cmp_eq(u8x16::splat(b'\n')).move_mask() as u16;
    let mut rest = text;
    while let Some(step) = rest.first_chunk() {
        let found = ends_line(step);
        if found != 0 {
            return text.len() - rest.len() + found.trailing_zeros() as usize;
        }
        rest = &rest[STEP..];
    }
    let found = of_last(text, rest.len(), ends_line).trailing_zeros() as usize;
    text.len() - rest.len() + found.min(rest.len())
}

/// Marks the last bytes, of which there are fewer than a step. Where the text is no longer than they are, spaces follow it, which nobody
/// marks.
#[inline(always)]
fn of_last(text: &[u8], count: usize, marks: impl Fn(&[u8; STEP]) -> u16) -> u16 {
    if let Some(step) = text.last_chunk() {
        return (u32::from(marks(step)) >> (STEP - count)) as u16;
    }
    let mut step = [b' '; STEP];
    step.iter_mut().zip(text).for_each(|(to, &byte)| *to = byte);
    marks(&step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_first_wherever_it_is() {
        let mut marks = Vec::new();
        for len in (0..70).chain([127, 128, 129, 200]) {
            for byte in 0..=255u8 {
                for at in 0..=len {
                    let mut text = vec![b'x'; len];
                    if let Some(place) = text.get_mut(at) {
                        *place = byte;
                    }
                    let found = |ends: bool| if ends { at } else { len };
                    let plain = found(matches!(byte, b'"' | b'\\' | 0..0x20));
                    mark(&text, &mut marks);
                    assert_eq!(
                        Window::new(&marks, 0).first(&marks) as usize,
                        plain,
                        "{byte} at {at} of {len}"
                    );
                    assert_eq!(end_of_line(&text), found(byte == b'\n'));
                }
            }
        }
    }

    #[test]
    fn finds_the_third_in_the_window_and_beyond() {
        let mut marks = Vec::new();
        for first in 0..70 {
            for length in 0..140 {
                let text = format!("{}\": \"{}\"", "n".repeat(first), "v".repeat(length));
                mark(text.as_bytes(), &mut marks);
                let (start, end) = (first + 4, first + 4 + length);
                assert_eq!(
                    Window::new(&marks, 0).third(&marks, start as u32),
                    end as u32,
                    "{first} {length}"
                );
            }
        }
    }
}
