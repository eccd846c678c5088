//! Names of groups: identifiers as in ECMAScript, Unicode and `\u` escapes included.

use super::error::{Kind, PatternError};
use super::parse::Parser;
use super::property::Property;

impl Parser<'_> {
    /// Reads a group's name and its `>`, after its `<`.
    pub(super) fn group_name(&mut self) -> Result<String, PatternError> {
        let begin = self.offset();
        let refused = || PatternError::new(begin, Kind::GroupName);
        let mut name = String::new();
        loop {
            let c = match self.next() {
                Some('>') if !name.is_empty() => return Ok(name),
                Some('\\') if self.eat('u') => {
                    let point = self.unicode_escape(begin).map_err(|_| refused())?;
                    char::from_u32(point).ok_or_else(refused)?
                }
                Some(c) => c,
                None => return Err(refused()),
            };
            if !is_name_part(c, name.is_empty()) {
                return Err(refused());
            }
            name.push(c);
        }
    }
}

fn is_name_part(c: char, first: bool) -> bool {
    match c {
        'a'..='z' | 'A'..='Z' | '_' | '$' => true,
        '0'..='9' | '\u{200c}' | '\u{200d}' => !first,
        _ if c.is_ascii() => false,
        _ => {
            let property = if first { "ID_Start" } else { "ID_Continue" };
            Property::find(property, None).is_ok_and(|property| property.contains(c))
        }
    }
}
