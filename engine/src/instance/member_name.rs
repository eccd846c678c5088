//! The name of a member, as a walk looks it up: by the word of its end first, and by the rest only where that is not all.

/// The name of a member.
///
/// A table of names finds most of them by their [end](MemberName::end). A representation that has that at hand spares a walk the look at
/// the text; for others there is `&[u8]`.
pub trait MemberName<'a>: Copy {
    /// Whether the end is known without reading the text, which may be far away in memory.
    const END_IS_AT_HAND: bool = false;

    /// The last eight bytes as a little-endian number, of a name that has fewer all of them with zeros behind; and how many bytes
    /// the name has, cut to 32 bits. Nothing where the text has to be asked.
    fn end(self) -> Option<(u64, u32)>;

    /// The first eight bytes in the same way. Zero where there are fewer.
    fn start(self) -> u64;

    /// The name itself, in UTF-8.
    fn bytes(self) -> &'a [u8];
}

/// A name of up to so many bytes is its end.
pub(crate) const ONE_WORD: u32 = 8;

/// A name of up to so many bytes is its end and its start.
pub(crate) const TWO_WORDS: u32 = 16;

/// Whether two names are equal.
#[inline(always)]
pub(crate) fn are_equal_names<'a, 'b>(one: impl MemberName<'a>, other: impl MemberName<'b>) -> bool {
    let (Some((last, len)), Some(other_end)) = (one.end(), other.end()) else {
        return one.bytes() == other.bytes();
    };
    (last, len) == other_end
        && (len <= ONE_WORD
            || one.start() == other.start() && (len <= TWO_WORDS || one.bytes() == other.bytes()))
}

/// The ends of a text, each of up to eight bytes: the last and the first.
#[inline(always)]
pub(crate) fn ends(text: &[u8]) -> (u64, u64) {
    (last_word(text), text.start())
}

#[inline(always)]
pub(crate) fn last_word(text: &[u8]) -> u64 {
    let len = text.len();
    if let Some(last) = text.last_chunk() {
        return u64::from_le_bytes(*last);
    }
    match (text.first_chunk::<4>(), text.last_chunk::<4>()) {
        // What both halves have is the same in both.
        (Some(first), Some(last)) => {
            let [first, last] = [first, last].map(|half| u64::from(u32::from_le_bytes(*half)));
            first | last << (8 * (len % 4))
        }
        _ => match *text {
            [first, second, .., last] => u64::from(first) | u64::from(second) << 8 | u64::from(last) << 16,
            [first, second] => u64::from(first) | u64::from(second) << 8,
            [only] => u64::from(only),
            [] => 0,
        },
    }
}

impl<'a> MemberName<'a> for &'a [u8] {
    #[inline(always)]
    fn end(self) -> Option<(u64, u32)> {
        Some((last_word(self), self.len() as u32))
    }

    #[inline(always)]
    fn start(self) -> u64 {
        self.first_chunk().map_or(0, |first| u64::from_le_bytes(*first))
    }

    #[inline(always)]
    fn bytes(self) -> &'a [u8] {
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_ends() {
        let text = b"abcdefghijklmnopqrstuvwxyz";
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        for len in 0..=text.len() {
            let name = &text[..len];
            assert_eq!(name.end(), Some((word(&name[len.saturating_sub(8)..]), len as u32)));
            assert_eq!(name.start(), if len < 8 { 0 } else { word(&name[..8]) });
        }
    }
}
