//! Sampling with tools: checks that calls and results in a conversation match, and that arguments
//! conform.
//!
//! The tools of a sampling request belong to that request. An assistant's message may call them,
//! and the user's next message must have the results of exactly these calls, and nothing else.

use crate::call::CallError;
use crate::profile::Profile;
use crate::tool::Tool;
use crate::toolbox::{Loaded, Toolbox};
use crate::words;
use serde_json::Value;
use std::collections::HashSet;
use std::fmt;

/// A parsed `sampling/createMessage` request: its tools, and which calls the model may make.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::{Profile, Sampling};
///
/// let params = json!({
///     "messages": [{"role": "user", "content": {"type": "text", "text": "How is the weather in Paris?"}}],
///     "tools": [{"name": "weather", "inputSchema": {"type": "object", "required": ["city"]}}],
///     "maxTokens": 100
/// });
/// let (sampling, _) = Sampling::new(Profile::default(), &params)?;
/// let call = |input| json!({"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "weather", "input": input}]});
/// assert!(sampling.check_result(&call(json!({"city": "Paris"}))).is_ok());
/// assert!(sampling.check_result(&call(json!({}))).is_err());
/// # Ok::<(), stanchion_mcp::SamplingError>(())
/// ```
#[derive(Debug)]
pub struct Sampling {
    toolbox: Toolbox,
    choice: Choice,
}

/// Whether the model may or must call tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Auto,
    Required,
    None,
}

/// The problem with a conversation that calls tools.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SamplingError {
    /// A message or a block is malformed.
    Shape {
        /// The place in the parameters or in the result.
        path: String,
        /// The expected value.
        expected: &'static str,
    },
    /// A call has no result in the next message.
    Unanswered {
        /// The place of the message with the call.
        path: String,
        /// The call's id.
        id: String,
    },
    /// A result has no call in the message before.
    Unasked {
        /// The place of the result.
        path: String,
        /// The id that it names.
        id: String,
    },
    /// Two calls of a message, or two results, have one id.
    Duplicate {
        /// The place of the second.
        path: String,
        /// The id.
        id: String,
    },
    /// A message has a result beside something else.
    Mixed {
        /// The place of the message.
        path: String,
    },
    /// A call of a tool that the request does not have, or with arguments that do not conform.
    Call {
        /// The place of the call.
        path: String,
        /// The problem.
        error: CallError,
    },
    /// The model called a tool though it must not, or none though it must.
    Choice {
        /// The expected behavior.
        expected: &'static str,
    },
}

impl Sampling {
    /// Reads the parameters of a request: compiles its tools, and checks that calls and results in
    /// its messages match and that the arguments of calls conform. Refused tools are reported, and
    /// cannot be called.
    pub fn new(profile: Profile, params: &Value) -> Result<(Sampling, Loaded), SamplingError> {
        let toolbox = Toolbox::new(profile);
        let loaded = match params.get("tools") {
            None => Loaded::default(),
            Some(Value::Array(tools)) => toolbox.replace(tools.clone()),
            Some(_) => return Err(shape("/tools", "an array")),
        };
        let choice = match params.get("toolChoice").and_then(|choice| choice.get("mode")) {
            None => Choice::Auto,
            Some(mode) => match mode.as_str() {
                Some("auto") => Choice::Auto,
                Some("required") => Choice::Required,
                Some("none") => Choice::None,
                Some(_) | None => {
                    return Err(shape("/toolChoice/mode", "\"auto\", \"required\" or \"none\""));
                }
            },
        };
        let sampling = Sampling { toolbox, choice };
        sampling.check_messages(params)?;
        Ok((sampling, loaded))
    }

    /// Returns the tools that the model may call.
    pub fn tools(&self) -> Vec<Tool> {
        self.toolbox.tools()
    }

    /// Checks that the calls in the model's answer use tools of the request, with arguments that
    /// conform, as `toolChoice` demands.
    pub fn check_result(&self, result: &Value) -> Result<(), SamplingError> {
        let calls = self.calls(result, "")?;
        match (self.choice, calls.is_empty()) {
            (Choice::None, false) => Err(SamplingError::Choice { expected: "no call of a tool" }),
            (Choice::Required, true) => Err(SamplingError::Choice { expected: "a call of a tool" }),
            _ => Ok(()),
        }
    }

    fn check_messages(&self, params: &Value) -> Result<(), SamplingError> {
        let Some(Value::Array(messages)) = params.get("messages") else {
            return Err(shape("/messages", "an array"));
        };
        let mut open: HashSet<String> = HashSet::new();
        let mut asked_at = String::new();
        for (index, message) in messages.iter().enumerate() {
            let path = format!("/messages/{index}");
            let results = results(message, &path)?;
            let mut answered = HashSet::new();
            for (place, id) in results {
                if !answered.insert(id.clone()) {
                    return Err(SamplingError::Duplicate { path: place, id });
                }
                if !open.remove(&id) {
                    return Err(SamplingError::Unasked { path: place, id });
                }
            }
            if let Some(id) = open.drain().min() {
                return Err(SamplingError::Unanswered { path: asked_at, id });
            }
            open = self.calls(message, &path)?.into_iter().collect();
            asked_at = path;
        }
        // The last message may be a call without a result yet; that is allowed.
        Ok(())
    }

    /// Returns the ids of the calls in a message. Fails if their arguments do not conform.
    fn calls(&self, message: &Value, path: &str) -> Result<Vec<String>, SamplingError> {
        let mut ids = Vec::new();
        for (place, block) in blocks(message, path)? {
            if block.get("type").is_none_or(|kind| kind != "tool_use") {
                continue;
            }
            if message.get("role").is_none_or(|role| role != "assistant") {
                return Err(shape(&format!("{path}/role"), "\"assistant\""));
            }
            let text = |member: &str| block.get(member).and_then(Value::as_str);
            let Some(id) = text("id") else { return Err(shape(&format!("{place}/id"), "a string")) };
            let Some(name) = text("name") else { return Err(shape(&format!("{place}/name"), "a string")) };
            if ids.iter().any(|other| other == id) {
                return Err(SamplingError::Duplicate { path: place, id: id.to_owned() });
            }
            self.toolbox
                .check_call(name, block.get("input"))
                .map_err(|error| SamplingError::Call { path: place, error })?;
            ids.push(id.to_owned());
        }
        Ok(ids)
    }
}

/// Returns the ids of the results in a message, with their places.
fn results(message: &Value, path: &str) -> Result<Vec<(String, String)>, SamplingError> {
    let blocks = blocks(message, path)?;
    let is_result = |block: &Value| block.get("type").is_some_and(|kind| kind == "tool_result");
    if !blocks.iter().any(|(_, block)| is_result(block)) {
        return Ok(Vec::new());
    }
    if message.get("role").is_none_or(|role| role != "user") {
        return Err(shape(&format!("{path}/role"), "\"user\""));
    }
    if !blocks.iter().all(|(_, block)| is_result(block)) {
        return Err(SamplingError::Mixed { path: path.to_owned() });
    }
    let id = |(place, block): (String, &Value)| match block.get("toolUseId").and_then(Value::as_str) {
        Some(id) => Ok((place, id.to_owned())),
        None => Err(shape(&format!("{place}/toolUseId"), "a string")),
    };
    blocks.into_iter().map(id).collect()
}

/// Returns the blocks of a message with their places: one, or an array of them.
fn blocks<'v>(message: &'v Value, path: &str) -> Result<Vec<(String, &'v Value)>, SamplingError> {
    let place = format!("{path}/content");
    match message.get("content") {
        Some(Value::Array(blocks)) => {
            Ok(blocks.iter().enumerate().map(|(index, block)| (format!("{place}/{index}"), block)).collect())
        }
        Some(block @ Value::Object(_)) => Ok(vec![(place, block)]),
        Some(_) | None => Err(shape(&place, "a block, or an array of them")),
    }
}

fn shape(path: &str, expected: &'static str) -> SamplingError {
    SamplingError::Shape { path: path.to_owned(), expected }
}

impl fmt::Display for SamplingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = words::quoted;
        match self {
            SamplingError::Shape { path, expected } => write!(f, "{path}: expected {expected}"),
            SamplingError::Unanswered { path, id } => {
                write!(f, "{path}: the call {} has no result in the next message", quoted(id))
            }
            SamplingError::Unasked { path, id } => {
                write!(f, "{path}: no call in the message before has the id {}", quoted(id))
            }
            SamplingError::Duplicate { path, id } => {
                write!(f, "{path}: the id {} is there twice", quoted(id))
            }
            SamplingError::Mixed { path } => {
                write!(f, "{path}: a message with results of tools has nothing else")
            }
            SamplingError::Call { path, error } => write!(f, "{path}: {error}"),
            SamplingError::Choice { expected } => write!(f, "toolChoice: expected {expected}"),
        }
    }
}

impl std::error::Error for SamplingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let SamplingError::Call { error, .. } = self { Some(error) } else { None }
    }
}
