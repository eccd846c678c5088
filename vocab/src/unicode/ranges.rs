//! Sets of characters as ranges, ascending and apart from each other.
//!
//! Rust's strings have no surrogates, and neither have our sets: the character after U+D7FF is
//! U+E000.

use smallvec::SmallVec;

/// Ranges, inline while they are few: most sets of patterns need no allocation.
pub(crate) type Ranges = SmallVec<[(char, char); 4]>;

/// Whether one of the ascending `ranges` has `c`.
pub(crate) fn contains(ranges: &[(char, char)], c: char) -> bool {
    let at = ranges.partition_point(|&(_, end)| end < c);
    ranges.get(at).is_some_and(|&(start, _)| start <= c)
}

/// Adds the code points from `start` to `end`, without the surrogates among them.
pub(crate) fn push_points(ranges: &mut Ranges, start: u32, end: u32) {
    for (low, high) in [(0, 0xd7ff), (0xe000, 0x10_ffff)] {
        if let (Some(low), Some(high)) = (char::from_u32(start.max(low)), char::from_u32(end.min(high)))
            && low <= high
        {
            ranges.push((low, high));
        }
    }
}

/// Returns the next character, if there is one.
pub(crate) fn after(c: char) -> Option<char> {
    if c == '\u{d7ff}' { Some('\u{e000}') } else { char::from_u32(u32::from(c) + 1) }
}

/// Returns the previous character, if there is one.
fn before(c: char) -> Option<char> {
    if c == '\u{e000}' { Some('\u{d7ff}') } else { u32::from(c).checked_sub(1).and_then(char::from_u32) }
}

/// Sorts ranges, and joins those that overlap or touch.
pub(crate) fn normalize(ranges: &mut Ranges) {
    ranges.sort_unstable();
    let mut kept: usize = 0;
    for at in 0..ranges.len() {
        let (start, end) = ranges[at];
        match kept.checked_sub(1).map(|last| &mut ranges[last]) {
            Some(last) if after(last.1).is_none_or(|next| start <= next) => last.1 = last.1.max(end),
            Some(_) | None => {
                ranges[kept] = (start, end);
                kept += 1;
            }
        }
    }
    ranges.truncate(kept);
    if ranges.spilled() {
        ranges.shrink_to_fit();
    }
}

/// Returns all characters that the normalized `ranges` do not have.
pub(crate) fn complement(ranges: &[(char, char)]) -> Ranges {
    let mut gaps = Ranges::with_capacity(ranges.len() + 1);
    let mut from = Some('\0');
    for &(start, end) in ranges {
        if let (Some(low), Some(high)) = (from, before(start))
            && low <= high
        {
            gaps.push((low, high));
        }
        from = after(end);
    }
    if let Some(low) = from {
        gaps.push((low, char::MAX));
    }
    gaps
}

/// Returns the characters that any of the sets has.
pub(crate) fn union<'r>(sets: impl IntoIterator<Item = &'r [(char, char)]>) -> Ranges {
    let mut all = Ranges::new();
    sets.into_iter().for_each(|set| all.extend_from_slice(set));
    normalize(&mut all);
    all
}

/// Returns the characters of one set that another does not have.
pub(crate) fn difference(set: &[(char, char)], without: &[(char, char)]) -> Ranges {
    complement(&union([&complement(set)[..], without]))
}
