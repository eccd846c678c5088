//! Prompts: checks the arguments of `prompts/get` against the prompt's declaration.

use crate::call::MalformedRequest;
use crate::words;
use serde_json::Value;

/// A prompt from `prompts/list`: its name, and its arguments.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::Prompt;
///
/// let prompt = Prompt::from_definition(&json!({
///     "name": "code_review", "arguments": [{"name": "code", "required": true}, {"name": "style"}]
/// }))?;
/// assert!(prompt.check_arguments(Some(&json!({"code": "fn main() {}"}))).is_ok());
/// let error = prompt.check_arguments(None).unwrap_err();
/// assert_eq!(error.to_string(), "prompt \"code_review\": the argument \"code\" is missing");
/// assert_eq!(error.code(), -32602);
/// # Ok::<(), stanchion_mcp::MalformedRequest>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Prompt {
    name: String,
    arguments: Vec<(String, bool)>,
}

impl Prompt {
    /// Reads the definition of a prompt.
    pub fn from_definition(definition: &Value) -> Result<Prompt, MalformedRequest> {
        let expected = |place: &str, wanted: &str, found: Option<&Value>| {
            let found = found.map_or_else(|| "nothing".to_owned(), words::found);
            Err(MalformedRequest::new(format!("prompt: {place}: expected {wanted}, found {found}")))
        };
        let Some(name) = definition.get("name").and_then(Value::as_str) else {
            return expected("/name", "a string", definition.get("name"));
        };
        let declared = match definition.get("arguments") {
            None | Some(Value::Null) => &[][..],
            Some(Value::Array(declared)) => declared,
            other => return expected("/arguments", "an array", other),
        };
        let mut arguments = Vec::new();
        for (index, argument) in declared.iter().enumerate() {
            let Some(name) = argument.get("name").and_then(Value::as_str) else {
                return expected(&format!("/arguments/{index}/name"), "a string", argument.get("name"));
            };
            arguments.push((name.to_owned(), argument.get("required") == Some(&Value::Bool(true))));
        }
        Ok(Prompt { name: name.to_owned(), arguments })
    }

    /// Returns the prompt's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Checks arguments: all must be texts, and all required ones must be there. The error goes
    /// over the wire as −32602. Undeclared arguments are allowed, because the specification does
    /// not forbid them; see [`Prompt::undeclared`].
    pub fn check_arguments(&self, arguments: Option<&Value>) -> Result<(), MalformedRequest> {
        let refused = |message: String| {
            Err(MalformedRequest::new(format!("prompt {}: {message}", words::quoted(&self.name))))
        };
        let members = match arguments {
            None => None,
            Some(Value::Object(members)) => Some(members),
            Some(other) => {
                return refused(format!("arguments: expected an object, found {}", words::found(other)));
            }
        };
        for (name, value) in members.into_iter().flatten() {
            if !value.is_string() {
                let found = words::found(value);
                return refused(format!(
                    "the argument {}: expected a string, found {found}",
                    words::quoted(name)
                ));
            }
        }
        let is_there = |name: &str| members.is_some_and(|members| members.contains_key(name));
        match self.arguments.iter().find(|(name, is_required)| *is_required && !is_there(name)) {
            Some((name, _)) => refused(format!("the argument {} is missing", words::quoted(name))),
            None => Ok(()),
        }
    }

    /// Returns the names of arguments that the prompt does not declare.
    pub fn undeclared<'a>(&self, arguments: &'a Value) -> Vec<&'a str> {
        let names = arguments.as_object().into_iter().flat_map(|members| members.keys());
        let is_declared = |name: &str| self.arguments.iter().any(|(declared, _)| declared == name);
        names.map(String::as_str).filter(|name| !is_declared(name)).collect()
    }
}
