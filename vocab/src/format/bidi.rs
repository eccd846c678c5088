//! The Bidi rule, RFC 5893 §2: a label that mixes directions must still have one reading.
//!
//! The rule applies to every label of a name that has a right-to-left character anywhere, and to no
//! other name. The first character of a label sets its direction. The direction decides which
//! characters the label may hold and how it may end.

use crate::unicode::classes::Direction::{self, AL, AN, BN, CS, EN, ES, ET, L, NSM, ON, R};

/// Whether the rule allows the name made of these labels.
pub(super) fn allows(labels: &[String]) -> bool {
    let mut classes = labels.iter().flat_map(|label| label.chars()).map(Direction::of);
    !classes.any(|class| matches!(class, R | AL | AN)) || labels.iter().all(|label| is_readable(label))
}

fn is_readable(label: &str) -> bool {
    let classes: Vec<Direction> = label.chars().map(Direction::of).collect();
    let has = |wanted: Direction| classes.contains(&wanted);
    let end = classes.iter().rev().find(|&&class| class != NSM);
    match classes.first() {
        Some(R | AL) => {
            classes.iter().all(|class| matches!(class, R | AL | AN | EN | ES | CS | ET | ON | BN | NSM))
                && end.is_some_and(|class| matches!(class, R | AL | EN | AN))
                && !(has(EN) && has(AN))
        }
        Some(L) => {
            classes.iter().all(|class| matches!(class, L | EN | ES | CS | ET | ON | BN | NSM))
                && end.is_some_and(|class| matches!(class, L | EN))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, allowed: bool) {
        let labels: Vec<String> = name.split('.').map(str::to_owned).collect();
        assert_eq!(allows(&labels), allowed, "{name}");
    }

    #[test]
    fn one_right_to_left_label_binds_the_others() {
        check("3com.example", true);
        check("com.אב", true);
        check("3com.אב", false);
        check("com3.אב", true);
    }

    #[test]
    fn right_to_left_labels() {
        check("א1", true);
        check("א-ב", true);
        check("א1٢", false);
        check("אa", false);
        check("aא", false);
        check("٢", false);
        // A point below the last letter does not count as the end.
        check("אב\u{5B4}", true);
    }
}
