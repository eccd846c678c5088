//! A schema's text for the page: formatted anew, in the order of the text, with a mark around each
//! subschema.

use std::collections::HashMap;
use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use stanchion_vocab::pointer;

use super::svg::escape;

/// A JSON value with its members in the order of the text; of repeated names, the last one.
pub(crate) enum Tree {
    Scalar(Value),
    Array(Vec<Tree>),
    Object(Vec<(String, Tree)>),
}

impl<'de> Deserialize<'de> for Tree {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tree, D::Error> {
        deserializer.deserialize_any(Read)
    }
}

struct Read;

impl<'de> Visitor<'de> for Read {
    type Value = Tree;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_unit<E>(self) -> Result<Tree, E> {
        Ok(Tree::Scalar(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Tree, E> {
        Ok(Tree::Scalar(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Tree, E> {
        Ok(Tree::Scalar(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Tree, E> {
        Ok(Tree::Scalar(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Tree, E> {
        Ok(Tree::Scalar(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Tree, E> {
        Ok(Tree::Scalar(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Tree, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Tree::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Tree, A::Error> {
        let mut list: Vec<(String, Tree)> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        while let Some((name, value)) = members.next_entry::<String, Tree>()? {
            match places.get(&name) {
                Some(&place) => list[place].1 = value,
                None => {
                    places.insert(name.clone(), list.len());
                    list.push((name, value));
                }
            }
        }
        Ok(Tree::Object(list))
    }
}

/// Most characters of an array or object that stays on one line.
const MAX_LINE: usize = 72;

/// Writes a document as HTML. `places` has the number of each subschema by its pointer.
pub(crate) fn write(tree: &Tree, places: &HashMap<&str, usize>) -> String {
    let mut writer = Writer { html: String::new(), pointer: String::new(), places };
    // Recursion is bounded: the reader refuses nesting deeper than 128.
    writer.value(tree, 0);
    writer.html
}

struct Writer<'p> {
    html: String,
    pointer: String,
    places: &'p HashMap<&'p str, usize>,
}

impl Writer<'_> {
    fn value(&mut self, tree: &Tree, indent: usize) {
        let place = self.places.get(self.pointer.as_str()).copied();
        if let Some(place) = place {
            self.html.push_str(&format!(
                "<span class=\"sub place-{place}\" id=\"schema-{place}\" data-place=\"{place}\">"
            ));
        }
        match tree {
            Tree::Scalar(value) => self.scalar(value),
            Tree::Array(items) if items.is_empty() => self.html.push_str("[]"),
            Tree::Object(members) if members.is_empty() => self.html.push_str("{}"),
            Tree::Array(items) => {
                let on_line = is_short(tree);
                self.html.push('[');
                for (index, item) in items.iter().enumerate() {
                    self.separate(index, indent + 1, on_line);
                    self.step(&index.to_string(), item, indent + 1);
                }
                self.close(']', indent, on_line);
            }
            Tree::Object(members) => {
                let on_line = is_short(tree);
                self.html.push('{');
                for (index, (name, value)) in members.iter().enumerate() {
                    self.separate(index, indent + 1, on_line);
                    let quoted = escape(&Value::from(name.as_str()).to_string());
                    self.html.push_str(&format!("<span class=\"name\">{quoted}</span>: "));
                    self.step(name, value, indent + 1);
                }
                self.close('}', indent, on_line);
            }
        }
        if place.is_some() {
            self.html.push_str("</span>");
        }
    }

    fn scalar(&mut self, value: &Value) {
        let class = if value.is_string() { "text" } else { "scalar" };
        self.html.push_str(&format!("<span class=\"{class}\">{}</span>", escape(&value.to_string())));
    }

    fn step(&mut self, step: &str, value: &Tree, indent: usize) {
        let length = self.pointer.len();
        pointer::push(&mut self.pointer, step);
        self.value(value, indent);
        self.pointer.truncate(length);
    }

    fn separate(&mut self, index: usize, indent: usize, on_line: bool) {
        if index > 0 {
            self.html.push(',');
        }
        if on_line {
            self.html.push_str(if index > 0 { " " } else { "" });
        } else {
            self.html.push('\n');
            self.html.push_str(&"  ".repeat(indent));
        }
    }

    fn close(&mut self, bracket: char, indent: usize, on_line: bool) {
        if !on_line {
            self.html.push('\n');
            self.html.push_str(&"  ".repeat(indent));
        }
        self.html.push(bracket);
    }
}

/// Whether a container of scalars alone fits on a line.
fn is_short(tree: &Tree) -> bool {
    let length = |tree: &Tree| match tree {
        Tree::Scalar(value) => Some(value.to_string().len() + 2),
        Tree::Array(_) | Tree::Object(_) => None,
    };
    let lengths: Option<usize> = match tree {
        Tree::Scalar(_) => return true,
        Tree::Array(items) => items.iter().map(length).sum(),
        Tree::Object(members) => {
            members.iter().map(|(name, value)| Some(length(value)? + name.len() + 4)).sum()
        }
    };
    lengths.is_some_and(|length| length <= MAX_LINE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_is_laid_out_in_its_own_order() {
        let text = r#"{"type":"object","properties":{"b":{"type":"string"},"a":true},"x":1,"x":"</script>"}"#;
        let tree: Tree = serde_json::from_str(text).expect("JSON");
        let html = write(&tree, &HashMap::from([("", 0), ("/properties/b", 1)]));
        let bare: String = html.split('<').flat_map(|part| part.split('>').nth(1)).collect();
        let plain = bare.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">");
        assert_eq!(
            plain,
            "{\n  \"type\": \"object\",\n  \"properties\": {\n    \"b\": {\"type\": \"string\"},\n    \"a\": true\n  },\n  \"x\": \"</script>\"\n}"
        );
        assert!(html.contains("<span class=\"sub place-1\" id=\"schema-1\" data-place=\"1\">"));
    }
}
