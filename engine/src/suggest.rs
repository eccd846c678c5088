//! What was probably meant: the nearest of some names to one that is none of them.
//!
//! Near is what differs in case and separators alone (`userId`, `user_id`), or by a few slips of the keyboard: one in a
//! name of three to five letters, two up to eight, three above. What is farther away is no help, and is not suggested.
//!
//! Both sides may be hostile, so names above 64 bytes are never near to anything, and a [`Purse`] bounds what all
//! comparisons of a run may take.

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
    nearest_of(purse, name, candidates, |_| true)
}

/// The nearest of those candidates that count.
pub(crate) fn nearest_of<'c>(
    purse: &mut Purse,
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
    counts: impl Fn(&str) -> bool,
) -> Option<&'c str> {
    if name.len() > LONGEST {
        return None;
    }
    let folded = fold(name);
    let slips = slips(&folded);
    let letters = letters(name);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        // What is no nearer than the best so far does not matter.
        let most = match best {
            Some((0, _)) => break,
            Some((least, _)) => least - 1,
            None => slips,
        };
        // Most are seen to be far away without comparing them.
        let is_far = candidate.len() > LONGEST
            || candidate.len().abs_diff(name.len()) > most + SEPARATORS
            || differing(letters, self::letters(candidate)) > 2 * most;
        if is_far {
            if !purse.spend(1) {
                break;
            }
            continue;
        }
        let other = fold(candidate);
        if !purse.spend((folded.len() + 1) * (other.len() + 1)) {
            break;
        }
        let distance = match folded == other {
            true => 0,
            false if most == 0 => continue,
            false => osa_distance(&folded, &other),
        };
        if distance <= most && counts(candidate) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// So many separators more in a name are seen as the same name.
const SEPARATORS: usize = 4;

/// The letters of a name, a bit for each, whatever their case; none, if it is not ASCII.
fn letters(name: &str) -> Option<u64> {
    let mut letters = 0u64;
    for byte in name.bytes() {
        match byte {
            b'_' | b'-' | b' ' | b'.' => {}
            0x80.. => return None,
            _ => letters |= 1 << ((byte | 0x20) & 63),
        }
    }
    Some(letters)
}

/// How many letters are in one name and not in the other, if that can be told. A slip makes two of them at most.
fn differing(one: Option<u64>, other: Option<u64>) -> usize {
    one.zip(other).map_or(0, |(one, other)| (one ^ other).count_ones() as usize)
}

/// How many slips are allowed.
fn slips(folded: &str) -> usize {
    match folded.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    }
}

/// A name without case and separators.
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
        let many: Vec<String> = (0..100_000).map(|number| format!("name{number:06}")).collect();
        let mut purse = Purse::default();
        // The nearest is the last, and not looked at any more.
        let found = nearest(&mut purse, "nome099999", many.iter().map(String::as_str));
        assert!(found.is_some_and(|name| name < "name099990"), "{found:?}");
        assert_eq!(purse.0, 0);
    }
}
