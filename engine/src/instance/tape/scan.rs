//! Where something is in a text, sixteen bytes at a time.
//!
//! Every x86-64 and every ARM of 64 bits compares sixteen bytes at once, so nothing has to be found out
//! about the machine. Most strings are shorter than that, so that one step is all they take.

use wide::u8x16;

/// How many bytes are looked at in a step.
const STEP: usize = 16;

/// What is left of a text from the first quote, backslash or control character on. `rest` is what is left of `text` before.
#[inline(always)]
pub(super) fn skip_plain<'t>(text: &[u8], mut rest: &'t [u8]) -> &'t [u8] {
    while let Some(step) = rest.first_chunk() {
        let found = ends_plain(step);
        if found != 0 {
            return &rest[found.trailing_zeros() as usize..];
        }
        rest = &rest[STEP..];
    }
    &rest[last(text, rest.len(), ends_plain)..]
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
    text.len() - rest.len() + last(text, rest.len(), ends_line)
}

/// A bit for each quote, backslash and control character.
#[inline(always)]
fn ends_plain(step: &[u8; STEP]) -> u16 {
    let bytes = u8x16::new(*step);
    let quotes = bytes.cmp_eq(u8x16::splat(b'"'));
    let backslashes = bytes.cmp_eq(u8x16::splat(b'\\'));
    let controls = bytes.min(u8x16::splat(0x1F)).cmp_eq(bytes);
    (quotes | backslashes | controls).move_mask() as u16
}

/// The first place that is marked among the last bytes, of which there are fewer than a step, or their number.
#[inline(never)]
fn last(text: &[u8], count: usize, marks: impl Fn(&[u8; STEP]) -> u16) -> usize {
    let found = if let Some(step) = text.last_chunk() {
        u32::from(marks(step)) >> (STEP - count)
    } else {
        let mut step = [0; STEP];
        step.iter_mut().zip(text).for_each(|(to, &byte)| *to = byte);
        u32::from(marks(&step)) >> (text.len() - count)
    };
    (found.trailing_zeros() as usize).min(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_first_wherever_it_is() {
        for len in 0..70 {
            for byte in 0..=255u8 {
                for at in 0..=len {
                    let mut text = vec![b'x'; len];
                    if let Some(place) = text.get_mut(at) {
                        *place = byte;
                    }
                    let found = |ends: bool| if ends { at } else { len };
                    let plain = found(matches!(byte, b'"' | b'\\' | 0..0x20));
                    assert_eq!(len - skip_plain(&text, &text).len(), plain, "{byte} at {at} of {len}");
                    let rest = &text[at.saturating_sub(3)..];
                    assert_eq!(len - skip_plain(&text, rest).len(), plain, "{byte} at {at} of {len}");
                    assert_eq!(end_of_line(&text), found(byte == b'\n'));
                }
            }
        }
    }
}
