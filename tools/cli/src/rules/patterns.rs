//! Rules for patterns that mean something else than they seem to, and for those that not every
//! engine supports.

use serde_json::Value;
use stanchion_vocab::ecma::{Assertion, Ast, Pattern};

use super::walk::Site;
use super::{Findings, PATTERN_ANCHORS, PATTERN_BACKTRACKING, PATTERN_SLASHES, words};

pub(super) fn look(site: &Site<'_>, found: &mut Findings) {
    if let Some(pattern) = site.get("pattern").and_then(Value::as_str) {
        judge(pattern, &site.at(&["pattern"]), found);
    }
    for (pattern, _) in site.map("patternProperties").into_iter().flatten() {
        judge(pattern, &site.at(&["patternProperties", pattern]), found);
    }
}

/// Longest pattern that is analyzed. The engine has its own limit on the cost of one.
const MAX_ANALYZED: usize = 10_000;

fn judge(source: &str, place: &str, found: &mut Findings) {
    if source.len() > MAX_ANALYZED {
        return;
    }
    if let Some(inner) = in_slashes(source) {
        found.push(
            &PATTERN_SLASHES,
            place.to_owned(),
            "the slashes are part of the pattern: it matches texts with slashes in them".to_owned(),
            format!("write it without: {}", words::name(inner)),
        );
        return;
    }
    let Ok(pattern) = Pattern::parse(source) else { return };
    if pattern.has_backreferences() {
        found.push(
            &PATTERN_BACKTRACKING,
            place.to_owned(),
            "a backreference needs backtracking: nothing bounds the time of a match but a budget".to_owned(),
            "write the alternatives out, or check this outside of the schema",
        );
    } else if !pattern.is_regular() {
        found.push(
            &PATTERN_BACKTRACKING,
            place.to_owned(),
            "lookaround needs backtracking in most engines, and those without it refuse the pattern"
                .to_owned(),
            "say it with `not`, `allOf` and a pattern each",
        );
    }
    if anchors_one_side_each(pattern.ast()) {
        found.push(
            &PATTERN_ANCHORS,
            place.to_owned(),
            "`^` belongs to the first alternative only, and `$` to the last".to_owned(),
            format!("put the alternatives into a group: {}", words::name(&grouped(source))),
        );
    }
}

/// Returns what is between the slashes of `/…/` or `/…/i`, if the inside is anchored as nobody
/// would anchor it otherwise.
fn in_slashes(source: &str) -> Option<&str> {
    let (inner, flags) = source.strip_prefix('/')?.rsplit_once('/')?;
    let is_anchored = inner.starts_with('^') || inner.ends_with('$');
    (is_anchored && flags.chars().all(|flag| "gimsuy".contains(flag))).then_some(inner)
}

/// Whether the pattern is like `^a|b$`: only the first alternative has a start anchor, and only the
/// last an end anchor.
fn anchors_one_side_each(ast: &Ast) -> bool {
    let Ast::Alternate(branches) = ast else { return false };
    let starts = |branch: &Ast| matches!(ends(branch).0, Some(Ast::Assertion(Assertion::Start)));
    let ends_there = |branch: &Ast| matches!(ends(branch).1, Some(Ast::Assertion(Assertion::End)));
    let (Some(first), Some(last)) = (branches.first(), branches.last()) else { return false };
    let middle = &branches[1..branches.len() - 1];
    starts(first)
        && !ends_there(first)
        && ends_there(last)
        && !starts(last)
        && middle.iter().all(|branch| !starts(branch) && !ends_there(branch))
}

/// Returns the first and the last part of an alternative.
fn ends(ast: &Ast) -> (Option<&Ast>, Option<&Ast>) {
    match ast {
        Ast::Concat(parts) => (parts.first(), parts.last()),
        Ast::Empty
        | Ast::Literal(_)
        | Ast::Class(_)
        | Ast::Assertion(_)
        | Ast::Group(_)
        | Ast::Look(_)
        | Ast::Repeat(_)
        | Ast::Backreference(_)
        | Ast::Alternate(_) => (Some(ast), Some(ast)),
    }
}

/// Rewrites `^a|b$` as it was probably meant.
fn grouped(source: &str) -> String {
    let inner = source.strip_prefix('^').unwrap_or(source);
    let inner = inner.strip_suffix('$').unwrap_or(inner);
    format!("^(?:{inner})$")
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    #[test]
    fn patterns_that_mean_something_else() {
        check(r#"{"pattern": "/^[a-z]+$/"}"#, &["pattern-slashes /pattern"]);
        check(r#"{"pattern": "/^a/i"}"#, &["pattern-slashes /pattern"]);
        check(r#"{"pattern": "^foo|bar$"}"#, &["pattern-anchors /pattern"]);
        check(r#"{"patternProperties": {"^a|b|c$": true}}"#, &["pattern-anchors /patternProperties/^a|b|c$"]);
    }

    #[test]
    fn patterns_that_need_backtracking() {
        check(r#"{"pattern": "^(a+)\\1$"}"#, &["pattern-backtracking /pattern"]);
        check(r#"{"pattern": "^(?!x)"}"#, &["pattern-backtracking /pattern"]);
    }

    #[test]
    fn patterns_that_are_fine() {
        for pattern in
            ["^(foo|bar)$", "^foo$|^bar$", "^a", "/api/", "^/a/b/$", "a|b", "^a|^b", "a$|b$", "^(a+)+$"]
        {
            check(&serde_json::json!({"pattern": pattern}).to_string(), &[]);
        }
    }
}
