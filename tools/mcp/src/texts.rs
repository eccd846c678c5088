//! Operations without tools, as text: JSON in, JSON out. Those with tools are methods of
//! [`Toolbox`](crate::Toolbox) and [`Tool`].
//!
//! Errors are a [`Failure`], whose JSON has the reason and the answer to send.

use crate::elicitation::{ElicitAction, ElicitError, ElicitationSchema};
use crate::header::{self, HeaderMismatch};
use crate::legacy;
use crate::protocol::ProtocolVersion;
use crate::tool::{Failure, Tool};
use crate::{Profile, Prompt, Sampling};
use serde_json::{Map, Value, json};

fn parse(text: &str) -> Result<Value, Failure> {
    crate::text::parse(text).map_err(|message| Failure::new("json", message))
}

/// Returns the protocol version of a request, or `None` if it has none:
/// [`ProtocolVersion::of_request`].
pub fn version_of(request: &str) -> Result<Option<String>, Failure> {
    let request = parse(request)?;
    Ok(ProtocolVersion::of_request(&request).as_str().map(str::to_owned))
}

/// Wraps an output schema for older clients: [`legacy::wrap_schema`].
pub fn wrap_schema(profile: &Profile, schema: &str) -> Result<String, Failure> {
    let output =
        crate::OutputSchema::with_text(profile, schema).map_err(|refusal| Failure::new("schema", refusal))?;
    let text = output.text_for(ProtocolVersion::ABSENT).map_err(|refusal| Failure::new("schema", refusal))?;
    Ok(text.into_owned())
}

/// Unwraps an output schema, if it is in an envelope: [`legacy::unwrap_schema`].
pub fn unwrap_schema(profile: &Profile, schema: &str) -> Result<Option<String>, Failure> {
    let schema = parse(schema)?;
    Ok(legacy::unwrap_schema_as(&schema, profile.dialect_of(&schema)).map(|schema| schema.to_string()))
}

/// Returns all errors and warnings of a schema: `{"errors": […], "warnings": […]}`. See
/// [`Profile::diagnose`].
pub fn diagnose(profile: &Profile, schema: &str) -> Result<String, Failure> {
    let schema = parse(schema)?;
    let diagnosis = profile.diagnose(&schema);
    let one = |path: &str, message: String| json!({"path": path, "message": message});
    let errors: Vec<Value> =
        diagnosis.errors().iter().map(|error| one(error.path(), error.message())).collect();
    let warnings: Vec<Value> =
        diagnosis.warnings().iter().map(|warning| one(warning.path(), warning.message())).collect();
    Ok(json!({"errors": errors, "warnings": warnings}).to_string())
}

/// Returns the headers that a client sends with a request on Streamable HTTP, as an object: the
/// standard ones, and those of the tool.
pub fn headers_of(tool: Option<&Tool>, request: &str) -> Result<String, Failure> {
    let request = parse(request)?;
    let mut headers = header::standard(&request);
    if let Some(tool) = tool {
        let declared = tool.input().headers().map_err(|fault| Failure::new("header", fault))?;
        headers.extend(declared.of(request.pointer("/params/arguments").unwrap_or(&Value::Null)));
    }
    let headers: Map<String, Value> = headers.into_iter().map(|(name, value)| (name, value.into())).collect();
    Ok(Value::Object(headers).to_string())
}

/// Checks that the headers of a request, an object of texts, agree with its body. The failure has
/// the `error` to answer with, and HTTP's status is 400.
pub fn check_headers(tool: Option<&Tool>, request: &str, headers: &str) -> Result<(), Failure> {
    let (request, headers) = (parse(request)?, parse(headers)?);
    let failed =
        |mismatch: HeaderMismatch| Failure::new("header", &mismatch).with("error", mismatch.to_error());
    let find = |name: &str| {
        let members = headers.as_object()?;
        members
            .iter()
            .find(|(other, _)| other.eq_ignore_ascii_case(name))
            .and_then(|(_, value)| value.as_str())
    };
    header::check_request(&request, find).map_err(failed)?;
    if let Some(tool) = tool {
        let declared = tool.input().headers().map_err(|fault| Failure::new("header", fault))?;
        let arguments = request.pointer("/params/arguments").unwrap_or(&Value::Null);
        declared.check(arguments, find).map_err(failed)?;
    }
    Ok(())
}

/// Checks that a `requestedSchema` is allowed for a peer with this protocol version:
/// [`ElicitationSchema::for_version`].
pub fn check_form<'v>(
    profile: &Profile,
    version: impl Into<ProtocolVersion<'v>>,
    schema: &str,
) -> Result<ElicitationSchema, Failure> {
    ElicitationSchema::from_text(profile, version, schema)
        .map_err(|refusal| Failure::new("schema", &refusal).with("path", refusal.path().into()))
}

/// Checks an `ElicitResult`. Returns it with the defaults of absent members.
pub fn check_form_result(form: &ElicitationSchema, result: &str) -> Result<String, Failure> {
    let mut result = parse(result)?;
    let filled = match result.get_mut("content") {
        Some(content) => {
            *content = form.fill_content(content.take());
            result
        }
        None => result,
    };
    match form.check_result(&filled) {
        Ok(ElicitAction::Accept | ElicitAction::Decline | ElicitAction::Cancel) => Ok(filled.to_string()),
        Err(ElicitError::Content(violations)) => Err(Failure::violations("form", &violations)),
        Err(error @ ElicitError::Shape { .. }) => Err(Failure::new("form", error)),
    }
}

/// Checks that the `params` of `prompts/get` have the arguments that a prompt declares. The failure
/// has the `error` to answer with.
pub fn check_prompt(definition: &str, params: &str) -> Result<(), Failure> {
    let failed =
        |error: crate::MalformedRequest| Failure::new("prompt", &error).with("error", error.to_error());
    let prompt = Prompt::from_definition(&parse(definition)?).map_err(failed)?;
    prompt.check_arguments(parse(params)?.get("arguments")).map_err(failed)
}

/// Checks that calls and results in the `params` of `sampling/createMessage` match, and that the
/// calls of a given result conform.
pub fn check_sampling(profile: &Profile, params: &str, result: Option<&str>) -> Result<String, Failure> {
    let failed = |error: crate::SamplingError| Failure::new("sampling", error);
    let (sampling, loaded) = Sampling::new(profile.clone(), &parse(params)?).map_err(failed)?;
    if let Some(result) = result {
        sampling.check_result(&parse(result)?).map_err(failed)?;
    }
    Ok(loaded.to_json().to_string())
}
