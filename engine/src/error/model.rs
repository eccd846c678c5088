//! Errors as a short text for a language model: all that fit, what was left out, and what a right value looks like.

use super::text::{counted, cut_at, shown_place};
use super::{Errors, Messages, ValidationError};

/// How many sketches of what was expected a text has at most.
const SKETCHES: usize = 3;

/// A sketch of fewer characters says nothing.
const SHORTEST: usize = 24;

impl Errors {
    /// A short text for a language model that has to mend the instance: see [`Messages::for_model`].
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion::Validator;
    ///
    /// let validator = Validator::new(&json!({
    ///     "type": "object",
    ///     "properties": {
    ///         "city": {"type": "string"},
    ///         "days": {"type": "integer", "minimum": 1, "maximum": 14},
    ///         "unit": {"enum": ["celsius", "fahrenheit"]}
    ///     },
    ///     "required": ["city"],
    ///     "additionalProperties": false
    /// }))?;
    /// let errors = validator.iter_errors(&json!({"citty": "Turin", "days": 15, "unit": "kelvin"}));
    /// assert_eq!(errors.for_model(500), r#"4 errors:
    /// - /: unknown property "citty" (did you mean "city"?)
    /// - /: missing required property "city"
    /// - /days: 15 is more than the maximum 14
    /// - /unit: "kelvin" is not one of "celsius", "fahrenheit"
    /// Expected at /: {"city": string, "days"?: integer 1..14, "unit"?: "celsius"|"fahrenheit"}"#);
    ///
    /// assert_eq!(errors.for_model(80), r#"4 errors:
    /// - /: unknown property "citty" (did you mean "city"?)
    /// - and 3 more"#);
    /// # Ok::<(), stanchion::SchemaError>(())
    /// ```
    pub fn for_model(&self, max_chars: usize) -> String {
        Messages::default().for_model(self, max_chars)
    }
}

impl Messages {
    /// A short text for a language model that has to mend the instance, of at most so many characters.
    ///
    /// It has a line for each error that has not been taken yet, in their order, as far as they fit, and says how many do not. If there
    /// is room left, it sketches what the schema wants where properties are missing or unknown, or the type is another, and says nothing twice.
    pub fn for_model(&self, errors: &Errors, max_chars: usize) -> String {
        let found = errors.as_slice();
        if found.is_empty() {
            return String::new();
        }
        let lines: Vec<String> = found.iter().map(|error| self.line_for_model(error)).collect();
        let mut text = Bounded { text: String::new(), left: max_chars };
        if let ([only], false) = (&lines[..], errors.is_cut()) {
            text.push_cut(only, max_chars);
        } else {
            Messages::list(&lines, errors.is_cut(), &mut text);
        }
        let mut sketched: Vec<(&str, String)> = Vec::new();
        for error in found.iter().take(lines.len()) {
            let place = error.instance_path();
            if sketched.len() >= SKETCHES || sketched.iter().any(|(other, _)| *other == place) {
                continue;
            }
            let head = format!("\nExpected at {}: ", shown_place(place));
            let room = text.left.saturating_sub(head.chars().count());
            if room < SHORTEST {
                continue;
            }
            let is_new = |sketch: &String| !sketched.iter().any(|(_, other)| other.contains(sketch.as_str()));
            if let Some(sketch) = error.expected_shape(room).filter(is_new) {
                text.push(&head);
                text.push(&sketch);
                sketched.push((place, sketch));
            }
        }
        text.text
    }

    /// The line of an error, and what to do about it.
    fn line_for_model(&self, error: &ValidationError) -> String {
        let line = self.line(error);
        error.advice().map_or(line.clone(), |advice| format!("{line}; {advice}"))
    }

    /// Adds a line for each error, or says how many do not fit.
    fn list(lines: &[String], is_cut: bool, text: &mut Bounded) {
        let count = lines.len();
        let more_than = if is_cut { "more than " } else { "" };
        text.push(&format!("{more_than}{}:", counted(count as u64, ["error", "errors"])));
        for (index, line) in lines.iter().enumerate() {
            let rest = count - index - 1;
            let tail = if rest == 0 && !is_cut { 0 } else { more(rest, is_cut).chars().count() };
            let room = text.left.saturating_sub("\n- ".len() + tail);
            if line.chars().count() > room && index > 0 {
                return text.push(&more(rest + 1, is_cut));
            }
            text.push("\n- ");
            text.push_cut(line, room);
        }
        if is_cut {
            text.push("\n- and more");
        }
    }
}

fn more(count: usize, is_cut: bool) -> String {
    match (count, is_cut) {
        (0, _) => "\n- and more".to_owned(),
        (count, true) => format!("\n- and more than {count} more"),
        (count, false) => format!("\n- and {count} more"),
    }
}

/// A text that gets no longer than it may.
struct Bounded {
    text: String,
    left: usize,
}

impl Bounded {
    fn push(&mut self, text: &str) {
        for character in text.chars().take(self.left) {
            self.text.push(character);
            self.left -= 1;
        }
    }

    /// Adds as much of a text as fits into so many characters, with an ellipsis if that is not all.
    fn push_cut(&mut self, text: &str, room: usize) {
        let kept =
            if text.chars().count() > room { cut_at(text, room.saturating_sub(1)) } else { text.to_owned() };
        self.push(&kept);
    }
}
