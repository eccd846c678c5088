//! `Stanchion::MCP`: tools by the rules of the Ruby SDK, which are a profile of `stanchion-mcp`.

use std::sync::LazyLock;

use magnus::value::ReprValue;
use magnus::{Error, IntoValue, RModule, Ruby, Value, function, method, prelude::*};
use stanchion::Verdict;
use stanchion_mcp::{Compiler, Profile, Refusal, Violations};

use crate::raw::{InputSchema, OutputSchema};

/// Schemas are kept by their content, since some servers make their tools anew for each request.
static COMPILER: LazyLock<Compiler> = LazyLock::new(|| Compiler::new(Profile::ruby()));

/// The SDK raises `ArgumentError` for schemas.
fn refused(ruby: &Ruby, refusal: &Refusal) -> Error {
    Error::new(ruby.exception_arg_error(), format!("Invalid JSON Schema: {refusal}"))
}

/// The text of a schema that is an object of Ruby's, or text already.
fn schema_text(ruby: &Ruby, schema: Value) -> Result<String, Error> {
    let text = crate::text_of(ruby, schema)?;
    let not_text = |_| Error::new(ruby.exception_arg_error(), "Invalid JSON Schema: the text is not UTF-8");
    String::from_utf8(text).map_err(not_text)
}

/// `nil`, or what is wrong, as the SDK says it.
fn told(
    ruby: &Ruby,
    value: Value,
    verdict: Verdict,
    check: impl FnOnce(&str) -> Option<Violations>,
) -> Result<Value, Error> {
    if verdict == Verdict::Valid {
        return Ok(ruby.qnil().as_value());
    }
    let text = crate::json(ruby, value)?;
    let violations = check(&String::from_utf8_lossy(&text));
    Ok(violations
        .map_or_else(|| ruby.qnil().as_value(), |violations| ruby.str_new(&violations.text()).as_value()))
}

impl InputSchema {
    fn compile(ruby: &Ruby, schema: Value) -> Result<Value, Error> {
        let text = schema_text(ruby, schema)?;
        let input = COMPILER.input_text(&text).map_err(|refusal| refused(ruby, &refusal))?;
        let schema = InputSchema(input).into_value_with(ruby);
        schema.freeze();
        Ok(schema)
    }

    fn json(ruby: &Ruby, this: &InputSchema) -> Value {
        ruby.str_new(&this.0.text()).as_value()
    }

    fn is_valid(ruby: &Ruby, this: &InputSchema, arguments: Value) -> Result<bool, Error> {
        crate::on_tape(ruby, arguments, |root| this.0.validator().verdict(root) == Verdict::Valid)
    }

    fn problem(ruby: &Ruby, this: &InputSchema, arguments: Value) -> Result<Value, Error> {
        let verdict = crate::on_tape(ruby, arguments, |root| this.0.validator().verdict(root))?;
        told(ruby, arguments, verdict, |text| this.0.validate_arguments_text(text).ok()?.err())
    }
}

impl OutputSchema {
    fn compile(ruby: &Ruby, schema: Value) -> Result<Value, Error> {
        let text = schema_text(ruby, schema)?;
        let output = COMPILER.output_text(&text).map_err(|refusal| refused(ruby, &refusal))?;
        let schema = OutputSchema(output).into_value_with(ruby);
        schema.freeze();
        Ok(schema)
    }

    fn json(ruby: &Ruby, this: &OutputSchema) -> Value {
        ruby.str_new(&this.0.text()).as_value()
    }

    fn is_valid(ruby: &Ruby, this: &OutputSchema, result: Value) -> Result<bool, Error> {
        crate::on_tape(ruby, result, |root| this.0.validator().verdict(root) == Verdict::Valid)
    }

    fn problem(ruby: &Ruby, this: &OutputSchema, result: Value) -> Result<Value, Error> {
        let verdict = crate::on_tape(ruby, result, |root| this.0.validator().verdict(root))?;
        told(ruby, result, verdict, |text| this.0.validate_structured_content_text(text).ok()?.err())
    }
}

pub(crate) fn init(ruby: &Ruby, stanchion: RModule) -> Result<(), Error> {
    let module = stanchion.define_module("MCP")?;
    let class = module.define_class("InputSchema", ruby.class_object())?;
    class.undef_default_alloc_func();
    class.define_singleton_method("new", function!(InputSchema::compile, 1))?;
    class.define_method("to_json_text", method!(InputSchema::json, 0))?;
    class.define_method("valid?", method!(InputSchema::is_valid, 1))?;
    class.define_method("problem", method!(InputSchema::problem, 1))?;
    let class = module.define_class("OutputSchema", ruby.class_object())?;
    class.undef_default_alloc_func();
    class.define_singleton_method("new", function!(OutputSchema::compile, 1))?;
    class.define_method("to_json_text", method!(OutputSchema::json, 0))?;
    class.define_method("valid?", method!(OutputSchema::is_valid, 1))?;
    class.define_method("problem", method!(OutputSchema::problem, 1))?;
    Ok(())
}
