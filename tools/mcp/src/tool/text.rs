//! Tools with text: JSON in, JSON out. Digits of numbers and the order of members are preserved.

use super::Tool;
use crate::call::{CallError, MalformedRequest};
use crate::content;
use crate::edit::{self, Members};
use crate::protocol::{COMPLETE, ProtocolVersion, ResultKind};
use crate::result::{ResultError, ResultErrorKind};
use crate::toolbox::RefusedTool;
use crate::violations::{Subject, Violations};
use serde_json::{Value, json};
use stanchion::TextError;
use std::borrow::Cow;
use std::fmt;

/// The error of an operation on texts, as JSON.
///
/// Its JSON is `{"kind", "message"}`, with `"errors"` where a value broke its schema, and with the `"result"` or the `"error"` that answers the
/// request, where it is one. Kinds are `arguments`, `malformed`, `result`, `schema`, `tool`, `header`, `form`, `prompt`, `sampling`, `profile` and `json`.
#[derive(Clone, Debug, PartialEq)]
pub struct Failure {
    kind: &'static str,
    json: Value,
}

impl Failure {
    pub(crate) fn new(kind: &'static str, message: impl fmt::Display) -> Failure {
        Failure { kind, json: json!({"kind": kind, "message": message.to_string()}) }
    }

    pub(crate) fn with(mut self, name: &str, value: Value) -> Failure {
        self.json[name] = value;
        self
    }

    pub(crate) fn violations(kind: &'static str, violations: &Violations) -> Failure {
        let failure = Failure::new(kind, violations).with("errors", violations.to_json());
        match violations.undecided() {
            Some(exhausted) => failure.with("undecided", exhausted.to_string().into()),
            None => failure,
        }
    }

    pub(crate) fn call(error: &CallError, version: ProtocolVersion<'_>) -> Failure {
        let failure = match error {
            CallError::Malformed(error) => Failure::new("malformed", error),
            CallError::Arguments(violations) => Failure::violations("arguments", violations),
        };
        match error.to_answer(version) {
            Ok(result) => failure.with("result", result),
            Err(error) => failure.with("error", error),
        }
    }

    pub(crate) fn result(error: &ResultError, version: ProtocolVersion<'_>) -> Failure {
        let failure = match error.kind() {
            ResultErrorKind::Content(violations) => Failure::violations("result", violations),
            ResultErrorKind::Missing
            | ResultErrorKind::NoMirror
            | ResultErrorKind::TooLarge { .. }
            | ResultErrorKind::ResultType { .. }
            | ResultErrorKind::Shape { .. } => Failure::new("result", error),
        };
        failure.with("result", error.to_result(version))
    }

    /// Returns the kind of failure.
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        self.json["message"].as_str().unwrap_or_default()
    }

    /// Returns the failure as JSON.
    pub fn to_json(&self) -> &Value {
        &self.json
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl std::error::Error for Failure {}

impl From<&RefusedTool> for Failure {
    fn from(refused: &RefusedTool) -> Failure {
        Failure::new("tool", refused).with("tool", refused.to_json())
    }
}

impl From<TextError> for Failure {
    fn from(error: TextError) -> Failure {
        Failure::new("json", error)
    }
}

impl Tool {
    /// Returns the definition for a peer with this protocol version, as JSON text: byte for byte as
    /// it was given, if it was text and nothing has to change for the peer.
    pub fn definition_text_for<'v>(
        &self,
        version: impl Into<ProtocolVersion<'v>>,
    ) -> Result<Cow<'_, str>, RefusedTool> {
        let version = version.into();
        let definition = self.definition_for(version)?;
        let Some(text) = self.0.text.as_deref() else { return Ok(Cow::Owned(definition.to_string())) };
        let Ok(mut members) = Members::of(text) else { return Ok(Cow::Owned(definition.to_string())) };
        let mut is_changed = false;
        if self.input().compiled().is_stamped() {
            members.set("inputSchema", self.input().text().into_owned());
            is_changed = true;
        }
        match self.output() {
            Some(output) => {
                let schema = output.text_for(version).map_err(|refusal| self.refused(refusal))?;
                if output.schema().is_boolean() {
                    members.set(
                        "outputSchema",
                        output.schema_for(version).map_err(|refusal| self.refused(refusal))?.to_string(),
                    );
                    is_changed = true;
                } else if members.get("outputSchema") != Some(schema.as_ref()) {
                    members.set("outputSchema", schema.into_owned());
                    is_changed = true;
                }
            }
            None if members.get("outputSchema").is_some() => return Ok(Cow::Owned(definition.to_string())),
            None => {}
        }
        Ok(if is_changed { Cow::Owned(members.to_text()) } else { Cow::Borrowed(text) })
    }

    /// Checks whether a call may reach the tool, given its arguments as JSON text, or `None`
    /// without arguments.
    pub fn check_call_text(&self, arguments: Option<&str>) -> Result<Result<(), CallError>, TextError> {
        let text = match self.arguments_text(arguments)? {
            Ok(text) => text,
            Err(error) => return Ok(Err(error)),
        };
        let checked = self.input().compiled().check_text(Subject::Arguments, text)?;
        Ok(checked.map_err(|error| self.invalid(error)))
    }

    /// Returns the text of arguments, if they are an object.
    pub(crate) fn arguments_text<'t>(
        &self,
        arguments: Option<&'t str>,
    ) -> Result<Result<&'t str, CallError>, TextError> {
        Ok(match arguments.map(str::trim) {
            None => Ok("{}"),
            Some("null") if self.profile().null_arguments => Ok("{}"),
            Some(text) if text.starts_with('{') => Ok(text),
            Some(text) => {
                // Not an object: an error, if it is JSON at all.
                stanchion::Reader::new().parse_str(text)?;
                let found = crate::text::parse(text).unwrap_or(Value::Null);
                Err(MalformedRequest::arguments(&found).into())
            }
        })
    }

    /// Like [`Tool::fill_call`], with arguments as JSON text. Given members stay byte for byte
    /// except for white space; defaults are appended.
    pub fn fill_call_text(&self, arguments: Option<&str>) -> Result<Result<String, CallError>, TextError> {
        let text = match self.arguments_text(arguments)? {
            Ok(text) => text,
            Err(error) => return Ok(Err(error)),
        };
        let filled = self.input().defaults().fill_text(self.input().compiled(), text)?;
        Ok(filled.map_err(|error| self.invalid(error)))
    }

    /// Like [`Tool::send_result`], with the result as JSON text. Structured content keeps its digits and the order of its members, also in the mirror
    /// and in the envelope. A result that needs no change is returned byte for byte.
    ///
    /// ```
    /// use stanchion_mcp::{Profile, Tool};
    ///
    /// let definition = r#"{"name": "t", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"}}"#;
    /// let tool = Tool::from_definition_text(&Profile::default(), definition)?;
    /// let sent = tool.send_result_text("2025-11-25", r#"{"structuredContent": [1.0, 1E2, 18446744073709551616]}"#)?;
    /// assert!(sent.starts_with(r#"{"structuredContent":{"result":[1.0, 1E2, 18446744073709551616]},"content":["#), "{sent}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn send_result_text<'v>(
        &self,
        version: impl Into<ProtocolVersion<'v>>,
        result: &str,
    ) -> Result<String, Failure> {
        let version = version.into();
        let failed = |error: ResultError| Failure::result(&error, version);
        let Some(mut members) = self.final_members(result, version)? else { return Ok(result.to_owned()) };
        self.check_members(&members).map_err(failed)?;
        let structured = members.get("structuredContent");
        let content = members.value("content").filter(|content| !content.is_null());
        let blocks = content.as_ref().and_then(Value::as_array).map(Vec::as_slice);
        let is_needed = structured.is_some_and(|text| {
            let has_text = blocks.is_some_and(content::has_text);
            self.profile().mirror.is_needed_for(
                text.starts_with('{'),
                text == "null",
                blocks.is_some(),
                has_text,
            )
        });
        let mut array = content.as_ref().and_then(|_| members.get("content")).unwrap_or("[]").to_owned();
        if let Some(text) = structured.filter(|_| is_needed) {
            let mirror = self.mirror(self.profile().mirror_numbers.of_text(text)).map_err(failed)?;
            array = edit::push_item(&array, &content::block_of(mirror).to_string());
        }
        if let Some(text) = structured {
            let schema = self.output().map(crate::OutputSchema::schema);
            if version.is_legacy() && self.profile().wrapping.wraps_kind(schema, text.starts_with('{')) {
                let wrapped = format!("{{\"result\":{text}}}");
                members.set("structuredContent", wrapped);
            }
        }
        if members.get("content") != Some(array.as_str()) {
            members.set("content", array);
        }
        if !version.is_legacy() && members.get("resultType").is_none() {
            members.set("resultType", Value::from(COMPLETE).to_string());
        }
        Ok(if members.is_changed() { members.to_text() } else { result.to_owned() })
    }

    /// Like [`Tool::receive_result`], with the result as JSON text.
    pub fn receive_result_text<'v>(
        &self,
        version: impl Into<ProtocolVersion<'v>>,
        result: &str,
    ) -> Result<String, Failure> {
        let version = version.into();
        let failed = |error: ResultError| Failure::result(&error, version);
        let Some(mut members) = self.final_members(result, version)? else { return Ok(result.to_owned()) };
        self.check_members(&members).map_err(failed)?;
        if members.get("content").is_none_or(|content| content == "null") {
            members.set("content", "[]".to_owned());
        }
        let content = members.value("content");
        let blocks = content.as_ref().and_then(Value::as_array);
        let structured = members.get("structuredContent");
        let lacks = structured.is_some_and(|text| !text.starts_with('{'))
            && !blocks.is_some_and(|blocks| content::has_text(blocks));
        self.check_mirror(lacks && members.get("isError") != Some("true")).map_err(failed)?;
        let opens = self.profile().opens_envelopes
            && self.output().is_some_and(|output| output.is_envelope_for(version));
        let inner = structured
            .filter(|_| opens)
            .and_then(|text| Members::of(text).ok())
            .and_then(|envelope| envelope.only("result"));
        if let Some(inner) = inner {
            members.set("structuredContent", inner);
        }
        Ok(members.to_text())
    }

    /// Returns the members of a final result. `None` if it is passed through.
    fn final_members<'t>(
        &self,
        result: &'t str,
        version: ProtocolVersion<'_>,
    ) -> Result<Option<Members<'t>>, Failure> {
        stanchion::Reader::new().parse_str(result)?;
        let shape = |found: String| {
            let kind = ResultErrorKind::Shape { path: "", expected: "an object", found };
            Failure::result(&self.bad_result(kind), version)
        };
        let members = Members::of(result).map_err(shape)?;
        let kind = members.value("resultType");
        let is_final =
            self.is_final(ResultKind::from_members(kind.as_ref(), |name| members.value(name)), kind.as_ref());
        Ok(is_final.map_err(|error| Failure::result(&error, version))?.then_some(members))
    }

    /// Checks that structured content conforms, and that `content` is an array.
    fn check_members(&self, members: &Members<'_>) -> Result<(), ResultError> {
        if let Some(content) =
            members.value("content").filter(|content| !content.is_array() && !content.is_null())
        {
            return Err(self.shape("/content", "an array", &content));
        }
        let null_is_missing = self.profile().null_is_missing;
        let structured =
            members.get("structuredContent").filter(|text| !(*text == "null" && null_is_missing));
        match (self.output(), structured) {
            _ if members.get("isError") == Some("true") => Ok(()),
            (None, _) => Ok(()),
            (Some(_), None) => Err(self.bad_result(ResultErrorKind::Missing)),
            (Some(output), Some(text)) => match output.validate_structured_content_text(text) {
                Ok(Ok(())) => Ok(()),
                Ok(Err(error)) => {
                    Err(self
                        .bad_result(ResultErrorKind::Content(error.of_tool(self.name(), Default::default()))))
                }
                // The whole text was read before.
                Err(error) => Err(self.bad_result(ResultErrorKind::Shape {
                    path: "/structuredContent",
                    expected: "JSON",
                    found: error.to_string(),
                })),
            },
        }
    }
}
