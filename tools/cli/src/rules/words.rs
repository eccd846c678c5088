//! Texts for findings: shortened values, lists in words.

use serde_json::Value;
use stanchion::TypeSet;

/// Most characters of a value.
const MAX_SHOWN: usize = 60;

/// Formats a value as JSON, cut if it is long.
pub(super) fn value(value: &Value) -> String {
    cut(&value.to_string())
}

/// Formats a name in quotes, cut if it is long.
pub(super) fn name(name: &str) -> String {
    value(&Value::from(name))
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Joins items: `a`, `a and b`, `a, b and c`.
pub(super) fn list<T: AsRef<str>>(items: &[T]) -> String {
    match items {
        [] => String::new(),
        [only] => only.as_ref().to_owned(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(AsRef::as_ref).collect();
            format!("{} and {}", first.join(", "), last.as_ref())
        }
    }
}

/// Joins the names of types: `string`, `string or null`.
pub(super) fn types(types: TypeSet) -> String {
    let names: Vec<&str> = types.iter().map(|kind| kind.name()).collect();
    names.join(" or ")
}

/// Whether two names are easily confused: equal except for case, `_` and `-`, or one edit apart and
/// at least four letters long.
pub(super) fn is_close(a: &str, b: &str) -> bool {
    let bare = |name: &str| name.to_lowercase().replace(['_', '-'], "");
    if bare(a) == bare(b) {
        return true;
    }
    a.chars().count().min(b.chars().count()) >= 4 && is_one_edit(a, b)
}

/// Whether one letter more, less, another, or two swapped turn one name into the other.
fn is_one_edit(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
    let same = short.iter().zip(long.iter()).take_while(|(x, y)| x == y).count();
    match long.len() - short.len() {
        0 => {
            let (rest_a, rest_b) = (&short[same..], &long[same..]);
            let swapped =
                matches!((rest_a, rest_b), ([x, y, s @ ..], [v, w, t @ ..]) if x == w && y == v && s == t);
            rest_a.get(1..) == rest_b.get(1..) || swapped
        }
        1 => short[same..] == long[same + 1..],
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_in_words() {
        assert_eq!(list(&["a"]), "a");
        assert_eq!(list(&["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn long_values_are_cut() {
        let long = value(&Value::from("é".repeat(100)));
        assert_eq!(long.chars().count(), MAX_SHOWN + 1);
    }

    #[test]
    fn names_that_are_close() {
        for (a, b) in
            [("city", "ctiy"), ("user_id", "userId"), ("files", "file"), ("name", "nane"), ("name", "names")]
        {
            assert!(is_close(a, b), "{a} and {b}");
        }
        for (a, b) in [("id", "ip"), ("name", "label"), ("start", "stop"), ("abcd", "badc")] {
            assert!(!is_close(a, b), "{a} and {b}");
        }
    }
}
