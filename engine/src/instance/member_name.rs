//! The name of a member, as a walk looks it up: by a key first, and by its memory only where that is not all.

/// The name of a member.
///
/// A table of names finds most of them by their [`key`](MemberName::key) alone. A representation that keeps some of it spares
/// a walk some of the look at the text; for others there is `&[u8]`.
pub trait MemberName<'a>: Copy {
    /// Its key.
    fn key(self) -> NameKey;

    /// How many bytes it has.
    fn len(self) -> usize;

    /// Whether it has none.
    fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The name itself, in UTF-8.
    fn bytes(self) -> &'a [u8];
}

/// What there is of a name in a few words, as little-endian numbers. It tells all names of up to 16 bytes apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameKey {
    /// The last eight bytes. Of a name that has fewer, all of them with zeros behind.
    pub last: u64,
    /// The first eight bytes. Of a name that has fewer, zero.
    pub first: u64,
    /// How many bytes there are, cut to 32 bits.
    pub len: u32,
}

impl NameKey {
    /// A key of a name of up to so many bytes is all of it.
    pub(crate) const WHOLE: u32 = 16;
}

/// Whether two names are equal.
#[inline(always)]
pub(crate) fn are_equal_names<'a, 'b>(one: impl MemberName<'a>, other: impl MemberName<'b>) -> bool {
    // Lengths first: that of another name is known before its memory is looked at.
    one.len() == other.len()
        && one.key() == other.key()
        && (one.len() <= NameKey::WHOLE as usize || one.bytes() == other.bytes())
}

impl<'a> MemberName<'a> for &'a [u8] {
    #[inline(always)]
    fn key(self) -> NameKey {
        let len = self.len();
        let key = |last, first| NameKey { last, first, len: len as u32 };
        match (self.first_chunk::<8>(), self.last_chunk::<8>()) {
            (Some(first), Some(last)) => key(u64::from_le_bytes(*last), u64::from_le_bytes(*first)),
            _ => match (self.first_chunk::<4>(), self.last_chunk::<4>()) {
                // What both halves have is the same in both.
                (Some(first), Some(last)) => {
                    let [first, last] = [first, last].map(|half| u64::from(u32::from_le_bytes(*half)));
                    key(first | last << (8 * (len % 4)), 0)
                }
                _ => match self {
                    &[first, second, .., last] => {
                        key(u64::from(first) | u64::from(second) << 8 | u64::from(last) << 16, 0)
                    }
                    &[first, second] => key(u64::from(first) | u64::from(second) << 8, 0),
                    &[only] => key(u64::from(only), 0),
                    [] => key(0, 0),
                },
            },
        }
    }

    #[inline(always)]
    fn len(self) -> usize {
        <[u8]>::len(self)
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
    fn a_key_is_both_ends() {
        let text = b"abcdefghijklmnopqrstuvwxyz";
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        for len in 0..=text.len() {
            let name = &text[..len];
            let first = if len < 8 { 0 } else { word(&name[..8]) };
            let last = word(&name[len.saturating_sub(8)..]);
            assert_eq!(name.key(), NameKey { last, first, len: len as u32 });
        }
    }
}
