//! The text mirror: structured content that is no object also comes as text, for clients that read text alone.
//!
//! A result has it if any of its blocks is a text; what the block says is the tool's business. What is there is left alone.

use serde_json::{Map, Number, Value, json};

/// Which structured content is repeated as text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Mirror {
    /// What is no object, unless there is a text already. Others have it as a recommendation, and older clients need it.
    #[default]
    NonObjects,
    /// Any, unless there is a text already: the specification recommends it for objects as well.
    All,
    /// What is neither an object nor `null`, and only if `content` is absent, as the Ruby SDK does.
    NonObjectsUnlessContent,
    /// Any, but only if `content` is absent, as the Go SDK does.
    UnlessContent,
    /// None, as the C# SDK does.
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

/// How numbers are written in a mirror.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum MirrorNumbers {
    /// As they were given. `1E2` and 2^64 keep their digits where results come as text; a `serde_json::Value` knows what it kept.
    #[default]
    AsGiven,
    /// As JavaScript's `JSON.stringify` writes them: `1.0` is `1`, `1E2` is `100`, and what is too large is `null`.
    JavaScript,
}

impl MirrorNumbers {
    /// The text of a value.
    pub fn text(self, value: &Value) -> String {
        match self {
            MirrorNumbers::AsGiven => value.to_string(),
            MirrorNumbers::JavaScript => with_javascript_numbers(&value.to_string()),
        }
    }

    /// The text of a value that came as text: without white space between its tokens.
    pub(crate) fn of_text(self, text: &str) -> String {
        let compact = crate::edit::compact(text);
        match self {
            MirrorNumbers::AsGiven => compact,
            MirrorNumbers::JavaScript => with_javascript_numbers(&compact),
        }
    }
}

/// Whether a result lacks the mirror: its structured content is there and no object, and `content` has no text.
pub fn needs_mirror(structured: Option<&Value>, has_text: bool) -> bool {
    !has_text && structured.is_some_and(|value| !value.is_object())
}

/// Whether a block of `content` is a text.
pub fn has_text(content: &[Value]) -> bool {
    content.iter().any(|block| block.get("type").is_some_and(|kind| kind == "text"))
}

/// The text block that mirrors a value.
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
        // Not a list of blocks: whoever reads the result says so.
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

/// A number as ECMA-262's `Number::toString` writes it; `null` for what is not finite.
fn javascript_number(text: &str) -> String {
    let Some(value) = text.parse::<f64>().ok().filter(|value| value.is_finite()) else {
        return "null".to_owned();
    };
    if value == 0.0 {
        return "0".to_owned();
    }
    // The shortest digits that come back to the same number, and the place of the point behind them.
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

/// The integer that a number stands for, if doubles tell it from its neighbors: from −2^53+1 to 2^53−1.
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
