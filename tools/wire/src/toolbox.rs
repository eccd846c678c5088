//! [`Toolbox`]: the tools of an MCP server, as text.

use crate::json;
use crate::options;
use crate::problem::{Problem, utf8};
use crate::status::Status;
use crate::validator::Answer;
use serde_json::{Map, Value};
use stanchion_mcp::{Failure, Listing, Profile};
use std::sync::Arc;

/// Tools by name, with the profile that they are read by. It is shared between threads.
///
/// ```
/// use stanchion_wire::{Status, Toolbox};
///
/// let list = br#"{"tools": [{"name": "add", "inputSchema": {"type": "object", "required": ["a"]}}, {"name": "bad"}]}"#;
/// let (toolbox, loaded) = Toolbox::new(list, br#"{"preset": "typescript"}"#).unwrap();
/// assert_eq!(loaded.status, Status::Valid);
/// assert!(String::from_utf8(loaded.text).unwrap().starts_with(r#"{"tools":1,"#));
///
/// let answer = toolbox.check_call(br#"{"name": "add", "arguments": {}}"#, b"2026-07-28");
/// assert_eq!(answer.status, Status::Invalid);
/// assert!(String::from_utf8(answer.text).unwrap().starts_with(r#"{"kind":"arguments","#));
/// ```
#[derive(Clone, Debug)]
pub struct Toolbox(Arc<stanchion_mcp::Toolbox>);

impl Toolbox {
    /// Makes a box of an array of definitions or a `tools/list` result, and of a profile. Both are JSON text; empty ones stand for no tools and for
    /// the profile of the specification. The answer says what became of each tool: one that is refused is not in the box, and the others are.
    ///
    /// # Errors
    ///
    /// [`Status::NotJson`] if a text is not JSON, [`Status::Misuse`] if there is something wrong with the profile.
    pub fn new(list: &[u8], profile: &[u8]) -> Result<(Toolbox, Answer), Problem> {
        let profile = match profile {
            [] => options::profile("profile", &Value::Object(Map::new()))?,
            text => {
                let choices = json::parse(text).map_err(|error| Problem::not_json("profile", error))?;
                options::profile("profile", &choices)?
            }
        };
        let toolbox = Toolbox(Arc::new(stanchion_mcp::Toolbox::new(profile)));
        let list = if list.is_empty() { b"[]" } else { list };
        let answer = toolbox.replace(list);
        if answer.status == Status::Valid {
            Ok((toolbox, answer))
        } else {
            Err(Problem::list(answer.status, &answer.text))
        }
    }

    /// Takes another list in place of what is there. Tools that did not change are not compiled again.
    pub fn replace(&self, list: &[u8]) -> Answer {
        answered(utf8("list", list), |list| Ok(self.0.replace_text(list)?.to_json().to_string()))
    }

    /// Takes the next page of a list, beside what is there.
    pub fn extend(&self, page: &[u8]) -> Answer {
        answered(utf8("list", page), |page| Ok(self.0.extend_text(page)?.to_json().to_string()))
    }

    /// The result of `tools/list` for a client with that protocol version.
    pub fn list(&self, version: &[u8]) -> Answer {
        answered(utf8("version", version), |version| Ok(self.0.list_text(version, &Listing::default())))
    }

    /// The definition of a tool as it goes to a client with that protocol version.
    pub fn definition(&self, name: &[u8], version: &[u8]) -> Answer {
        answered(pair(("name", name), ("version", version)), |(name, version)| {
            let tool = self.0.get(name).ok_or_else(|| unknown(&self.0, name))?;
            tool.definition_text_for(version)
                .map(std::borrow::Cow::into_owned)
                .map_err(|refused| Failure::from(&refused).into())
        })
    }

    /// Whether a call may reach its tool, given the `params` of `tools/call`. The answer is `{"name"}`, or the failure with what to answer to the client.
    pub fn check_call(&self, params: &[u8], version: &[u8]) -> Answer {
        answered(pair(("params", params), ("version", version)), |(params, version)| {
            let tool = self.0.check_call_text(params, version)?;
            Ok(format!("{{\"name\":{}}}", Value::from(tool.name())))
        })
    }

    /// Like [`Toolbox::check_call`]; the answer is the arguments with defaults filled in.
    pub fn fill_call(&self, params: &[u8], version: &[u8]) -> Answer {
        answered(pair(("params", params), ("version", version)), |(params, version)| {
            Ok(self.0.fill_call_text(params, version)?.1)
        })
    }

    /// Whether a result of a tool conforms to its output schema, on the side of the client. The answer is the result as the client's program takes it:
    /// with `content`, and without the envelope for older clients.
    pub fn check_result(&self, name: &[u8], version: &[u8], result: &[u8]) -> Answer {
        answered(three(name, version, result), |(name, version, result)| {
            self.known(name)?;
            Ok(self.0.receive_result_text(name, version, result)?)
        })
    }

    /// Whether a result of a tool conforms to its output schema, on the side of the server. The answer is the result as it goes to a client with that
    /// protocol version: with a text mirror where one is needed, and in an envelope for older clients.
    pub fn send_result(&self, name: &[u8], version: &[u8], result: &[u8]) -> Answer {
        answered(three(name, version, result), |(name, version, result)| {
            self.known(name)?;
            Ok(self.0.send_result_text(name, version, result)?)
        })
    }

    /// All choices of the profile.
    pub fn profile(&self) -> Answer {
        let profile: &Profile = self.0.compiler().profile();
        Answer { status: Status::Valid, text: profile.to_json().to_string().into_bytes() }
    }

    fn known(&self, name: &str) -> Result<(), NotDone> {
        self.0.get(name).map(drop).ok_or_else(|| unknown(&self.0, name))
    }
}

/// Why there is no answer.
enum NotDone {
    Failure(Failure),
    Unknown(String),
}

impl From<Failure> for NotDone {
    fn from(failure: Failure) -> NotDone {
        NotDone::Failure(failure)
    }
}

/// The caller asks for a tool that is not in the box: it was never there, or it was refused.
fn unknown(toolbox: &stanchion_mcp::Toolbox, name: &str) -> NotDone {
    let shown: String = name.chars().take(100).collect();
    NotDone::Unknown(match toolbox.refused(name) {
        Some(refused) => format!("tool {} was refused: {refused}", Value::from(shown)),
        None => format!("there is no tool {}", Value::from(shown)),
    })
}

fn answered<T>(texts: Result<T, Problem>, run: impl FnOnce(T) -> Result<String, NotDone>) -> Answer {
    match texts.map(run) {
        Ok(Ok(text)) => Answer { status: Status::Valid, text: text.into_bytes() },
        Ok(Err(NotDone::Failure(failure))) => {
            Answer { status: status_of(&failure), text: failure.to_json().to_string().into_bytes() }
        }
        Ok(Err(NotDone::Unknown(message))) => Problem::misuse(message).into(),
        Err(problem) => problem.into(),
    }
}

fn status_of(failure: &Failure) -> Status {
    match failure.kind() {
        "json" => Status::NotJson,
        "schema" | "tool" => Status::Refused,
        "profile" => Status::Misuse,
        _ if failure.to_json().get("undecided").is_some() => Status::Undecided,
        _ => Status::Invalid,
    }
}

type Named<'t> = (&'static str, &'t [u8]);

fn pair<'t>(first: Named<'t>, second: Named<'t>) -> Result<(&'t str, &'t str), Problem> {
    Ok((utf8(first.0, first.1)?, utf8(second.0, second.1)?))
}

fn three<'t>(
    name: &'t [u8],
    version: &'t [u8],
    result: &'t [u8],
) -> Result<(&'t str, &'t str, &'t str), Problem> {
    Ok((utf8("name", name)?, utf8("version", version)?, utf8("result", result)?))
}
