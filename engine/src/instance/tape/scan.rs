//! Where something is in a text, sixteen bytes at a time.
//!
//! Every x86-64 and every ARM of 64 bits compares sixteen bytes at once, so nothing has to be found out
//! about the machine. Most strings are shorter than that, so that one step is all they take.

use wide::u8x16;

/// How many bytes are looked at in a step.
const STEP: usize = 16;

/// The place of the first quote, backslash or control character from `from` on, or the length of the text.
#[inline(always)]
pub(super) fn end_of_plain(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(step) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let found = ends_plain(step);
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += STEP;
    }
    last(bytes, at, ends_plain)
}

/// The place of the first line feed from `from` on, or the length of the text.
pub(in crate::instance) fn end_of_line(bytes: &[u8], from: usize) -> usize {
    let ends_line = |step: &[u8; STEP]| u8x16::new(*step).cmp_eq(u8x16::splat(b'\n')).move_mask() as u32;
    let mut at = from;
    while let Some(step) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let found = ends_line(step);
        if found != 0 {
            return at + found.trailing_zeros() as usize;
        }
        at += STEP;
    }
    last(bytes, at, ends_line)
}

/// A bit for each quote, backslash and control character.
#[inline(always)]
fn ends_plain(step: &[u8; STEP]) -> u32 {
    let bytes = u8x16::new(*step);
    let quotes = bytes.cmp_eq(u8x16::splat(b'"'));
    let backslashes = bytes.cmp_eq(u8x16::splat(b'\\'));
    let controls = bytes.min(u8x16::splat(0x1F)).cmp_eq(bytes);
    (quotes | backslashes | controls).move_mask() as u32
}

/// The same for what is left at the end, fewer bytes than a step.
#[inline(never)]
fn last(bytes: &[u8], from: usize, marks: impl Fn(&[u8; STEP]) -> u32) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    let mut step = [b'x'; STEP];
    step.iter_mut().zip(rest).for_each(|(to, &byte)| *to = byte);
    let found = marks(&step);
    from + if found == 0 { rest.len() } else { found.trailing_zeros() as usize }
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
                    for from in [0, at / 2, at] {
                        let plain = found(matches!(byte, b'"' | b'\\' | 0..0x20));
                        assert_eq!(end_of_plain(&text, from), plain, "{byte} at {at} of {len} from {from}");
                        assert_eq!(end_of_line(&text, from), found(byte == b'\n'));
                    }
                }
            }
        }
    }
}
