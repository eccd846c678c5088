//! Source to tree: alternatives, groups and quantifiers.
//!
//! The parser keeps its open groups on a stack of its own, so a hostile source cannot exhaust the
//! thread's. The passes that walk the tree recurse; for them groups nest at most [`MAX_NESTING`]
//! deep.
//!
//! [`check`] reads a source by the same grammar and builds no tree, so groups may nest as deep as they like. It takes
//! a few bytes of memory for each byte of the source at most.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::sync::Arc;

use smallvec::SmallVec;

use super::ast::{Assertion, Ast, Group, Look, Repeat};
use super::class::{Class, Shorthand};
use super::error::{Kind, PatternError, quote};

/// Deepest nesting of groups.
pub const MAX_NESTING: usize = 100;

/// Result of [`parse`]. In `ast`, the number in a backreference is still an index into
/// `references`.
pub(super) struct Parsed {
    pub(super) ast: Ast,
    pub(super) groups: u32,
    /// The groups to which the backreferences refer.
    pub(super) references: Vec<u32>,
    pub(super) strict: bool,
}

/// Target of a backreference, before all groups are known.
pub(super) enum Target<'s> {
    /// The number, and how it was written.
    Number(u32, &'s str),
    Name(String),
}

/// A unit that may be followed by a quantifier.
pub(super) enum Term {
    Char(char),
    Atom(Ast),
    /// An assertion, which no quantifier may follow.
    Fixed(Ast),
}

/// A group that is not closed yet; the bottom one is the pattern itself.
struct Frame {
    open: usize,
    kind: Opening,
    branches: Vec<Ast>,
    items: Vec<Ast>,
}

#[derive(Clone, Copy)]
enum Opening {
    Pattern,
    Group(Option<u32>),
    Look { behind: bool, negative: bool },
}

/// State of the parser: the position in the source, and what was read before it.
pub(super) struct Parser<'s> {
    source: &'s str,
    at: usize,
    groups: u32,
    names: BTreeMap<String, u32>,
    references: Vec<(usize, Target<'s>)>,
    pub(super) shorthands: Vec<(Shorthand, Arc<Class>)>,
    /// Classes in brackets that were read before, by their source.
    pub(super) classes: SmallVec<[(&'s str, Arc<Class>); 4]>,
    strict: bool,
    /// Whether to build a tree.
    builds: bool,
    /// Used when no tree is built: for each open group, whether it is a lookaround.
    open_looks: Vec<bool>,
}

pub(super) fn parse(source: &str) -> Result<Parsed, PatternError> {
    let mut parser = Parser::new(source, true);
    let ast = parser.pattern()?;
    let references = parser.resolve_targets()?;
    Ok(Parsed { ast, groups: parser.groups, references, strict: parser.strict })
}

/// Checks whether the source is a pattern. Groups may nest as deep as they like.
pub(super) fn check(source: &str) -> Result<(), PatternError> {
    let mut parser = Parser::new(source, false);
    parser.pattern()?;
    parser.resolve_targets().map(drop)
}

impl Frame {
    fn new(open: usize, kind: Opening) -> Frame {
        Frame { open, kind, branches: Vec::new(), items: Vec::new() }
    }

    fn end_branch(&mut self) {
        self.branches.push(Ast::concat(std::mem::take(&mut self.items)));
    }

    /// Adds to the branch; characters in a row become one literal.
    fn push(&mut self, term: Term) {
        match term {
            Term::Char(c) => match self.items.last_mut() {
                Some(Ast::Literal(text)) => text.push(c),
                Some(_) | None => self.items.push(Ast::Literal(c.into())),
            },
            Term::Atom(ast) | Term::Fixed(ast) => self.items.push(ast),
        }
    }

    fn close(mut self) -> Term {
        self.end_branch();
        let body = Ast::alternate(self.branches);
        match self.kind {
            Opening::Pattern => Term::Atom(body),
            Opening::Group(number) => Term::Atom(Ast::Group(Box::new(Group { number, body }))),
            Opening::Look { behind, negative } => {
                Term::Fixed(Ast::Look(Box::new(Look { behind, negative, body, offset: self.open })))
            }
        }
    }
}

impl<'s> Parser<'s> {
    fn new(source: &'s str, builds: bool) -> Parser<'s> {
        Parser {
            source,
            at: 0,
            groups: 0,
            names: BTreeMap::new(),
            references: Vec::new(),
            shorthands: Vec::new(),
            classes: SmallVec::new(),
            strict: true,
            builds,
            open_looks: Vec::new(),
        }
    }

    fn pattern(&mut self) -> Result<Ast, PatternError> {
        let mut stack = Vec::new();
        let mut frame = Frame::new(0, Opening::Pattern);
        loop {
            let offset = self.at;
            let Some(c) = self.next() else { break };
            let term = match c {
                '|' => {
                    if self.builds {
                        frame.end_branch();
                    }
                    continue;
                }
                '(' if !self.builds => {
                    let kind = self.opening(offset)?;
                    self.open_looks.push(matches!(kind, Opening::Look { .. }));
                    continue;
                }
                ')' if !self.builds => match self.open_looks.pop() {
                    Some(true) => Term::Fixed(Ast::Empty),
                    Some(false) => Term::Atom(Ast::Empty),
                    None => return Err(PatternError::new(offset, Kind::Unopened)),
                },
                '(' => {
                    if stack.len() == MAX_NESTING {
                        return Err(PatternError::new(offset, Kind::TooDeep { limit: MAX_NESTING }));
                    }
                    let kind = self.opening(offset)?;
                    stack.push(std::mem::replace(&mut frame, Frame::new(offset, kind)));
                    continue;
                }
                ')' => {
                    let outer = stack.pop().ok_or(PatternError::new(offset, Kind::Unopened))?;
                    std::mem::replace(&mut frame, outer).close()
                }
                '^' => Term::Fixed(Ast::Assertion(Assertion::Start)),
                '$' => Term::Fixed(Ast::Assertion(Assertion::End)),
                '.' => Term::Atom(Ast::Class(self.shorthand(Shorthand::Dot))),
                '[' => Term::Atom(Ast::Class(self.class(offset)?)),
                '\\' => self.escape(offset)?,
                '*' | '+' | '?' => return Err(PatternError::new(offset, Kind::NothingToRepeat(c))),
                '{' if braces(&self.source[offset..]).is_some() => {
                    return Err(PatternError::new(offset, Kind::NothingToRepeat(c)));
                }
                '{' | '}' | ']' => {
                    self.tolerate();
                    Term::Char(c)
                }
                c => Term::Char(c),
            };
            let term = self.quantified(term)?;
            if self.builds {
                frame.push(term);
            }
        }
        if !stack.is_empty() || !self.open_looks.is_empty() {
            return Err(PatternError::new(frame.open, Kind::Unclosed('(')));
        }
        match frame.close() {
            Term::Atom(ast) | Term::Fixed(ast) => Ok(ast),
            Term::Char(c) => Ok(Ast::Literal(c.into())),
        }
    }

    /// Reads the kind of a group, after its `(`.
    fn opening(&mut self, open: usize) -> Result<Opening, PatternError> {
        if !self.eat('?') {
            return Ok(Opening::Group(Some(self.new_group(open)?)));
        }
        let behind = self.peek() == Some('<') && matches!(self.peek_second(), Some('=' | '!'));
        if behind {
            self.next();
        }
        let at = self.at;
        match self.next() {
            Some(':') => Ok(Opening::Group(None)),
            Some('=') => Ok(Opening::Look { behind, negative: false }),
            Some('!') => Ok(Opening::Look { behind, negative: true }),
            Some('<') => {
                let number = self.new_group(open)?;
                let name = self.group_name()?;
                match self.names.entry(name) {
                    Entry::Vacant(free) => free.insert(number),
                    Entry::Occupied(taken) => {
                        return Err(PatternError::new(open, Kind::DuplicateName(quote(taken.key()))));
                    }
                };
                Ok(Opening::Group(Some(number)))
            }
            Some(_) | None => {
                let found = self.source[open..self.at.max(at)].to_owned();
                Err(PatternError::new(open, Kind::Group(found)))
            }
        }
    }

    fn new_group(&mut self, open: usize) -> Result<u32, PatternError> {
        self.groups = self.groups.checked_add(1).ok_or(PatternError::new(open, Kind::TooManyGroups))?;
        Ok(self.groups)
    }

    /// Adds the quantifier that follows a term, if there is one.
    fn quantified(&mut self, term: Term) -> Result<Term, PatternError> {
        let offset = self.at;
        let (sign, min, max, length) = match self.peek() {
            Some('*') => ('*', 0, None, 1),
            Some('+') => ('+', 1, None, 1),
            Some('?') => ('?', 0, Some(1), 1),
            Some('{') => match braces(self.rest()) {
                Some((min, max, length)) => ('{', min, max, length),
                None => return Ok(term),
            },
            Some(_) | None => return Ok(term),
        };
        let body = match term {
            Term::Char(_) if !self.builds => Ast::Empty,
            Term::Char(c) => Ast::Literal(c.into()),
            Term::Atom(ast) => ast,
            Term::Fixed(_) => return Err(PatternError::new(offset, Kind::RepeatedAssertion(sign))),
        };
        if max.is_some_and(|max| max < min) {
            return Err(PatternError::new(offset, Kind::QuantifierOrder));
        }
        self.at += length;
        let greedy = !self.eat('?');
        if !self.builds {
            return Ok(Term::Atom(Ast::Empty));
        }
        Ok(Term::Atom(Ast::Repeat(Box::new(Repeat { body, min, max, greedy }))))
    }

    /// Notes a backreference.
    pub(super) fn refer(&mut self, offset: usize, target: Target<'s>) -> Term {
        if !self.builds {
            // For numbers, the highest decides whether every reference has a group.
            match (&target, self.references.last()) {
                (Target::Number(new, _), Some((_, Target::Number(last, _)))) if new <= last => {}
                _ => self.references.push((offset, target)),
            }
            return Term::Atom(Ast::Empty);
        }
        // INVARIANT: `resolve` replaces this index by the group's number. It fits: a reference
        // takes two bytes of the source, and of a source with more than `u32::MAX` references the
        // first would be reported.
        let index = u32::try_from(self.references.len()).unwrap_or(u32::MAX);
        self.references.push((offset, target));
        Term::Atom(Ast::Backreference(index))
    }

    fn resolve_targets(&mut self) -> Result<Vec<u32>, PatternError> {
        let groups = self.groups;
        let mut references = Vec::with_capacity(self.references.len());
        for (offset, target) in std::mem::take(&mut self.references) {
            let group = match target {
                Target::Number(number, _) if number <= groups => number,
                Target::Number(_, digits) => {
                    let number = quote(digits);
                    return Err(PatternError::new(offset, Kind::UnknownGroup { number, groups }));
                }
                Target::Name(name) => match self.names.get(&name) {
                    Some(&number) => number,
                    None => return Err(PatternError::new(offset, Kind::UnknownName(quote(&name)))),
                },
            };
            references.push(group);
        }
        Ok(references)
    }

    /// Notes that the source needs Annex B.
    pub(super) fn tolerate(&mut self) {
        self.strict = false;
    }

    /// Returns the current offset, in bytes.
    pub(super) fn offset(&self) -> usize {
        self.at
    }

    /// Goes to another place, which must be between two characters.
    pub(super) fn back_to(&mut self, offset: usize) {
        self.at = offset;
    }

    pub(super) fn rest(&self) -> &'s str {
        self.from(self.at)
    }

    /// Returns the source from an offset on, which must be between two characters.
    pub(super) fn from(&self, offset: usize) -> &'s str {
        &self.source[offset..]
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(super) fn peek_second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    pub(super) fn eat(&mut self, wanted: char) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.at += wanted.len_utf8();
        }
        found
    }

    /// Reads all decimal digits that follow.
    pub(super) fn digits(&mut self) -> &'s str {
        let rest = self.rest();
        let digits = &rest[..leading_digits(rest)];
        self.at += digits.len();
        digits
    }
}

fn leading_digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// Reads `{n}`, `{n,}` or `{n,m}` at the beginning of `text`: its bounds, and its length in bytes.
fn braces(text: &str) -> Option<(u32, Option<u32>, usize)> {
    // Numbers beyond `u32` exceed the length of any text.
    let number = |digits: &str| digits.parse().unwrap_or(u32::MAX);
    let inside = text.strip_prefix('{')?;
    let (low, rest) = inside.split_at(leading_digits(inside));
    if low.is_empty() {
        return None;
    }
    let min = number(low);
    let (max, rest) = match rest.strip_prefix(',') {
        None => (Some(min), rest),
        Some(rest) => {
            let (high, rest) = rest.split_at(leading_digits(rest));
            (if high.is_empty() { None } else { Some(number(high)) }, rest)
        }
    };
    let rest = rest.strip_prefix('}')?;
    Some((min, max, text.len() - rest.len()))
}
