//! Finds the bytes of a JSON Pointer in JSON text.
//!
//! One pass over the text finds many pointers. The pointers form a tree; the text is read along it,
//! and values beside it are skipped. There is no recursion: the stack is as deep as the longest
//! pointer, and a skipped value is a count of brackets. So any text is read in linear time, also
//! one that is not JSON: then nothing after the mistake is found.

use stanchion_vocab::pointer;
use std::collections::HashMap;
use std::ops::Range;

/// The place of a value in a text, in bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The value.
    pub value: Range<usize>,
    /// The name of the member whose value it is, with its quotes.
    pub name: Option<Range<usize>>,
}

/// Finds the place of one pointer.
///
/// ```
/// let text = r#"{"a": [1, {"b/c": true}]}"#;
/// let place = stanchion_render::locate(text, "/a/1/b~1c").unwrap();
/// assert_eq!((&text[place.value], &text[place.name.unwrap()]), ("true", r#""b/c""#));
/// ```
pub fn locate(text: &str, pointer: &str) -> Option<Place> {
    locate_all(text, &[pointer]).pop().flatten()
}

/// Finds the places of many pointers, in their order; `None` for one that leads nowhere.
///
/// If a name is repeated, the last member counts, as for the engine.
pub fn locate_all(text: &str, pointers: &[&str]) -> Vec<Option<Place>> {
    let mut tree = Tree::default();
    let wanted: Vec<Option<usize>> = pointers.iter().map(|pointer| tree.add(pointer)).collect();
    let mut scan = Scan { text: text.as_bytes(), whole: text, at: 0 };
    scan.document(&mut tree);
    wanted.into_iter().map(|step| tree.steps.get(step?)?.found.clone()).collect()
}

/// The pointers as a tree; the first step is the root.
struct Tree {
    steps: Vec<Step>,
}

#[derive(Default)]
struct Step {
    names: HashMap<String, usize>,
    /// Steps whose name can be the index of an item, by that index.
    items: HashMap<usize, usize>,
    found: Option<Place>,
    /// Whether the text has reached this step, so that there may be something to reset.
    seen: bool,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree { steps: vec![Step::default()] }
    }
}

impl Tree {
    /// Adds a pointer and returns the step that it leads to; `None` if it is not a pointer.
    fn add(&mut self, pointer: &str) -> Option<usize> {
        let mut at = 0;
        for token in pointer::tokens(pointer)? {
            let next = self.steps.len();
            at = *self.steps[at].names.entry(token.into_owned()).or_insert(next);
            if at == next {
                self.steps.push(Step::default());
            }
        }
        Some(at)
    }

    /// Fills `items`, by the numbers that are spelled as in a pointer.
    fn number_items(&mut self) {
        for step in &mut self.steps {
            step.items =
                step.names.iter().filter_map(|(name, &to)| Some((pointer::index(name)?, to))).collect();
        }
    }

    /// Resets what was found at a step and below, because a repeated name replaces it. Steps that
    /// were not reached are skipped, so a text with repeated names pays only for what it contains.
    fn forget(&mut self, step: usize) {
        let mut open = vec![step];
        while let Some(step) = open.pop() {
            let step = &mut self.steps[step];
            if step.seen {
                step.seen = false;
                step.found = None;
                open.extend(step.names.values());
            }
        }
    }
}

/// An open array or object on the path of a pointer.
struct Open {
    step: usize,
    start: usize,
    name: Option<Range<usize>>,
    /// Index of the next item; `None` in an object.
    next: Option<usize>,
}

struct Scan<'t> {
    text: &'t [u8],
    whole: &'t str,
    at: usize,
}

impl Scan<'_> {
    /// Reads a text until its end or its first mistake.
    fn document(&mut self, tree: &mut Tree) -> Option<()> {
        tree.number_items();
        let mut open = Vec::new();
        self.space();
        self.value(tree, &mut open, Some(0), None)?;
        while let Some(mut inner) = open.pop() {
            self.space();
            if matches!(self.byte()?, b']' | b'}') {
                self.at += 1;
                let value = inner.start..self.at;
                tree.steps[inner.step].found = Some(Place { value, name: inner.name });
                self.space();
                self.comma();
                continue;
            }
            let (step, name) = match &mut inner.next {
                Some(index) => {
                    *index += 1;
                    (tree.steps[inner.step].items.get(&(*index - 1)).copied(), None)
                }
                None => {
                    let name = self.name()?;
                    (self.member(tree, inner.step, &name), Some(name))
                }
            };
            open.push(inner);
            self.value(tree, &mut open, step, name)?;
        }
        Some(())
    }

    /// Reads a value: its beginning, if pointers lead into it; otherwise the whole, and the comma
    /// after it.
    fn value(
        &mut self,
        tree: &mut Tree,
        open: &mut Vec<Open>,
        step: Option<usize>,
        name: Option<Range<usize>>,
    ) -> Option<()> {
        let start = self.at;
        let first = self.byte()?;
        if let Some(step) = step {
            tree.forget(step);
            tree.steps[step].seen = true;
            if !tree.steps[step].names.is_empty() && matches!(first, b'[' | b'{') {
                self.at += 1;
                open.push(Open { step, start, name, next: (first == b'[').then_some(0) });
                return Some(());
            }
        }
        self.skip()?;
        if let Some(step) = step {
            tree.steps[step].found = Some(Place { value: start..self.at, name });
        }
        self.space();
        self.comma();
        Some(())
    }

    /// Reads a name and the colon after it.
    fn name(&mut self) -> Option<Range<usize>> {
        let start = self.at;
        self.string()?;
        let name = start..self.at;
        self.space();
        if self.byte()? != b':' {
            return None;
        }
        self.at += 1;
        self.space();
        Some(name)
    }

    /// Returns the step of a member, however its name is escaped.
    fn member(&self, tree: &Tree, step: usize, name: &Range<usize>) -> Option<usize> {
        let quoted = self.whole.get(name.clone())?;
        let names = &tree.steps[step].names;
        if quoted.contains('\\') {
            names.get(&serde_json::from_str::<String>(quoted).ok()?).copied()
        } else {
            names.get(quoted.get(1..quoted.len() - 1)?).copied()
        }
    }

    /// Skips a value.
    fn skip(&mut self) -> Option<()> {
        let mut depth = 0usize;
        loop {
            match self.byte()? {
                b'"' => self.string()?,
                b'[' | b'{' => {
                    depth += 1;
                    self.at += 1;
                    continue;
                }
                b']' | b'}' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' | b' ' | b'\t' | b'\r' | b'\n' if depth > 0 => {
                    self.at += 1;
                    continue;
                }
                _ => self.word()?,
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    /// Skips a number, `true`, `false` or `null`: at least one byte, up to a delimiter.
    fn word(&mut self) -> Option<()> {
        let rest = self.text.get(self.at..)?;
        let ends =
            |byte: &u8| matches!(byte, b',' | b':' | b']' | b'}' | b'[' | b'{' | b'"') || is_space(*byte);
        let length = rest.iter().position(ends).unwrap_or(rest.len());
        self.at += length;
        (length > 0).then_some(())
    }

    fn string(&mut self) -> Option<()> {
        if self.byte()? != b'"' {
            return None;
        }
        self.at += 1;
        loop {
            self.at += memchr::memchr2(b'"', b'\\', self.text.get(self.at..)?)?;
            let is_end = self.byte()? == b'"';
            self.at += if is_end { 1 } else { 2 };
            if is_end {
                return Some(());
            }
        }
    }

    fn space(&mut self) {
        while self.byte().is_some_and(is_space) {
            self.at += 1;
        }
    }

    fn comma(&mut self) {
        if self.byte() == Some(b',') {
            self.at += 1;
            self.space();
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, pointer: &str, value: Option<&str>) {
        let place = locate(text, pointer);
        assert_eq!(place.map(|place| &text[place.value]), value, "{pointer} in {text}");
    }

    #[test]
    fn values_of_every_kind() {
        let text = " { \"n\" : null, \"t\":true,\"x\":-1.5e3 , \"s\":\"a\\\"]}\", \"a\":[ ], \"o\":{}} ";
        check(text, "", Some(text.trim()));
        check(text, "/n", Some("null"));
        check(text, "/t", Some("true"));
        check(text, "/x", Some("-1.5e3"));
        check(text, "/s", Some("\"a\\\"]}\""));
        check(text, "/a", Some("[ ]"));
        check(text, "/o", Some("{}"));
        check("7", "", Some("7"));
    }

    #[test]
    fn items_by_number() {
        let text = "[10, [20, [30, 31]], {\"1\": 40}]";
        check(text, "/0", Some("10"));
        check(text, "/1/1/1", Some("31"));
        check(text, "/2/1", Some("40"));
        check(text, "/3", None);
        check(text, "/00", None);
        check(text, "/-", None);
        check(text, "/0/0", None);
    }

    #[test]
    fn names_with_escapes() {
        check(r#"{"a\u002fb": 1}"#, "/a~1b", Some("1"));
        check(r#"{"~1": 1, "~": 2}"#, "/~01", Some("1"));
        check(r#"{"\ud83d\ude00": 1}"#, "/😀", Some("1"));
        check(r#"{"": {"": 5}}"#, "//", Some("5"));
        check(r#"{"\"": 1}"#, "/\"", Some("1"));
    }

    #[test]
    fn the_last_of_repeated_names_counts() {
        check(r#"{"a": 1, "b": 0, "a": 2}"#, "/a", Some("2"));
        check(r#"{"a": 1, "\u0061": 3}"#, "/a", Some("3"));
        check(r#"{"a": {"b": 1}, "a": {"c": 2}}"#, "/a/b", None);
        check(r#"{"a": {"b": {"c": 1}}, "a": 7}"#, "/a/b/c", None);
        check(r#"{"a": 7, "a": {"b": {"c": 1}}}"#, "/a/b/c", Some("1"));
    }

    #[test]
    fn many_at_once() {
        let text = r#"{"a": [1, 2], "b": {"c": 3}}"#;
        let found = locate_all(text, &["/b/c", "", "/a", "/a/1", "/x", "/a/1", "no pointer"]);
        let found: Vec<_> = found.into_iter().map(|place| place.map(|place| &text[place.value])).collect();
        assert_eq!(found, [Some("3"), Some(text), Some("[1, 2]"), Some("2"), None, Some("2"), None]);
    }

    #[test]
    fn depth_is_no_matter() {
        let deep = format!("{}1{}", "[".repeat(200_000), "]".repeat(200_000));
        check(&deep, "", Some(&deep));
        check(&deep, &"/0".repeat(200_000), Some("1"));
        check(&format!("[{deep}, 2]"), "/1", Some("2"));
    }

    #[test]
    fn any_text_is_read_to_an_end() {
        let text = r#"{"a": [1, {"b\n": "c\\"}, nul, -], "d": {}}"#;
        for end in 0..=text.len() {
            for start in 0..end {
                drop(locate_all(&text[start..end], &["", "/a", "/a/1/b\n", "/d/e"]));
            }
        }
        for text in
            ["", " ", "]", "}", "{]", "[}", "{\"", "\"\\", "{\"a\"}", "{\"a\":", "[,,]", "::", "[1 2]"]
        {
            drop(locate_all(text, &["", "/a", "/0", "/1"]));
        }
    }
}
