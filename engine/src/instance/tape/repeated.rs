//! Repeated names: of the members with one name the last counts, and only that.
//!
//! While an object is read, each of its names leaves a [`word`]; names that are equal leave equal words. When it is closed the
//! words are compared: a few each with each, more by a table of bits, many after sorting them. Only if two are equal are
//! words made of all bytes of the names, and if two of those are equal, names compared. If names are equal too, all members but the last are noted
//! ([`drop`]), and taken off when the tape is finished ([`compact`]).
//!
//! Whoever knows how words are made can make them equal, and gains the time of a sort.

use super::{Beside, Entry, Kind};
use crate::instance::last_word;
use std::cell::Cell;
use std::cmp::Reverse;
use std::ops::Range;

/// Up to so many words are compared each with each.
const COMPARED_DIRECTLY: usize = 8;

/// Names of up to so many bytes have a word of their end alone.
pub(super) const SHORT: u32 = 16;

/// A word for a name: its last eight bytes, or all with zeros behind, and its length; for a long one see [`long_word`].
#[inline(always)]
pub(super) const fn short_word(last: u64, len: u32) -> u64 {
    last ^ len as u64
}

/// The word of any name.
#[inline(never)]
pub(super) fn word(name: &[u8]) -> u64 {
    if name.len() > SHORT as usize { long_word(name) } else { short_word(last_word(name), name.len() as u32) }
}

/// The eight bytes before `end`, or as many as there are, behind zeros.
#[inline(never)]
pub(super) fn before(source: &[u8], end: usize) -> u64 {
    match (source.get(..end).and_then(<[u8]>::last_chunk), source.first_chunk()) {
        (Some(bytes), _) => u64::from_le_bytes(*bytes),
        // There are fewer than eight, and others behind them.
        (None, Some(bytes)) if end > 0 => u64::from_le_bytes(*bytes) << (64 - 8 * end.min(8)),
        (None, _) => source.iter().take(end).fold(0, |word, &byte| word >> 8 | u64::from(byte) << 56),
    }
}

/// A word of all bytes of a name. Long names, such as paths, have no other, since many start and end alike.
#[inline(always)]
pub(super) fn long_word(name: &[u8]) -> u64 {
    // Most have up to 32 bytes, which are the first and the last sixteen.
    let length = name.len();
    if let 16..=32 = length {
        let at = |place: usize| name[place..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let [a, b, c, d] = [0, 8, length - 16, length - 8].map(at);
        return mix(a ^ length as u64) ^ mix(b ^ mix(c ^ mix(d)));
    }
    longer_word(name)
}

#[inline(never)]
fn longer_word(name: &[u8]) -> u64 {
    let (words, _) = name.as_chunks::<8>();
    let last = name.last_chunk().copied().unwrap_or_default();
    words.iter().chain([&last]).fold(name.len() as u64, |word, &bytes| mix(word ^ u64::from_le_bytes(bytes)))
}

/// Spreads what is in the low bits over the high ones.
#[inline(always)]
fn mix(word: u64) -> u64 {
    word.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

/// Whether two of the words are equal. They may be in another order afterwards.
#[inline(always)]
pub(super) fn may_be(words: &mut [u64]) -> bool {
    match words {
        [a, b] => a == b,
        [a, b, c] => a == b || a == c || b == c,
        _ => may_be_among_more(words),
    }
}

#[inline(never)]
fn may_be_among_more(words: &mut [u64]) -> bool {
    let count = words.len();
    if count <= COMPARED_DIRECTLY {
        return are_few_equal(words);
    }
    let surely_not = count <= 32 && !share_a_bit::<32>(words) || count <= 256 && !share_a_bit::<256>(words);
    !surely_not && {
        words.sort_unstable();
        words.windows(2).any(|pair| pair[0] == pair[1])
    }
}

/// Whether two of a few words are equal. How many there are nobody can predict: each is compared with all before it at once.
#[inline(always)]
fn are_few_equal(words: &[u64]) -> bool {
    let mut seen = [0; COMPARED_DIRECTLY];
    words.iter().zip(0..COMPARED_DIRECTLY).fold(false, |found, (&word, place)| {
        let found = seen.iter().fold(found, |found, &other| found | (other == word));
        seen[place] = word;
        found
    })
}

/// Whether two of the words come to the same bit of a table. If they are equal they do.
fn share_a_bit<const SIZE: usize>(words: &[u64]) -> bool {
    let mut table = [0u64; SIZE];
    words.iter().any(|&word| {
        let place = mix(word);
        let bits = &mut table[place as usize % SIZE];
        let bit = 1 << (place >> 58);
        let shared = *bits & bit != 0;
        *bits |= bit;
        shared
    })
}

/// Whether two names may be equal of the object at `header` by words of all their bytes. There is a place in `words` for each.
fn may_be_in_full(
    words: &mut [u64],
    tape: &[Cell<Entry>],
    header: usize,
    text: &str,
    beside: &Beside,
) -> bool {
    let mut at = header + 1;
    for word in words.iter_mut() {
        let [entry, value, ..] = &tape[at..] else { break };
        *word = long_word(name(entry.get(), text, beside));
        at += 2 + value.get().below();
    }
    may_be(words)
}

/// A name on the tape.
fn name<'t>(entry: Entry, text: &'t str, beside: &'t Beside) -> &'t [u8] {
    if entry.kind == Kind::Escaped {
        return beside.escaped[entry.low as usize].text(text).as_bytes();
    }
    &text.as_bytes()[entry.range()]
}

/// Finds the members of an object whose name comes again, and leaves their ranges in `dropped`: they stay on the tape until
/// [`compact`] takes them off. The object is the last thing on the tape, and two of its words are equal. Returns how many
/// members are left.
#[cold]
#[inline(never)]
pub(super) fn drop(
    words: &mut [u64],
    tape: &[Cell<Entry>],
    object: Range<usize>,
    text: &str,
    beside: &mut Beside,
) -> u32 {
    let Range { start: header, end } = object;
    if !may_be_in_full(words, tape, header, text, beside) {
        return words.len() as u32;
    }
    // The members, by name and then by place.
    let mut members = Vec::with_capacity(words.len());
    let mut at = header + 1;
    while at < end {
        let next = at + 2 + tape[at + 1].get().below();
        members.push((name(tape[at].get(), text, beside), at..next));
        at = next;
    }
    members.sort_by_key(|&(name, _)| name);
    let repeated = members.windows(2).filter(|pair| pair[0].0 == pair[1].0);
    let repeated: Vec<Range<usize>> = repeated.map(|pair| pair[0].1.clone()).collect();
    let left = members.len() - repeated.len();
    beside.dropped.extend(repeated);
    left as u32
}

/// Takes what was dropped off a finished tape, in one pass over it. Returns its new length.
///
/// Taking members off when their object is closed would move what is inside the others once for each level around it.
#[cold]
#[inline(never)]
pub(super) fn compact(entries: &mut [Entry], length: usize, dropped: &mut Vec<Range<usize>>) -> usize {
    // What was dropped from inside of something that was dropped itself does not count.
    dropped.sort_unstable_by_key(|hole| (hole.start, Reverse(hole.end)));
    let mut behind = 0;
    dropped.retain(|hole| {
        let is_inside = hole.start < behind;
        behind = behind.max(hole.end);
        !is_inside
    });
    // How many entries are dropped up to the end of each hole.
    let mut sum = 0;
    let sums: Vec<usize> = dropped
        .iter()
        .map(|hole| {
            sum += hole.len();
            sum
        })
        .collect();
    // A place that is kept, or the end of a container.
    let moved = |place: usize| {
        let holes = dropped.partition_point(|hole| hole.end <= place);
        place - holes.checked_sub(1).map_or(0, |last| sums[last])
    };
    let mut to = 0;
    let mut from = 0;
    for hole in dropped.iter().cloned().chain(std::iter::once(length..length)) {
        for at in from..hole.start {
            let mut entry = entries[at];
            if let Kind::Array | Kind::Object = entry.kind {
                entry.high = to as u32 + 1;
                entry.below = (moved(at + 1 + entry.below()) - (to + 1)) as u32;
            }
            entries[to] = entry;
            to += 1;
        }
        from = hole.end;
    }
    to
}

#[cfg(test)]
mod tests {
    use crate::Reader;
    use serde_json::Value;

    /// Checks that a text on our tape equals what serde_json reads.
    #[track_caller]
    fn check(text: &str) {
        let value: Value = serde_json::from_str(text).unwrap();
        let mut reader = Reader::new();
        let instance = reader.parse_str(text).unwrap();
        let copy: Value = serde_json::from_str(&as_text(instance.root())).unwrap();
        assert_eq!(copy, value, "{text}");
    }

    fn as_text<'a, N: crate::Node<'a>>(node: N) -> String {
        use crate::instance::{Array, Object, View};
        match node.view() {
            View::Null => "null".to_owned(),
            View::Bool(value) => value.to_string(),
            View::Number(number) => number.to_string(),
            View::String(text) => serde_json::json!(text).to_string(),
            View::Array(items) => {
                let items: Vec<String> = items.iter().map(as_text).collect();
                format!("[{}]", items.join(","))
            }
            View::Object(members) => {
                let member = |(name, value): (&str, N)| {
                    // Walks and lookups agree on what is there.
                    assert_eq!(members.get(name).map(crate::Node::shape), Some(value.shape()));
                    format!("{}:{}", serde_json::json!(name), as_text(value))
                };
                let members: Vec<String> = members.iter().map(member).collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }

    #[test]
    fn the_last_of_a_name_counts_at_every_level() {
        check(r#"{"a":1,"a":2}"#);
        check(r#"{"a":[1,{"b":1,"b":[2]}],"c":3,"a":{"b":{"c":1,"c":2},"b":7},"d":[[],{}]}"#);
        check(r#"[{"a":{"x":1,"x":2},"a":[{"y":1,"y":{}}],"\u0061":[[{"z":0,"z":[1,2]}]]},{"a":[]}]"#);
        for depth in [1, 2, 5, 60] {
            let mut text = r#"[1,{"a":2},"x"]"#.to_owned();
            for level in 0..depth {
                let name = if level % 3 == 0 { r"\u0061" } else { "a" };
                text = format!(r#"{{"a":[{level},{{}}],"b":{{"c":1}},"{name}":{text},"c":[[]]}}"#);
            }
            check(&text);
        }
    }

    #[test]
    fn random_names() {
        let mut seed = 7u64;
        let mut next = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        fn value(next: &mut impl FnMut(u64) -> u64, depth: u32) -> String {
            match next(if depth == 0 { 2 } else { 5 }) {
                0 => next(100).to_string(),
                1 => "\"x\"".to_owned(),
                2 => {
                    let items: Vec<String> = (0..next(4)).map(|_| value(next, depth - 1)).collect();
                    format!("[{}]", items.join(","))
                }
                _ => {
                    let names = ["a", "b", "\\u0062", "c", "a name of more than sixteen bytes"];
                    let count = next(6);
                    let member = |_| {
                        let name = names[next(names.len() as u64) as usize];
                        format!("\"{name}\":{}", value(next, depth - 1))
                    };
                    let members: Vec<String> = (0..count).map(member).collect();
                    format!("{{{}}}", members.join(","))
                }
            }
        }
        for _ in 0..2_000 {
            check(&value(&mut next, 6));
        }
    }
}
