//! What was probably meant: the nearest of some names to one that is none of them.
//!
//! Near is what differs in case and separators alone (`userId`, `user_id`), or by a few slips of the keyboard: one in a
//! name of three to five letters, two up to eight, three above. What is farther away is no help, and is not suggested.
//!
//! Both sides may be hostile, so names above 64 bytes are never near to anything, and a [`Purse`] bounds what all
//! comparisons of a run may take.

use crate::program::NameTable;
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
    let mut search = Search::new(name);
    let mut best = None;
    for candidate in candidates {
        let Some(most) = search.most else { break };
        let letters = letters(candidate);
        if search.is_far(letters.as_ref(), most) {
            if !purse.spend(1) {
                break;
            }
        } else if search.is_nearer(purse, candidate, letters.as_ref(), |_| true) {
            best = Some(candidate);
        }
    }
    best
}

/// A search for the nearest of names, which may be in several lists.
pub(crate) struct Search<'n> {
    name: &'n str,
    letters: Option<Letters>,
    /// What is nearer than all so far takes no more slips than that; nothing, if nothing is.
    most: Option<usize>,
    /// Mostly nothing is near enough to be compared.
    folded: Option<Folded>,
}

impl<'n> Search<'n> {
    pub(crate) fn new(name: &'n str) -> Search<'n> {
        let letters = if name.len() > LONGEST { None } else { letters(name) };
        let count = || letters.map_or_else(|| fold(name).chars().count(), |letters| letters.count);
        let most = (name.len() <= LONGEST).then(|| slips(count()));
        Search { name, letters, most, folded: None }
    }

    /// The place of the nearest of those names that count, each with its [`letters`]; none if one before was as near.
    pub(crate) fn among(
        &mut self,
        purse: &mut Purse,
        names: &NameTable,
        letters: &[Option<Letters>],
        counts: impl Fn(&str) -> bool,
    ) -> Option<usize> {
        let (mut best, mut next) = (None, 0);
        while let (Some(most), Some(left)) = (self.most, letters.get(next..)) {
            // Most are seen to be far away without comparing them.
            let far = left.iter().take(purse.0).position(|letters| !self.is_far(letters.as_ref(), most));
            let Some(far) = far else {
                purse.spend(left.len());
                break;
            };
            next += far + 1;
            purse.spend(far);
            if self.is_nearer(purse, names.get(next - 1), letters[next - 1].as_ref(), &counts) {
                best = Some(next - 1);
            }
        }
        best
    }

    /// Whether the letters of a name tell that it takes more slips than that.
    #[inline(always)]
    fn is_far(&self, letters: Option<&Letters>, most: usize) -> bool {
        matches!((&self.letters, letters), (Some(own), Some(letters)) if own.are_far(letters, most))
    }

    /// Whether a name is nearer than all before, and counts. If there is nothing left to compare it with, the search is over.
    #[inline(never)]
    fn is_nearer(
        &mut self,
        purse: &mut Purse,
        candidate: &str,
        letters: Option<&Letters>,
        counts: impl Fn(&str) -> bool,
    ) -> bool {
        let (name, most) = (self.name, self.most.unwrap_or_default());
        let is_far = candidate.len() > LONGEST || candidate.len().abs_diff(name.len()) > most + SEPARATORS;
        if !purse.spend(if is_far { 1 } else { (name.len() + 1) * (candidate.len() + 1) }) {
            self.most = None;
            return false;
        }
        if is_far {
            return false;
        }
        // Most names are ASCII.
        let distance = match (self.letters, letters) {
            (Some(_), Some(_)) => {
                self.folded.get_or_insert_with(|| Folded::of(name)).distance(&Folded::of(candidate))
            }
            _ => osa_distance(&fold(name), &fold(candidate)),
        };
        let is_nearer = distance <= most && counts(candidate);
        if is_nearer {
            self.most = distance.checked_sub(1);
        }
        is_nearer
    }
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

/// What a name is made of, whatever the case of its letters, and without separators.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Letters {
    count: usize,
    /// A bit for each that it has.
    any: u64,
    /// A bit for each that it has more than once.
    more: u64,
}

/// The letters of a name; none, if it is not ASCII.
pub(crate) fn letters(name: &str) -> Option<Letters> {
    let mut letters = Letters { count: 0, any: 0, more: 0 };
    for &byte in name.as_bytes() {
        let bit = *BITS.get(usize::from(byte))?;
        letters.count += usize::from(bit != 0);
        letters.more |= letters.any & bit;
        letters.any |= bit;
    }
    Some(letters)
}

impl Letters {
    /// Whether the letters of two names tell that so many slips do not make one of the other: a slip makes at most one letter that the
    /// other name has not, on either side.
    #[inline(always)]
    fn are_far(&self, other: &Letters, most: usize) -> bool {
        // Takes a letter away for each slip, and need not count them: there are three at most.
        let are_more = |letters: u64| (0..most).fold(letters, |left, _| left & left.wrapping_sub(1)) != 0;
        self.count.abs_diff(other.count) > most
            || are_more(self.any & !other.any)
            || are_more(other.any & !self.any)
            || self.lacks(other) > most
            || other.lacks(self) > most
    }

    /// How many letters another name has not, each counted twice at most.
    #[inline(never)]
    fn lacks(&self, other: &Letters) -> usize {
        ((self.any & !other.any).count_ones() + (self.more & !other.more).count_ones()) as usize
    }
}

/// How many slips are allowed in a name of so many letters.
fn slips(letters: usize) -> usize {
    match letters {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    }
}

/// An ASCII name without case and separators.
struct Folded {
    letters: [u8; LONGEST],
    len: usize,
}

impl Folded {
    // INVARIANT: the name is no longer than there is room.
    fn of(name: &str) -> Folded {
        let mut folded = Folded { letters: [0; LONGEST], len: 0 };
        for byte in name.bytes() {
            folded.letters[folded.len] = byte.to_ascii_lowercase();
            folded.len += usize::from(BITS[usize::from(byte & 127)] != 0);
        }
        folded
    }

    /// What [`osa_distance`] tells of two names.
    fn distance(&self, other: &Folded) -> usize {
        let (one, other) = (&self.letters[..self.len], &other.letters[..other.len]);
        // What both begin and end with does not count, and mostly leaves nothing that has to be compared.
        let same = one.iter().zip(other).take_while(|(one, other)| one == other).count();
        let (one, other) = (&one[same..], &other[same..]);
        let same = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
        match (&one[..one.len() - same], &other[..other.len() - same]) {
            ([], left) | (left, []) => left.len(),
            ([_], [_]) => 1,
            (one, other) => Places::of(one).distance(other),
        }
    }
}

/// Where a name has each letter: a bit for each place.
struct Places {
    by_letter: [u64; 128],
    len: usize,
}

impl Places {
    // INVARIANT: there are no more letters than bits, and they are ASCII.
    fn of(name: &[u8]) -> Places {
        let mut places = Places { by_letter: [0; 128], len: name.len() };
        for (place, &letter) in name.iter().enumerate() {
            places.by_letter[usize::from(letter)] |= 1 << place;
        }
        places
    }

    /// What [`osa_distance`] tells of names that are not empty, all places of this one at once.
    ///
    /// The distances of the beginnings of one name to one of the other differ by one at most, from place to place and from letter to
    /// letter. So a bit for each place tells whether it goes up there, and another one whether it goes down, and additions carry from
    /// place to place: Myers (1999), with neighbours that change places by Hyyrö (2003).
    fn distance(&self, other: &[u8]) -> usize {
        let last = 1u64 << (self.len - 1);
        let (mut up, mut down) = (u64::MAX, 0);
        let (mut same, mut here_before) = (0u64, 0);
        let mut distance = self.len;
        for &letter in other {
            let here = self.by_letter[usize::from(letter)];
            let swapped = ((!same & here) << 1) & here_before;
            same = ((here & up).wrapping_add(up) ^ up) | here | down | swapped;
            let (grows, shrinks) = (down | !(same | up), same & up);
            distance += usize::from(grows & last != 0);
            distance -= usize::from(shrinks & last != 0);
            let grows = grows << 1 | 1;
            (up, down) = (shrinks << 1 | !(same | grows), same & grows);
            here_before = here;
        }
        distance
    }
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
        let distance = |one: &str, other: &str| Folded::of(one).distance(&Folded::of(other));
        for one in &names {
            for other in &names {
                assert_eq!(distance(one, other), osa_distance(one, other), "{one} {other}");
            }
        }
        let longest = "ab".repeat(LONGEST / 2);
        for other in ["", "b", "ba", &longest, &longest[1..], &"ba".repeat(LONGEST / 2), &"c".repeat(LONGEST)]
        {
            assert_eq!(distance(&longest, other), osa_distance(&longest, other), "{other}");
        }
    }

    #[test]
    fn names_that_are_not_ascii_are_compared_by_characters() {
        check("größe", &["grosse", "größen"], Some("größen"));
        check("GRÖSSE", &["grösse"], Some("grösse"));
        check("groesse", &["größe"], None);
    }
}
