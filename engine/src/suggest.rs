//! Suggestions: the name that was probably meant, nearest to one that is not known.
//!
//! Near is what differs in case and separators alone (`userId`, `user_id`), or by a few slips of the keyboard: one in a
//! name of three to five letters, two up to eight, three above. What is farther away is no help, and is not suggested.
//!
//! Both sides may be hostile, so names above 64 bytes are never near to anything, and a [`SuggestBudget`] bounds what all
//! comparisons of a call may take.

use strsim::osa_distance;

/// Longer names are not compared.
const LONGEST: usize = 64;

/// The pairs of letters that may still be compared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SuggestBudget(usize);

impl Default for SuggestBudget {
    fn default() -> SuggestBudget {
        SuggestBudget(1 << 18)
    }
}

impl SuggestBudget {
    /// For those who write schemas, and have the time: tens of milliseconds.
    pub(crate) fn large() -> SuggestBudget {
        SuggestBudget(1 << 24)
    }

    fn spend(&mut self, pairs: usize) -> bool {
        let is_enough = self.0 >= pairs;
        self.0 = self.0.saturating_sub(pairs);
        is_enough
    }
}

/// The nearest of the candidates, the first of those that are equally near; none if none is near.
pub(crate) fn nearest<'c>(
    budget: &mut SuggestBudget,
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    nearest_of(budget, name, candidates.into_iter().map(|candidate| (candidate, candidate)))
}

/// Like [`nearest`], for candidates that stand for something.
pub(crate) fn nearest_of<'c, T>(
    budget: &mut SuggestBudget,
    name: &str,
    candidates: impl IntoIterator<Item = (T, &'c str)>,
) -> Option<T> {
    if name.len() > LONGEST {
        return None;
    }
    let own = Letters::of(name);
    let mut most = slips(own.count);
    let (mut folded, mut best) = (None, None);
    for (candidate, text) in candidates {
        let is_far = text.len() > LONGEST || own.are_far(&Letters::of(text), most);
        if !budget.spend(if is_far { 1 } else { (name.len() + 1) * (text.len() + 1) }) {
            break;
        }
        if is_far {
            continue;
        }
        let folded: &mut String = folded.get_or_insert_with(|| fold(name));
        let distance = osa_distance(folded, &fold(text));
        if distance <= most {
            best = Some(candidate);
            // Only what is nearer counts from here on.
            match distance.checked_sub(1) {
                Some(nearer) => most = nearer,
                None => break,
            }
        }
    }
    best
}

/// The letters of a name, in lower case and without separators.
struct Letters {
    count: usize,
    /// A bit for each letter that it has; letters may share one.
    any: u64,
}

impl Letters {
    fn of(name: &str) -> Letters {
        let mut letters = Letters { count: 0, any: 0 };
        for letter in name.chars().filter(|letter| !is_separator(*letter)) {
            letters.count += 1;
            // ASCII letters of either case have the same bit; of others nothing is known.
            letters.any |= if letter.is_ascii() { 1 << (letter as u32 & 31) } else { u64::MAX << 32 };
        }
        letters
    }

    /// Whether so many slips do not make one name of the other: a slip makes at most one letter that the other name has not.
    fn are_far(&self, other: &Letters, most: usize) -> bool {
        let lacks = |one: u64, other: u64| (one & !other).count_ones() as usize > most;
        let is_ascii = (self.any | other.any) >> 32 == 0;
        self.count.abs_diff(other.count) > most
            || (is_ascii && (lacks(self.any, other.any) || lacks(other.any, self.any)))
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

fn is_separator(letter: char) -> bool {
    matches!(letter, '_' | '-' | ' ' | '.')
}

/// A name without case and separators.
fn fold(name: &str) -> String {
    let letters = name.chars().filter(|letter| !is_separator(*letter));
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, candidates: &[&str], expected: Option<&str>) {
        let found = nearest(&mut SuggestBudget::default(), name, candidates.iter().copied());
        assert_eq!(found, expected, "{name}");
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
        let mut budget = SuggestBudget::default();
        // The nearest is the last, and not looked at any more.
        let found = nearest(&mut budget, "nome399999", many.iter().map(String::as_str));
        assert!(found.is_some_and(|name| name < "name399990"), "{found:?}");
        assert_eq!(budget.0, 0);
    }

    #[test]
    fn names_that_are_not_ascii_are_compared_by_characters() {
        check("größe", &["grosse", "größen"], Some("größen"));
        check("GRÖSSE", &["grösse"], Some("grösse"));
        check("groesse", &["größe"], None);
    }
}
