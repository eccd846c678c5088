//! Any pattern in the syntax of fancy-regex 0.20, which backtracks.
//!
//! ```text
//! \b           (?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))
//!              its own goes by Unicode, and its flag `u` cannot be switched off
//! (?:(a)|b)\1  (?:(a)|b)(?(1)\k<1>|): the group may have taken no part
//! (?=…)        (?>(?=…)), where fancy-regex would otherwise go back into it; ECMA-262 never does
//! (a)          (?:a), if nothing refers to it: then more can be delegated to the linear engine
//! (?:^)*       nothing: a repeated assertion is refused there
//! ```
//!
//! fancy-regex 0.20 also rewrites repetitions, and some of its rewriting changes the meaning. We
//! say these differently, so that it does not recognize them:
//!
//! ```text
//! a+b?a+       a+(?:b|)a+        else it becomes a+(?:ba+)?, which matches a single a
//! (a+(ba+)?)+  (a+(?:ba+|))+     else it becomes a+(?:ba+)*, which matches ababa
//! (a+)+\1      ((?=)a+)+\1       else it becomes (a+)\1, which does not match aaa
//! ```

use std::fmt::Write;

use super::ast::{Assertion, Ast, Group, Look, Repeat};
use super::class::Class;
use super::error::{Kind, PatternError};

/// fancy-regex refuses groups nested deeper than this.
const MAX_DEPTH: usize = 63;

const WORD: &str = "[0-9A-Z_a-z]";

/// Refuses what fancy-regex could not run, or would run wrongly.
pub(super) fn check(ast: &Ast, captures: &[u32]) -> Result<(), PatternError> {
    check_lookbehinds(ast, captures)?;
    let mut writer = Writer::new(captures);
    writer.ast(ast);
    if writer.deepest > MAX_DEPTH {
        return Err(PatternError::new(
            0,
            Kind::Unsupported("lookaround or a backreference in groups nested so deep"),
        ));
    }
    Ok(())
}

/// fancy-regex 0.20 looks behind by a fixed number of characters, or with a reversed automaton. The
/// third way, for a body which is neither of fixed length nor regular, is not to be trusted: it
/// tries one beginning, or confuses those of several lookbehinds. Each alternative is looked for on
/// its own.
fn check_lookbehinds(ast: &Ast, captures: &[u32]) -> Result<(), PatternError> {
    if let Ast::Look(look) = ast
        && look.behind
    {
        let alternatives = if let Ast::Alternate(branches) = &look.body {
            branches
        } else {
            std::slice::from_ref(&look.body)
        };
        if !alternatives.iter().all(|body| body.fixed_length().is_some() || is_easy(body, captures)) {
            let what = "a lookbehind of variable length with an assertion in it";
            return Err(PatternError::new(look.offset, Kind::Unsupported(what)));
        }
    }
    ast.children().iter().try_for_each(|child| check_lookbehinds(child, captures))
}

/// Whether fancy-regex leaves all of it to the linear engine.
fn is_easy(ast: &Ast, captures: &[u32]) -> bool {
    let easy = match ast {
        Ast::Look(_) | Ast::Backreference { .. } => false,
        Ast::Assertion(assertion) => matches!(assertion, Assertion::Start | Assertion::End),
        Ast::Group(group) => number(group, captures).is_none(),
        Ast::Empty
        | Ast::Literal(_)
        | Ast::Class(_)
        | Ast::Repeat(_)
        | Ast::Concat(_)
        | Ast::Alternate(_) => true,
    };
    easy && ast.children().iter().all(|child| is_easy(child, captures))
}

/// The number of a group there, if it must capture.
fn number(group: &Group, captures: &[u32]) -> Option<usize> {
    position(group.number?, captures)
}

fn position(group: u32, captures: &[u32]) -> Option<usize> {
    captures.binary_search(&group).ok().map(|at| at + 1)
}

fn as_repeat(ast: &Ast) -> Option<&Repeat> {
    if let Ast::Repeat(repeat) = ast { Some(repeat) } else { None }
}

/// The same meaning there.
pub(super) fn translate(ast: &Ast, captures: &[u32]) -> String {
    let mut writer = Writer::new(captures);
    writer.ast(ast);
    writer.text
}

struct Writer<'p> {
    text: String,
    captures: &'p [u32],
    depth: usize,
    deepest: usize,
}

impl<'p> Writer<'p> {
    fn new(captures: &'p [u32]) -> Writer<'p> {
        Writer { text: String::new(), captures, depth: 0, deepest: 0 }
    }

    fn ast(&mut self, ast: &Ast) {
        match ast {
            Ast::Empty => {}
            Ast::Literal(text) => text.chars().for_each(|c| self.literal(c)),
            Ast::Class(class) => self.class(class),
            Ast::Assertion(assertion) => self.assertion(*assertion),
            Ast::Group(group) => {
                let open = if number(group, self.captures).is_some() { "(" } else { "(?:" };
                self.enclosed(open, &group.body);
            }
            Ast::Look(look) => self.look(look),
            Ast::Repeat(repeat) => self.repeat(repeat),
            Ast::Backreference { group, certain } => self.backreference(*group, *certain),
            Ast::Concat(items) => self.concat(items),
            Ast::Alternate(branches) => {
                for (at, branch) in branches.iter().enumerate() {
                    if at > 0 {
                        self.text.push('|');
                    }
                    self.ast(branch);
                }
            }
        }
    }

    fn enter(&mut self, levels: usize) {
        self.depth += levels;
        self.deepest = self.deepest.max(self.depth);
    }

    fn enclosed(&mut self, open: &str, body: &Ast) {
        self.enter(1);
        self.text.push_str(open);
        self.ast(body);
        self.text.push(')');
        self.depth -= 1;
    }

    fn look(&mut self, look: &Look) {
        let open = match (look.behind, look.negative) {
            (false, false) => "(?=",
            (false, true) => "(?!",
            (true, false) => "(?<=",
            (true, true) => "(?<!",
        };
        // The linear engine does not go back, and a negative lookaround leaves nothing to go back
        // to.
        let atomic = !look.negative && !is_easy(&look.body, self.captures);
        if atomic {
            self.enter(1);
            self.text.push_str("(?>");
        }
        self.enclosed(open, &look.body);
        if atomic {
            self.text.push(')');
            self.depth -= 1;
        }
    }

    fn concat(&mut self, items: &[Ast]) {
        // Neighbors are those that fancy-regex sees: what is written as nothing does not stand
        // between others.
        let seen = |item| Some((item, as_repeat(self.seen(item)?)));
        let items: Vec<(&Ast, Option<&Repeat>)> = items.iter().filter_map(seen).collect();
        let unbounded = |at: Option<usize>| {
            let repeat = at.and_then(|at| items.get(at)).and_then(|(_, repeat)| *repeat);
            repeat.is_some_and(|repeat| self.has_nested(repeat, |repeat| repeat.max.is_none()))
        };
        let mut between = Vec::with_capacity(items.len());
        for (at, &(_, repeat)) in items.iter().enumerate() {
            let skipped = repeat.filter(|repeat| self.has_nested(repeat, |repeat| repeat.min == 0));
            // It matters only where both repeat the same, but what is the same to fancy-regex?
            between.push(skipped.filter(|_| unbounded(at.checked_sub(1)) && unbounded(at.checked_add(1))));
        }
        for (&(item, _), between) in items.iter().zip(between) {
            match between {
                Some(repeat) => self.optional(repeat),
                None => self.ast(item),
            }
        }
    }

    /// Whether something holds for a repetition, or for one that alone is in it: fancy-regex makes
    /// one of the two if both are greedy.
    fn has_nested(&self, repeat: &Repeat, holds: fn(&Repeat) -> bool) -> bool {
        let inner = || self.seen(&repeat.body).and_then(as_repeat).filter(|inner| inner.greedy);
        holds(repeat) || (repeat.greedy && inner().is_some_and(|inner| self.has_nested(inner, holds)))
    }

    /// What fancy-regex sees of a node: it drops what is empty, and groups that do not capture.
    fn seen<'a>(&self, ast: &'a Ast) -> Option<&'a Ast> {
        match ast {
            Ast::Empty => None,
            Ast::Group(group) if number(group, self.captures).is_none() => self.seen(&group.body),
            Ast::Repeat(repeat) if repeat.max == Some(0) => None,
            Ast::Repeat(repeat) if repeat.body.is_zero_width() => {
                if repeat.min == 0 {
                    None
                } else {
                    self.seen(&repeat.body)
                }
            }
            Ast::Concat(items) => {
                let mut visible = items.iter().filter_map(|item| self.seen(item));
                match (visible.next(), visible.next()) {
                    (None, _) => None,
                    (Some(only), None) => Some(only),
                    (Some(_), Some(_)) => Some(ast),
                }
            }
            Ast::Literal(_)
            | Ast::Class(_)
            | Ast::Assertion(_)
            | Ast::Group(_)
            | Ast::Look(_)
            | Ast::Repeat(_)
            | Ast::Backreference { .. }
            | Ast::Alternate(_) => Some(ast),
        }
    }

    fn repeat(&mut self, repeat: &Repeat) {
        if repeat.max == Some(0) {
            return;
        }
        if repeat.body.is_zero_width() {
            // Once is as good as often, and ECMA-262 discards a round that is empty and not
            // demanded. INVARIANT: no group in here is referred to (`resolve.rs`), so none is
            // missing in the count.
            if repeat.min > 0 {
                self.ast(&repeat.body);
            }
            return;
        }
        if let (0, Some(1), Some(Ast::Concat(items))) = (repeat.min, repeat.max, self.seen(&repeat.body))
            && items.iter().rev().find_map(|item| self.seen(item)).and_then(as_repeat).is_some()
        {
            return self.optional(repeat);
        }
        if let Ast::Group(group) = &repeat.body
            && number(group, self.captures).is_some()
            && self.seen(&group.body).and_then(as_repeat).is_some()
        {
            self.enclosed("((?=)", &group.body);
        } else {
            self.ast(&repeat.body);
        }
        self.quantifier(repeat.min, repeat);
    }

    /// A repetition that may be empty, as an alternative: `b{0,2}` as `(?:b{1,2}|)`.
    fn optional(&mut self, repeat: &Repeat) {
        self.enter(1);
        self.text.push_str(if repeat.greedy { "(?:" } else { "(?:|" });
        self.ast(&repeat.body);
        if repeat.max != Some(1) {
            self.quantifier(repeat.min.max(1), repeat);
        }
        self.text.push_str(if repeat.greedy { "|)" } else { ")" });
        self.depth -= 1;
    }

    fn quantifier(&mut self, min: u32, repeat: &Repeat) {
        match (min, repeat.max) {
            (0, None) => self.text.push('*'),
            (1, None) => self.text.push('+'),
            (0, Some(1)) => self.text.push('?'),
            (min, None) => self.write(format_args!("{{{min},}}")),
            (min, Some(max)) => self.write(format_args!("{{{min},{max}}}")),
        }
        if !repeat.greedy {
            self.text.push('?');
        }
    }

    fn backreference(&mut self, group: u32, certain: bool) {
        // INVARIANT: `captures` has every group to which a reference is left.
        let Some(number) = position(group, self.captures) else { return };
        if certain {
            self.write(format_args!(r"\k<{number}>"));
        } else {
            self.enter(1);
            self.write(format_args!(r"(?({number})\k<{number}>|)"));
            self.depth -= 1;
        }
    }

    fn assertion(&mut self, assertion: Assertion) {
        let (behind, ahead) = match assertion {
            Assertion::Start => return self.text.push('^'),
            Assertion::End => return self.text.push('$'),
            Assertion::WordBoundary => ("!", "="),
            Assertion::NotWordBoundary => ("=", "!"),
        };
        self.enter(2);
        self.write(format_args!("(?:(?<={WORD})(?{behind}{WORD})|(?<!{WORD})(?{ahead}{WORD}))"));
        self.depth -= 2;
    }

    fn class(&mut self, class: &Class) {
        self.text.push('[');
        if class.is_negated() {
            self.text.push('^');
        }
        for &(start, end) in class.ranges() {
            self.member(start);
            if start != end {
                self.text.push('-');
                self.member(end);
            }
        }
        for property in class.properties() {
            match (property.ranges().is_empty(), property.is_negated()) {
                (false, false) => self.write(format_args!("\\p{{{}}}", property.query())),
                (false, true) => self.write(format_args!("\\P{{{}}}", property.query())),
                // No character has it: `Surrogate`, for which there is no table.
                (true, false) => {}
                (true, true) => self.text.push_str(r"\p{Any}"),
            }
        }
        if self.text.ends_with(['[', '^']) {
            // Brackets around nothing are not possible there.
            self.text.push_str(r"\P{Any}");
        }
        self.text.push(']');
    }

    fn literal(&mut self, c: char) {
        match c {
            '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' => {
                self.text.push('\\');
                self.text.push(c);
            }
            c if c.is_control() => self.write(format_args!("\\x{{{:X}}}", u32::from(c))),
            c => self.text.push(c),
        }
    }

    fn member(&mut self, c: char) {
        if c.is_ascii_alphanumeric() {
            self.text.push(c);
        } else {
            self.write(format_args!("\\x{{{:X}}}", u32::from(c)));
        }
    }

    fn write(&mut self, arguments: std::fmt::Arguments<'_>) {
        // A `String` takes whatever is written.
        let _ = self.text.write_fmt(arguments);
    }
}
