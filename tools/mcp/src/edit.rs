//! Edits of JSON text: everything that is not edited stays byte for byte, digits and order included.
//!
//! The texts were parsed before, so they are known to be JSON.

use crate::words;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// The members of an object, each with its value as text, in the order of the text.
#[derive(Debug)]
pub(crate) struct Members<'t> {
    list: Vec<(String, Cow<'t, str>)>,
}

impl<'t> Members<'t> {
    /// Splits the text of an object into its members. The error is a sentence.
    ///
    /// A repeated name is refused: one reader would take the first value, another the last.
    pub(crate) fn of(text: &'t str) -> Result<Members<'t>, String> {
        let mut scan = Scan { text, at: 0 };
        let mut list: Vec<(String, Cow<'t, str>)> = Vec::new();
        scan.space();
        if scan.peek() != Some(b'{') {
            return Err("expected an object".to_owned());
        }
        scan.each_member(|name, value| {
            list.push((name, Cow::Borrowed(value)));
        });
        let mut names = HashSet::with_capacity(list.len());
        match list.iter().find(|(name, _)| !names.insert(name)) {
            Some((name, _)) => Err(format!("the member {} is there twice", words::quoted(name))),
            None => Ok(Members { list }),
        }
    }

    /// Returns the text of a member.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.list.iter().find(|(other, _)| other == name).map(|(_, text)| text.as_ref())
    }

    /// Returns the text of a member, if it is the only one.
    pub(crate) fn only(&self, name: &str) -> Option<String> {
        self.get(name).filter(|_| self.list.len() == 1).map(str::to_owned)
    }

    /// Parses a member, with `0` for each number.
    pub(crate) fn value(&self, name: &str) -> Option<Value> {
        self.get(name).and_then(crate::text::skeleton)
    }

    /// Replaces the text of a member, or adds the member.
    pub(crate) fn set(&mut self, name: &str, text: String) {
        match self.list.iter_mut().find(|(other, _)| other == name) {
            Some((_, place)) => *place = Cow::Owned(text),
            None => self.list.push((name.to_owned(), Cow::Owned(text))),
        }
    }

    /// Whether a member was set.
    pub(crate) fn is_changed(&self) -> bool {
        self.list.iter().any(|(_, text)| matches!(text, Cow::Owned(_)))
    }

    /// Returns the object as text.
    pub(crate) fn to_text(&self) -> String {
        let member = |(name, text): &(String, Cow<'_, str>)| format!("{}:{text}", Value::from(name.as_str()));
        format!("{{{}}}", self.list.iter().map(member).collect::<Vec<_>>().join(","))
    }
}

/// Returns the text of a member of an object.
pub(crate) fn member<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    let mut scan = Scan { text, at: 0 };
    scan.space();
    if scan.peek() != Some(b'{') {
        return None;
    }
    let mut found = None;
    scan.each_member(|other, value| {
        if other == name {
            found = Some(value);
        }
    });
    found
}

/// Returns the texts of an array's items. `None` if the text is not an array.
pub(crate) fn items(text: &str) -> Option<Vec<&str>> {
    let mut scan = Scan { text, at: 0 };
    scan.space();
    if scan.peek() != Some(b'[') {
        return None;
    }
    scan.at += 1;
    let mut items = Vec::new();
    loop {
        scan.space();
        match scan.peek() {
            Some(b',') => scan.at += 1,
            None | Some(b']') => return Some(items),
            Some(_) => items.push(scan.value()),
        }
    }
}

/// Returns the text of an array with one more item.
pub(crate) fn push_item(array: &str, item: &str) -> String {
    let inner = array.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or("").trim();
    let comma = if inner.is_empty() { "" } else { "," };
    format!("[{inner}{comma}{item}]")
}

/// Returns a text without the white space between its tokens.
pub(crate) fn compact(text: &str) -> String {
    let mut compact = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find('"') {
        compact.extend(rest[..start].chars().filter(|char| !char.is_ascii_whitespace()));
        let end = start + string_length(&rest[start..]);
        compact.push_str(&rest[start..end]);
        rest = &rest[end..];
    }
    compact.extend(rest.chars().filter(|char| !char.is_ascii_whitespace()));
    compact
}

/// Changes to a text, by JSON Pointer.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    /// New values, by the place of the old ones.
    pub(crate) replaced: HashMap<String, String>,
    /// Members that are added at the end of an object.
    pub(crate) added: HashMap<String, Vec<(String, String)>>,
}

impl Edits {
    /// Whether there is nothing to change.
    pub(crate) fn is_empty(&self) -> bool {
        self.replaced.is_empty() && self.added.is_empty()
    }

    /// Returns the changes that turn one value into another. `None` if something was removed, which
    /// edits cannot express.
    pub(crate) fn between(old: &Value, new: &Value) -> Option<Edits> {
        let mut edits = Edits::default();
        edits.compare(old, new, &mut String::new())?;
        Some(edits)
    }

    fn compare(&mut self, old: &Value, new: &Value, path: &mut String) -> Option<()> {
        let length = path.len();
        match (old, new) {
            (Value::Object(old), Value::Object(new)) => {
                if old.keys().any(|name| !new.contains_key(name)) {
                    return None;
                }
                for (name, value) in new {
                    match old.get(name) {
                        None => self.add(path, name, value.to_string()),
                        Some(old) => {
                            path.push_str(&words::step(name));
                            self.compare(old, value, path)?;
                            path.truncate(length);
                        }
                    }
                }
            }
            (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
                for (index, (old, new)) in old.iter().zip(new).enumerate() {
                    path.push_str(&format!("/{index}"));
                    self.compare(old, new, path)?;
                    path.truncate(length);
                }
            }
            (old, new) if old == new => {}
            (_, new) => drop(self.replaced.insert(path.clone(), new.to_string())),
        }
        Some(())
    }

    /// Adds a member to the object at a place.
    pub(crate) fn add(&mut self, object: &str, name: &str, text: String) {
        self.added.entry(object.to_owned()).or_default().push((name.to_owned(), text));
    }

    /// Returns the text with all changes.
    pub(crate) fn apply(&self, text: &str) -> String {
        if self.is_empty() {
            return text.to_owned();
        }
        let mut writer = Writer { edits: self, written: String::with_capacity(text.len() + 64) };
        let mut scan = Scan { text, at: 0 };
        writer.value(&mut scan, &mut String::new());
        writer.written
    }
}

struct Writer<'e> {
    edits: &'e Edits,
    written: String,
}

impl Writer<'_> {
    fn value(&mut self, scan: &mut Scan<'_>, path: &mut String) {
        scan.space();
        if let Some(text) = self.edits.replaced.get(path.as_str()) {
            scan.value();
            self.written.push_str(text);
            return;
        }
        match scan.peek() {
            Some(b'{') => self.object(scan, path),
            Some(b'[') => self.array(scan, path),
            _ => self.written.push_str(scan.value()),
        }
    }

    fn object(&mut self, scan: &mut Scan<'_>, path: &mut String) {
        self.written.push('{');
        scan.at += 1;
        let mut is_first = true;
        loop {
            scan.space();
            match scan.peek() {
                Some(b',') => scan.at += 1,
                Some(b'"') => {
                    if !std::mem::take(&mut is_first) {
                        self.written.push(',');
                    }
                    let name = scan.string();
                    self.written.push_str(name);
                    self.written.push(':');
                    scan.space();
                    scan.at += 1;
                    let length = path.len();
                    path.push_str(&words::step(&unquoted(name)));
                    self.value(scan, path);
                    path.truncate(length);
                }
                _ => break,
            }
        }
        scan.at += 1;
        for (name, text) in self.edits.added.get(path.as_str()).into_iter().flatten() {
            if !std::mem::take(&mut is_first) {
                self.written.push(',');
            }
            self.written.push_str(&format!("{}:{text}", Value::from(name.as_str())));
        }
        self.written.push('}');
    }

    fn array(&mut self, scan: &mut Scan<'_>, path: &mut String) {
        self.written.push('[');
        scan.at += 1;
        let mut index = 0;
        loop {
            scan.space();
            match scan.peek() {
                Some(b',') => scan.at += 1,
                None | Some(b']') => break,
                Some(_) => {
                    if index > 0 {
                        self.written.push(',');
                    }
                    let length = path.len();
                    path.push_str(&format!("/{index}"));
                    self.value(scan, path);
                    path.truncate(length);
                    index += 1;
                }
            }
        }
        scan.at += 1;
        self.written.push(']');
    }
}

/// A position in a text that is JSON.
struct Scan<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Scan<'t> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }

    /// Reads a string, with its quotes.
    fn string(&mut self) -> &'t str {
        let from = self.at;
        self.at += string_length(&self.text[from..]);
        &self.text[from..self.at]
    }

    /// Skips a value and returns its text.
    fn value(&mut self) -> &'t str {
        self.space();
        let from = self.at;
        let mut depth = 0_usize;
        loop {
            match self.peek() {
                None => break,
                Some(b'"') => drop(self.string()),
                Some(b'{' | b'[') => {
                    depth += 1;
                    self.at += 1;
                }
                Some(b'}' | b']' | b',') if depth == 0 => break,
                Some(b'}' | b']') => {
                    depth -= 1;
                    self.at += 1;
                }
                Some(byte) if depth == 0 && byte.is_ascii_whitespace() => break,
                Some(_) => self.at += 1,
            }
            if depth == 0 && matches!(self.text.as_bytes()[self.at - 1], b'}' | b']' | b'"') {
                break;
            }
        }
        &self.text[from..self.at]
    }

    /// Calls `member` for each member of the object that begins here.
    fn each_member(&mut self, mut member: impl FnMut(String, &'t str)) {
        self.at += 1;
        loop {
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'"') => {
                    let name = unquoted(self.string());
                    self.space();
                    self.at += 1;
                    member(name, self.value());
                }
                _ => break,
            }
        }
    }
}

/// Returns the length of the string at the start of a text, with its quotes.
pub(crate) fn string_length(text: &str) -> usize {
    let mut bytes = text.bytes().enumerate().skip(1);
    while let Some((index, byte)) = bytes.next() {
        match byte {
            b'"' => return index + 1,
            b'\\' => drop(bytes.next()),
            _ => {}
        }
    }
    text.len()
}

/// Decodes a JSON string.
fn unquoted(text: &str) -> String {
    serde_json::from_str(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_keep_their_texts() {
        let text = r#" { "a" : 1.0 , "b\"": {"x" : [1E2, "}"]}, "c":true } "#;
        let members = Members::of(text).unwrap();
        assert_eq!(members.get("a"), Some("1.0"));
        assert_eq!(members.get("b\""), Some(r#"{"x" : [1E2, "}"]}"#));
        assert_eq!(members.to_text(), r#"{"a":1.0,"b\"":{"x" : [1E2, "}"]},"c":true}"#);
        assert!(Members::of(r#"{"a":1,"\u0061":2}"#).unwrap_err().contains("twice"));
        assert!(Members::of("[]").is_err());
        assert_eq!(Members::of("{}").unwrap().to_text(), "{}");
    }

    #[test]
    fn edits_change_nothing_else() {
        let mut edits = Edits::default();
        edits.replaced.insert("/a~1b/1".to_owned(), "\"new\"".to_owned());
        edits.add("", "z", "2".to_owned());
        edits.add("/o", "y", "[]".to_owned());
        let text = r#"{"a/b":[ 1e400, {"x":1}, 18446744073709551616 ],"o": { }, "s":"{\"[" }"#;
        let expected = r#"{"a/b":[1e400,"new",18446744073709551616],"o":{"y":[]},"s":"{\"[","z":2}"#;
        assert_eq!(edits.apply(text), expected);
    }

    #[test]
    fn items_are_added_and_space_is_dropped() {
        assert_eq!(push_item(" [ ] ", "1"), "[1]");
        assert_eq!(push_item("[[1]]", "2"), "[[1],2]");
        assert_eq!(compact(" { \"a b\" : [ 1.0 , \"\\\" \" ] } "), r#"{"a b":[1.0,"\" "]}"#);
    }
}
