//! Reads Ruby objects in place: one walk that fills the engine's tape, or writes JSON text.
//!
//! | Ruby | JSON |
//! |---|---|
//! | `nil`, `true`, `false` | the same |
//! | `Integer` of any size, finite `Float` and `BigDecimal` | a number, with all its digits |
//! | `String`, `Symbol` | a string, as UTF-8 |
//! | `Array` | an array |
//! | `Hash` with keys that are strings or symbols | an object; of two keys with one text the last counts |
//!
//! Subclasses count as what they are of. Nothing else is converted, and no method is called but `to_s` of large numbers and `encode` of
//! strings in other encodings. What cannot be read is an error that has the place. A structure that contains itself is one that is nested too deeply.

use std::fmt;

use magnus::r_hash::ForEach;
use magnus::value::{Fixnum, Qfalse, Qtrue, ReprValue};
use magnus::{ArgList, Float, RArray, RBignum, RClass, RHash, RString, Ruby, Symbol, Value, prelude::*};
use stanchion::{BuildError, InstanceSink};

use crate::raw;

/// Why an object cannot be read, and where.
#[derive(Debug)]
pub(crate) struct Unreadable {
    /// Steps of the place, the innermost first.
    steps: Vec<String>,
    message: String,
}

impl Unreadable {
    #[cold]
    fn new(message: impl Into<String>) -> Box<Unreadable> {
        Box::new(Unreadable { steps: Vec::new(), message: message.into() })
    }

    /// The place as a JSON Pointer.
    pub(crate) fn pointer(&self) -> String {
        let step = |step: &String| format!("/{}", step.replace('~', "~0").replace('/', "~1"));
        self.steps.iter().rev().map(step).collect()
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pointer = self.pointer();
        if pointer.is_empty() {
            return f.write_str(&self.message);
        }
        // Of a structure that contains itself the first steps say enough.
        match pointer.char_indices().nth(100) {
            Some((end, _)) => write!(f, "{}…: {}", &pointer[..end], self.message),
            None => write!(f, "{pointer}: {}", self.message),
        }
    }
}

impl From<BuildError> for Box<Unreadable> {
    #[cold]
    fn from(error: BuildError) -> Box<Unreadable> {
        match error {
            BuildError::Depth { .. } => {
                Unreadable::new(format!("{error}; does the structure contain itself?"))
            }
            BuildError::NotANumber => Unreadable::new("JSON has no NaN and no infinity"),
            _ => Unreadable::new(error.to_string()),
        }
    }
}

/// Reads a value, and what is in it.
pub(crate) fn read<S: InstanceSink>(value: Value, sink: &mut S) -> Result<(), Box<Unreadable>> {
    if let Some(string) = RString::from_value(value) {
        return text(string, sink, S::string);
    }
    if let Some(number) = Fixnum::from_value(value) {
        return Ok(sink.signed(number.to_i64())?);
    }
    if let Some(hash) = RHash::from_value(value) {
        return object(hash, sink);
    }
    if let Some(array) = RArray::from_value(value) {
        sink.begin_array()?;
        let mut at = 0;
        while let Some(item) = raw::item(array, at) {
            read(item, sink).map_err(|error| inside(error, || at.to_string()))?;
            at += 1;
        }
        return Ok(sink.end()?);
    }
    scalar(value, sink)
}

/// Reads what is less frequent.
fn scalar<S: InstanceSink>(value: Value, sink: &mut S) -> Result<(), Box<Unreadable>> {
    let ruby = Ruby::get_with(value);
    if value.is_nil() {
        Ok(sink.null()?)
    } else if Qtrue::from_value(value).is_some() {
        Ok(sink.bool(true)?)
    } else if Qfalse::from_value(value).is_some() {
        Ok(sink.bool(false)?)
    } else if let Some(float) = Float::from_value(value) {
        Ok(sink.float(float.to_f64())?)
    } else if let Some(symbol) = Symbol::from_value(value) {
        text(raw::symbol_name(symbol), sink, S::string)
    } else if RBignum::from_value(value).is_some() {
        Ok(sink.number(&digits(value, ())?)?)
    } else if is_big_decimal(&ruby, value) {
        // Without an exponent, unless that would make a long text of it.
        let exponent: i64 = value.funcall("exponent", ()).unwrap_or(i64::MAX);
        let text = if (-20..=20).contains(&exponent) { digits(value, ("F",))? } else { digits(value, ())? };
        Ok(sink.number(&text)?)
    } else {
        let class = value.class().inspect();
        Err(Unreadable::new(format!(
            "expected nil, true, false, a number, String, Symbol, Array or Hash, found an object of class {class}; convert it first"
        )))
    }
}

fn digits(number: Value, format: impl ArgList) -> Result<String, Box<Unreadable>> {
    number.funcall("to_s", format).map_err(|error| Unreadable::new(error.to_string()))
}

fn is_big_decimal(ruby: &Ruby, value: Value) -> bool {
    // The class is there once somebody has required `bigdecimal`; who has not done so has no object of it.
    let class = ruby.class_object().const_get::<_, RClass>("BigDecimal");
    class.is_ok_and(|class| value.is_kind_of(class))
}

fn object<S: InstanceSink>(hash: RHash, sink: &mut S) -> Result<(), Box<Unreadable>> {
    sink.begin_object()?;
    let mut result = Ok(());
    let walked = hash.foreach(|key: Value, value: Value| {
        result = member(key, value, sink);
        Ok(if result.is_ok() { ForEach::Continue } else { ForEach::Stop })
    });
    result?;
    walked.map_err(|error| Unreadable::new(error.to_string()))?;
    Ok(sink.end()?)
}

#[inline]
fn member<S: InstanceSink>(key: Value, value: Value, sink: &mut S) -> Result<(), Box<Unreadable>> {
    let name = if let Some(name) = RString::from_value(key) {
        name
    } else if let Some(symbol) = Symbol::from_value(key) {
        raw::symbol_name(symbol)
    } else {
        let class = key.class().inspect();
        return Err(Unreadable::new(format!(
            "expected keys of class String or Symbol, found one of {class}"
        )));
    };
    text(name, sink, S::name)?;
    read(value, sink).map_err(|error| inside(error, || name.to_string().unwrap_or_default()))
}

/// Hands on a text as UTF-8.
#[inline]
fn text<S: InstanceSink>(
    string: RString,
    sink: &mut S,
    add: impl Fn(&mut S, &str) -> Result<(), BuildError>,
) -> Result<(), Box<Unreadable>> {
    match raw::with_text(string, |text| add(sink, text)) {
        Some(added) => Ok(added?),
        None => {
            let text = encoded(string)?;
            Ok(add(sink, &text)?)
        }
    }
}

/// A text of another encoding.
#[cold]
fn encoded(string: RString) -> Result<String, Box<Unreadable>> {
    let utf8 = string.funcall::<_, _, RString>("encode", ("UTF-8",));
    let text = utf8.ok().and_then(|utf8| raw::with_text(utf8, str::to_owned));
    text.ok_or_else(|| Unreadable::new("the string is not valid in its encoding, or has no form in UTF-8"))
}

/// Notes on the way out where something was.
#[cold]
fn inside(mut error: Box<Unreadable>, step: impl FnOnce() -> String) -> Box<Unreadable> {
    error.steps.push(step());
    error
}
