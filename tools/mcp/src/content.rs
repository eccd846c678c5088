//! The text mirror: structured content that is not an object is repeated as text, for clients that
//! only read text.
//!
//! A result has a mirror if any of its blocks is a text, whatever the text says. Existing content
//! is never changed.

use serde_json::{Map, Number, Value, json};

/// Which structured content is repeated as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Mirror {
    /// Content that is not an object, unless there is a text already. The specification recommends
    /// it, and older clients need it.
    #[default]
    NonObjects,
    /// Any content, unless there is a text already: the specification recommends it for objects as
    /// well.
    All,
    /// Content that is neither an object nor `null`, and only if `content` is absent, as in the
    /// Ruby SDK.
    NonObjectsUnlessContent,
    /// Any content, but only if `content` is absent, as in the Go SDK.
    UnlessContent,
    /// None, as in the C# SDK.
    Never,
}

impl Mirror {
    /// Whether a result lacks the mirror.
    pub fn is_needed(self, structured: Option<&Value>, content: Option<&[Value]>) -> bool {
        structured.is_some_and(|value| {
            self.is_needed_for(
                value.is_object(),
                value.is_null(),
                content.is_some(),
                content.is_some_and(has_text),
            )
        })
    }

    pub(crate) fn is_needed_for(
        self,
        is_object: bool,
        is_null: bool,
        has_content: bool,
        has_text: bool,
    ) -> bool {
        match self {
            Mirror::NonObjects => !has_text && !is_object,
            Mirror::All => !has_text,
            Mirror::NonObjectsUnlessContent => !has_content && !is_object && !is_null,
            Mirror::UnlessContent => !has_content,
            Mirror::Never => false,
        }
    }
}

/// The notation of numbers in a mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum MirrorNumbers {
    /// Unchanged. `1E2` and 2^64 keep their digits if results come as text; a `serde_json::Value`
    /// has only what it kept.
    #[default]
    AsGiven,
    /// The notation of JavaScript's `JSON.stringify`: `1.0` becomes `1`, `1E2` becomes `100`, and
    /// numbers that are too large become `null`.
    JavaScript,
}

impl MirrorNumbers {
    /// Returns the text of a value.
    pub fn text(self, value: &Value) -> String {
        match self {
            MirrorNumbers::AsGiven => value.to_string(),
            MirrorNumbers::JavaScript => with_javascript_numbers(&value.to_string()),
        }
    }

    /// Returns the mirror of a value that came as text, without white space between its tokens.
    pub(crate) fn of_text(self, text: &str) -> String {
        let compact = crate::edit::compact(text);
        match self {
            MirrorNumbers::AsGiven => compact,
            MirrorNumbers::JavaScript => with_javascript_numbers(&compact),
        }
    }
}

/// Whether a result lacks the mirror: it has structured content that is not an object, and
/// `content` has no text.
pub fn needs_mirror(structured: Option<&Value>, has_text: bool) -> bool {
    !has_text && structured.is_some_and(|value| !value.is_object())
}

/// Whether a block of `content` is a text.
pub fn has_text(content: &[Value]) -> bool {
    content.iter().any(|block| block.get("type").is_some_and(|kind| kind == "text"))
}

/// Returns the text block that mirrors a value.
pub fn text_block(value: &Value) -> Value {
    block_of(value.to_string())
}

pub(crate) fn block_of(text: String) -> Value {
    json!({"type": "text", "text": text})
}

/// Adds the mirror to a `CallToolResult`, if it lacks one.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::content;
///
/// let mut result = json!({"structuredContent": 42});
/// content::add_mirror(result.as_object_mut().unwrap());
/// assert_eq!(result["content"], json!([{"type": "text", "text": "42"}]));
/// ```
pub fn add_mirror(result: &mut Map<String, Value>) {
    let blocks = result.get("content").and_then(Value::as_array);
    let structured = result.get("structuredContent");
    if !needs_mirror(structured, blocks.is_some_and(|blocks| has_text(blocks))) {
        return;
    }
    let block = structured.map(text_block);
    match result.entry("content").or_insert_with(|| json!([])) {
        Value::Array(blocks) => blocks.extend(block),
        // Not a list of blocks: the reader of the result reports that.
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {}
    }
}

/// Writes the numbers of a compact text as JavaScript does.
fn with_javascript_numbers(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '"' => {
                let length = crate::edit::string_length(rest);
                written.push_str(&rest[..length]);
                length
            }
            '-' | '0'..='9' => {
                let length = rest
                    .find(|char: char| !matches!(char, '-' | '+' | '.' | 'e' | 'E' | '0'..='9'))
                    .unwrap_or(rest.len());
                written.push_str(&javascript_number(&rest[..length]));
                length
            }
            other => {
                written.push(other);
                other.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    written
}

/// Formats a number as ECMA-262's `Number::toString` does; `null` for one that is not finite.
fn javascript_number(text: &str) -> String {
    let Some(value) = text.parse::<f64>().ok().filter(|value| value.is_finite()) else {
        return "null".to_owned();
    };
    if value == 0.0 {
        return "0".to_owned();
    }
    // The shortest digits that read back as the same number, and the place of the point after them.
    let scientific = format!("{:e}", value.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    let point = exponent.parse::<i32>().unwrap_or_default() + 1;
    let count = i32::try_from(digits.len()).unwrap_or(i32::MAX);
    let zeros = |count: i32| "0".repeat(usize::try_from(count).unwrap_or_default());
    let unsigned = if count <= point && point <= 21 {
        format!("{digits}{}", zeros(point - count))
    } else if 0 < point && point <= 21 {
        let (whole, fraction) = digits.split_at(usize::try_from(point).unwrap_or_default());
        format!("{whole}.{fraction}")
    } else if -6 < point && point <= 0 {
        format!("0.{}{digits}", zeros(-point))
    } else {
        let (first, others) = digits.split_at(1);
        let dot = if others.is_empty() { "" } else { "." };
        let sign = if point > 0 { "+" } else { "-" };
        format!("{first}{dot}{others}e{sign}{}", (point - 1).abs())
    };
    if value < 0.0 { format!("-{unsigned}") } else { unsigned }
}

/// Returns the integer value of a number, if doubles represent it exactly: from −2^53+1 to 2^53−1.
pub(crate) fn safe_integer(number: &Number) -> Option<i64> {
    const SAFE: f64 = 9_007_199_254_740_991.0;
    let value = number.as_f64().filter(|value| value.fract() == 0.0 && value.abs() <= SAFE)?;
    // A text of many digits may round into the range.
    format!("{value:.0}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_javascript_writes_them() {
        for (given, written) in [
            ("1.0", "1"),
            ("1E2", "100"),
            ("-0", "0"),
            ("18446744073709551616", "18446744073709552000"),
            ("1e21", "1e+21"),
            ("123456789012345680000", "123456789012345680000"),
            ("0.000001", "0.000001"),
            ("1e-7", "1e-7"),
            ("-1.5e300", "-1.5e+300"),
            ("1e400", "null"),
            ("0.1", "0.1"),
            ("123.456", "123.456"),
        ] {
            assert_eq!(javascript_number(given), written, "{given}");
        }
        assert_eq!(with_javascript_numbers(r#"{"1.0":[1.0,"2.0",-3E1]}"#), r#"{"1.0":[1,"2.0",-30]}"#);
    }
}
