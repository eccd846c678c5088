//! JSON text of Ruby objects, with all digits and in their order: for schemas and mirrors.

use stanchion::{BuildError, InstanceSink};

/// How deeply a text may be nested. Schemas of 64 levels are texts of twice as many.
const DEPTH: usize = 256;

/// How many bytes a text may have.
const BYTES: usize = 1 << 28;

/// A text that is being written.
#[derive(Default)]
pub(crate) struct JsonText {
    text: Vec<u8>,
    /// The ends of the containers that are open.
    ends: Vec<u8>,
    /// Whether a comma comes before the next value or name.
    comma: bool,
}

impl JsonText {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.text
    }

    fn value(&mut self, write: impl FnOnce(&mut Vec<u8>)) -> Result<(), BuildError> {
        if self.comma {
            self.text.push(b',');
        }
        write(&mut self.text);
        self.comma = true;
        if self.text.len() > BYTES {
            return Err(BuildError::Text { limit: BYTES as u32 });
        }
        Ok(())
    }

    fn begin(&mut self, start: u8, end: u8) -> Result<(), BuildError> {
        if self.ends.len() == DEPTH {
            return Err(BuildError::Depth { limit: DEPTH });
        }
        self.value(|text| text.push(start))?;
        self.ends.push(end);
        self.comma = false;
        Ok(())
    }
}

fn quote(text: &mut Vec<u8>, string: &str) {
    // Writing a string to a vector does not fail.
    let _ = serde_json::to_writer(text, string);
}

impl InstanceSink for JsonText {
    fn null(&mut self) -> Result<(), BuildError> {
        self.value(|text| text.extend_from_slice(b"null"))
    }

    fn bool(&mut self, value: bool) -> Result<(), BuildError> {
        self.value(|text| text.extend_from_slice(if value { b"true" } else { b"false" }))
    }

    fn unsigned(&mut self, value: u64) -> Result<(), BuildError> {
        self.value(|text| text.extend_from_slice(value.to_string().as_bytes()))
    }

    fn signed(&mut self, value: i64) -> Result<(), BuildError> {
        self.value(|text| text.extend_from_slice(value.to_string().as_bytes()))
    }

    fn float(&mut self, value: f64) -> Result<(), BuildError> {
        let Some(number) = serde_json::Number::from_f64(value) else { return Err(BuildError::NotANumber) };
        self.value(|text| text.extend_from_slice(number.to_string().as_bytes()))
    }

    fn number(&mut self, digits: &str) -> Result<(), BuildError> {
        // A `BigDecimal` that is no number says so by a word.
        if !digits.ends_with(|last: char| last.is_ascii_digit()) {
            return Err(BuildError::NotANumber);
        }
        self.value(|text| text.extend_from_slice(digits.as_bytes()))
    }

    fn string(&mut self, string: &str) -> Result<(), BuildError> {
        self.value(|text| quote(text, string))
    }

    fn name(&mut self, name: &str) -> Result<(), BuildError> {
        self.value(|text| {
            quote(text, name);
            text.push(b':');
        })?;
        self.comma = false;
        Ok(())
    }

    fn begin_array(&mut self) -> Result<(), BuildError> {
        self.begin(b'[', b']')
    }

    fn begin_object(&mut self) -> Result<(), BuildError> {
        self.begin(b'{', b'}')
    }

    fn end(&mut self) -> Result<(), BuildError> {
        self.text.extend(self.ends.pop());
        self.comma = true;
        Ok(())
    }
}
