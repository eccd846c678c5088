//! What was probably meant: the nearest of some names to one that is none of them.
//!
//! Near is what differs in case and separators alone (`userId`, `user_id`), or by a few slips of the keyboard: one in a
//! name of three to five letters, two up to eight, three above. What is farther away is no help, and is not suggested.
//!
//! Both sides may be hostile, so names above 64 bytes are never near to anything, and a [`Purse`] bounds what all
//! comparisons of a run may take.

use std::borrow::Cow;
use std::ops::ControlFlow;
use strsim::osa_distance;

/// Longer names are not compared.
const LONGEST: usize = 64;

/// What comparisons may still take, in pairs of letters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Purse(usize);

impl Default for Purse {
    fn default() -> Purse {
        Purse(1 << 18)
    }
}

impl Purse {
    /// For those who write schemas, and have the time: tens of milliseconds.
    pub(crate) fn large() -> Purse {
        Purse(1 << 24)
    }

    fn spend(&mut self, pairs: usize) -> bool {
        let is_enough = self.0 >= pairs;
        self.0 = self.0.saturating_sub(pairs);
        is_enough
    }
}

/// The nearest of the candidates, the first of those that are equally near; none if none is near.
pub(crate) fn nearest<'c>(
    purse: &mut Purse,
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let candidates = candidates.into_iter().map(|candidate| (candidate, letters(candidate)));
    nearest_of(purse, name, candidates, |_| true)
}

/// The nearest of those candidates that count, each given with its [`letters`].
pub(crate) fn nearest_of<'c>(
    purse: &mut Purse,
    name: &str,
    candidates: impl IntoIterator<Item = (&'c str, Option<u64>)>,
    counts: impl Fn(&str) -> bool,
) -> Option<&'c str> {
    if name.len() > LONGEST {
        return None;
    }
    let (slips, own_letters) = (slips(name), letters(name));
    // Mostly nothing is near enough to be compared.
    let mut folded = None;
    let mut best: Option<(usize, &str)> = None;
    // The iterator's own loop: those of names in several tables are slow one by one.
    let _ = candidates.into_iter().try_for_each(|(candidate, letters)| {
        // What is no nearer than the best so far does not matter.
        let most = match best {
            Some((0, _)) => return ControlFlow::Break(()),
            Some((least, _)) => least - 1,
            None => slips,
        };
        // Most are seen to be far away without comparing them.
        let is_far = candidate.len() > LONGEST
            || candidate.len().abs_diff(name.len()) > most + SEPARATORS
            || is_far(own_letters, letters, most);
        if is_far {
            return if purse.spend(1) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        }
        let (folded, other) = (folded.get_or_insert_with(|| Folded::of(name)), Folded::of(candidate));
        if !purse.spend((folded.len() + 1) * (other.len() + 1)) {
            return ControlFlow::Break(());
        }
        if let Some(distance) = folded.distance(&other, most)
            && counts(candidate)
        {
            best = Some((distance, candidate));
        }
        ControlFlow::Continue(())
    });
    best.map(|(_, candidate)| candidate)
}

/// So many separators more in a name are seen as the same name.
const SEPARATORS: usize = 4;

/// By byte: its bit among [`letters`]; none for separators.
const BITS: [u64; 128] = {
    let mut bits = [0; 128];
    let mut byte = 0;
    while byte < 128 {
        if !is_separator(byte) {
            bits[byte as usize] = 1 << ((byte | 0x20) & 63);
        }
        byte += 1;
    }
    bits
};

const fn is_separator(byte: u8) -> bool {
    matches!(byte, b'_' | b'-' | b' ' | b'.')
}

/// The letters of a name, a bit for each, whatever their case; none, if it is not ASCII.
pub(crate) fn letters(name: &str) -> Option<u64> {
    let mut letters = 0;
    for &byte in name.as_bytes() {
        letters |= BITS.get(usize::from(byte))?;
    }
    Some(letters)
}

/// Whether the letters of two names tell that so many slips do not make one of the other: a slip makes at most one letter that the
/// other name has not, on either side.
fn is_far(one: Option<u64>, other: Option<u64>, most: usize) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    // Takes a letter away for each slip; there are three at most.
    let are_more = |letters: u64| (0..most).fold(letters, |left, _| left & left.wrapping_sub(1)) != 0;
    are_more(one & !other) || are_more(other & !one)
}

/// How many slips are allowed in a name, by how long it is without separators.
fn slips(name: &str) -> usize {
    let letters = match name.is_ascii() {
        true => name.bytes().filter(|&byte| !is_separator(byte)).count(),
        false => fold(name).chars().count(),
    };
    match letters {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    }
}

/// A name without case and separators.
enum Folded {
    /// Most names are ASCII, and are compared where they lie.
    Ascii {
        letters: [u8; LONGEST],
        len: usize,
    },
    Other(String),
}

impl Folded {
    /// Folds a name of up to [`LONGEST`] bytes.
    fn of(name: &str) -> Folded {
        let (mut letters, mut len) = ([0; LONGEST], 0);
        if !name.is_ascii() || name.len() > LONGEST {
            return Folded::Other(fold(name));
        }
        for &byte in name.as_bytes() {
            letters[len] = byte.to_ascii_lowercase();
            len += usize::from(!is_separator(byte));
        }
        Folded::Ascii { letters, len }
    }

    /// In bytes.
    fn len(&self) -> usize {
        match self {
            Folded::Ascii { len, .. } => *len,
            Folded::Other(text) => text.len(),
        }
    }

    /// How many slips make one name of the other, if these are no more than `most`.
    fn distance(&self, other: &Folded, most: usize) -> Option<usize> {
        let texts = match (self, other) {
            (Folded::Ascii { letters, len }, Folded::Ascii { letters: others, len: count }) => {
                return distance(&letters[..*len], &others[..*count], most);
            }
            (Folded::Other(text), Folded::Other(other)) => (Cow::Borrowed(text), Cow::Borrowed(other)),
            (Folded::Other(text), ascii) => (Cow::Borrowed(text), Cow::Owned(ascii.text())),
            (ascii, Folded::Other(text)) => (Cow::Owned(ascii.text()), Cow::Borrowed(text)),
        };
        let distance = match texts.0 == texts.1 {
            true => 0,
            false => osa_distance(&texts.0, &texts.1),
        };
        (distance <= most).then_some(distance)
    }

    fn text(&self) -> String {
        match self {
            Folded::Ascii { letters, len } => letters[..*len].iter().map(|&byte| char::from(byte)).collect(),
            Folded::Other(text) => text.clone(),
        }
    }
}

/// What [`osa_distance`] tells of ASCII names, if it is no more than `most`. Mostly it is more, and that is seen soon.
fn distance(one: &[u8], other: &[u8], most: usize) -> Option<usize> {
    let start = one.iter().zip(other).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[start..], &other[start..]);
    let end = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[..one.len() - end], &other[..other.len() - end]);
    if one.len().abs_diff(other.len()) > most {
        return None;
    }
    if one.is_empty() || other.is_empty() {
        return Some(one.len().max(other.len()));
    }
    /// More slips than anyone asks for.
    const FAR: u8 = 128;
    // A row has the distances of one beginning to all of the other name's; it takes the two rows before it.
    let mut rows = [[0u8; LONGEST + 1]; 3];
    for (place, distance) in rows[0][..=other.len()].iter_mut().enumerate() {
        *distance = place as u8;
    }
    let mut least_before = 0;
    for at in 1..=one.len() {
        let (row, last, older) = (at % 3, (at + 2) % 3, (at + 1) % 3);
        // What lies farther off than that takes more slips.
        let (from, end) = (at.saturating_sub(most).max(1), (at + most).min(other.len()));
        rows[row][from - 1] = if from == 1 { at as u8 } else { FAR };
        let mut least = rows[row][from - 1];
        for to in from..=end {
            let is_other = u8::from(one[at - 1] != other[to - 1]);
            let mut distance =
                (rows[last][to] + 1).min(rows[row][to - 1] + 1).min(rows[last][to - 1] + is_other);
            if at > 1 && to > 1 && one[at - 1] == other[to - 2] && one[at - 2] == other[to - 1] {
                distance = distance.min(rows[older][to - 2] + 1);
            }
            rows[row][to] = distance;
            least = least.min(distance);
        }
        // The next row looks one farther.
        if let Some(behind) = rows[row].get_mut(end + 1) {
            *behind = FAR;
        }
        // Distances only grow from here on.
        if usize::from(least) > most && usize::from(least_before) >= most {
            return None;
        }
        least_before = least;
    }
    let distance = usize::from(rows[one.len() % 3][other.len()]);
    (distance <= most).then_some(distance)
}

/// A name without case and separators, where it is not ASCII.
fn fold(name: &str) -> String {
    name.chars()
        .filter(|character| !matches!(character, '_' | '-' | ' ' | '.'))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, candidates: &[&str], expected: Option<&str>) {
        assert_eq!(nearest(&mut Purse::default(), name, candidates.iter().copied()), expected, "{name}");
    }

    #[test]
    fn slips_are_forgiven_by_length() {
        check("citty", &["unit", "city"], Some("city"));
        check("ctiy", &["unit", "city"], Some("city"));
        check("requried", &["type", "required"], Some("required"));
        check("kelvin", &["celsius", "fahrenheit"], None);
        check("ab", &["ac"], None);
    }

    #[test]
    fn case_and_separators_do_not_count() {
        check("user_id", &["userName", "userId"], Some("userId"));
        check("ID", &["id"], Some("id"));
        check("", &["a", ""], Some(""));
    }

    #[test]
    fn the_nearest_comes_first() {
        check("addres", &["addresses", "address"], Some("address"));
        check("cat", &["bat", "car"], Some("bat"));
    }

    #[test]
    fn work_is_bounded() {
        check(&"a".repeat(65), &[&"a".repeat(65)], None);
        let many: Vec<String> = (0..400_000).map(|number| format!("name{number:06}")).collect();
        let mut purse = Purse::default();
        // The nearest is the last, and not looked at any more.
        let found = nearest(&mut purse, "nome399999", many.iter().map(String::as_str));
        assert!(found.is_some_and(|name| name < "name399990"), "{found:?}");
        assert_eq!(purse.0, 0);
    }

    #[test]
    fn distances_are_those_of_the_library() {
        // All names of up to five letters out of three, each with each.
        let names: Vec<String> = (0..=5u32)
            .flat_map(|length| (0..3u32.pow(length)).map(move |number| (length, number)))
            .map(|(length, number)| {
                (0..length).map(|at| ['a', 'b', 'c'][(number / 3u32.pow(at) % 3) as usize]).collect()
            })
            .collect();
        for one in &names {
            for other in names.iter().step_by(7) {
                let expected = osa_distance(one, other);
                for most in 0..4 {
                    let found = distance(one.as_bytes(), other.as_bytes(), most);
                    assert_eq!(found, (expected <= most).then_some(expected), "{one} {other} {most}");
                }
            }
        }
    }

    #[test]
    fn names_that_are_not_ascii_are_compared_by_characters() {
        check("größe", &["grosse", "größen"], Some("größen"));
        check("GRÖSSE", &["grösse"], Some("grösse"));
        check("groesse", &["größe"], None);
    }
}
