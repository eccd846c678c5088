//! The native half of the gem `stanchion`: what has to be fast, or is the engine's.
//!
//! `lib/` has the rest, in Ruby: options, exceptions, enumerators, the face of json_schemer. [`read`] walks Ruby objects, [`text`] writes them as JSON,
//! [`mcp`] has the rules of the Ruby SDK, [`toolbox`] the tools of a server, and [`raw`] all that is `unsafe`.
//!
//! A verdict on a Ruby object comes from the engine's tape, which the walk fills. Errors are the exception, and come from the object's JSON text,
//! by `stanchion-wire`: so they are the same in all languages.

mod mcp;
mod raw;
mod read;
mod text;
mod toolbox;

use std::cell::Cell;

use magnus::value::ReprValue;
use magnus::{
    Error, ExceptionClass, IntoValue, RModule, RString, Ruby, Symbol, Value, function, method, prelude::*,
};
use stanchion::{InstanceBuilder, InstanceNode, Verdict};
use stanchion_wire::{Answer, Output, Status};

use crate::raw::Validator;
use crate::read::Unreadable;
use crate::text::JsonText;

/// Texts of so many bytes are worth running other threads meanwhile.
const LONG: usize = 1 << 16;

/// Larger buffers are given back after a call.
const KEPT: usize = 1 << 20;

thread_local! {
    /// The buffers of the last walk of this thread. Who walks takes them, so that a walk inside of a walk, which `to_s` of a foreign number could begin,
    /// has its own.
    static BUILDER: Cell<Option<InstanceBuilder>> = const { Cell::new(None) };
}

/// Reads an object onto a tape, and asks something about it.
fn on_tape<T>(ruby: &Ruby, value: Value, ask: impl FnOnce(InstanceNode<'_>) -> T) -> Result<T, Error> {
    let mut builder = BUILDER.take().unwrap_or_default();
    let answer = match read::read(value, &mut builder) {
        // A walk that succeeds is complete.
        Ok(()) => builder.finish().map(|instance| ask(instance.root())).map_err(Box::<Unreadable>::from),
        Err(error) => Err(error),
    };
    builder.clear_to(KEPT);
    BUILDER.set(Some(builder));
    answer.map_err(|error| unreadable(ruby, &error))
}

/// The JSON text of an object.
fn json(ruby: &Ruby, value: Value) -> Result<Vec<u8>, Error> {
    let mut text = JsonText::default();
    read::read(value, &mut text).map_err(|error| unreadable(ruby, &error))?;
    Ok(text.into_bytes())
}

/// The JSON text of an object, or a text as it is.
fn text_of(ruby: &Ruby, value: Value) -> Result<Vec<u8>, Error> {
    match RString::from_value(value) {
        Some(text) => Ok(bytes(text)),
        None => json(ruby, value),
    }
}

/// The bytes of a text, which is handed on as it is.
fn bytes(text: RString) -> Vec<u8> {
    raw::with_bytes(text, <[u8]>::to_vec)
}

fn string(ruby: &Ruby, text: &[u8]) -> Value {
    // All answers are JSON or plain text, in UTF-8.
    ruby.str_new(&String::from_utf8_lossy(text)).as_value()
}

/// `Stanchion::DataError`, with the place.
#[cold]
fn unreadable(ruby: &Ruby, error: &Unreadable) -> Error {
    let exception = || {
        let stanchion: RModule = ruby.class_object().const_get("Stanchion")?;
        let class: ExceptionClass = stanchion.const_get("DataError")?;
        class.new_instance((error.to_string(), error.pointer()))
    };
    match exception() {
        Ok(exception) => exception.into(),
        Err(error) => error,
    }
}

impl Validator {
    /// A validator, or the JSON of why there is none. The schema is JSON text or an object.
    fn compile(ruby: &Ruby, schema: Value, options: Value) -> Result<Value, Error> {
        let schema = text_of(ruby, schema)?;
        let compiled = stanchion_wire::Validator::new(&schema, &json(ruby, options)?);
        Ok(match compiled {
            Ok(validator) => {
                let validator = Validator(validator).into_value_with(ruby);
                validator.freeze();
                validator
            }
            Err(problem) => string(ruby, &problem.into_json()),
        })
    }

    /// All that is wrong with a schema, and what it probably did not mean, as JSON.
    fn diagnose(ruby: &Ruby, schema: Value, options: Value) -> Result<Value, Error> {
        let schema = text_of(ruby, schema)?;
        let answer = stanchion_wire::Validator::diagnose(&schema, &json(ruby, options)?);
        Ok(string(ruby, &answer.text))
    }

    fn is_valid(ruby: &Ruby, this: &Validator, value: Value) -> Result<bool, Error> {
        on_tape(ruby, value, |root| this.0.engine().verdict(root) == Verdict::Valid)
    }

    fn verdict(ruby: &Ruby, this: &Validator, value: Value) -> Result<Value, Error> {
        let verdict = on_tape(ruby, value, |root| this.0.engine().verdict(root))?;
        Ok(ruby.to_symbol(Status::from(verdict).name()).as_value())
    }

    /// The status of a text, as a symbol.
    fn check_json(ruby: &Ruby, this: &Validator, text: RString) -> Value {
        let status = if text.len() < LONG {
            raw::with_bytes(text, |text| this.0.check(text))
        } else {
            let text = bytes(text);
            raw::without_lock(|| this.0.check(&text))
        };
        ruby.to_symbol(status.name()).as_value()
    }

    /// Asks for a report on the text of an object, or on a text.
    fn report(ruby: &Ruby, text: Vec<u8>, ask: impl FnOnce(&[u8]) -> Answer + Send) -> Value {
        let answer = if text.len() < LONG { ask(&text) } else { raw::without_lock(|| ask(&text)) };
        string(ruby, &answer.text)
    }

    fn explain(ruby: &Ruby, this: &Validator, value: Value) -> Result<Value, Error> {
        Ok(Self::report(ruby, json(ruby, value)?, |text| this.0.explain(text)))
    }

    fn explain_json(ruby: &Ruby, this: &Validator, text: RString) -> Value {
        Self::report(ruby, bytes(text), |text| this.0.explain(text))
    }

    fn explain_first(ruby: &Ruby, this: &Validator, value: Value) -> Result<Value, Error> {
        Ok(Self::report(ruby, json(ruby, value)?, |text| this.0.explain_first(text)))
    }

    fn explain_first_json(ruby: &Ruby, this: &Validator, text: RString) -> Value {
        Self::report(ruby, bytes(text), |text| this.0.explain_first(text))
    }

    /// The reports that are seldom asked for, each by the name that the contract has for it.
    fn report_json(
        ruby: &Ruby,
        this: &Validator,
        question: Symbol,
        text: RString,
        numbers: (u64, u64),
    ) -> Result<Value, Error> {
        let question = question.name()?;
        let (x, y) = numbers;
        let text = bytes(text);
        let answer = match question.as_ref() {
            "explain_in_full" => this.0.explain_in_full(&text),
            "output" => {
                let format = u32::try_from(x).ok().and_then(Output::from_number);
                let no_format = || Error::new(ruby.exception_arg_error(), "there is no such output format");
                this.0.output(&text, format.ok_or_else(no_format)?)
            }
            "annotations" => this.0.annotations(&text),
            "cost" => this.0.cost(x, y),
            "size" => this.0.size(),
            "program" => this.0.program(),
            "measure" => {
                let (status, steps) = this.0.measure(&text);
                Answer { status, text: steps.to_string().into_bytes() }
            }
            other => {
                return Err(Error::new(ruby.exception_arg_error(), format!("there is no report {other}")));
            }
        };
        Ok(string(ruby, &answer.text))
    }

    fn for_model(ruby: &Ruby, this: &Validator, value: Value, characters: usize) -> Result<Value, Error> {
        Ok(Self::report(ruby, json(ruby, value)?, |text| this.0.for_model(text, characters)))
    }

    fn for_model_json(ruby: &Ruby, this: &Validator, text: RString, characters: usize) -> Value {
        Self::report(ruby, bytes(text), |text| this.0.for_model(text, characters))
    }
}

/// The JSON text of an object, with all digits.
fn generate(ruby: &Ruby, value: Value) -> Result<Value, Error> {
    Ok(string(ruby, &json(ruby, value)?))
}

#[magnus::init(name = "stanchion")]
fn init(ruby: &Ruby) -> Result<(), Error> {
    raw::declare_ractor_safe();
    let module = ruby.define_module("Stanchion")?;
    module.define_module_function("generate", function!(generate, 1))?;
    let class = module.define_class("Validator", ruby.class_object())?;
    class.undef_default_alloc_func();
    class.define_singleton_method("compile", function!(Validator::compile, 2))?;
    class.define_singleton_method("diagnose_json", function!(Validator::diagnose, 2))?;
    class.define_method("valid?", method!(Validator::is_valid, 1))?;
    class.define_method("verdict", method!(Validator::verdict, 1))?;
    class.define_method("check_json", method!(Validator::check_json, 1))?;
    class.define_method("explain", method!(Validator::explain, 1))?;
    class.define_method("explain_json", method!(Validator::explain_json, 1))?;
    class.define_method("explain_first", method!(Validator::explain_first, 1))?;
    class.define_method("explain_first_json", method!(Validator::explain_first_json, 1))?;
    class.define_method("report_json", method!(Validator::report_json, 3))?;
    class.define_method("for_model", method!(Validator::for_model, 2))?;
    class.define_method("for_model_json", method!(Validator::for_model_json, 2))?;
    mcp::init(ruby, module)?;
    toolbox::init(ruby, module)
}
