//! Operations of a toolbox as text: JSON in, JSON out. Bindings of other languages are built on
//! these.
//!
//! Results are JSON text; errors are a [`Failure`], whose JSON has the answer to send.

use super::{Definition, List, Loaded, Toolbox};
use crate::call::{CallError, MalformedRequest};
use crate::edit::{self, Members};
use crate::profile::{Profile, ProfileError};
use crate::protocol::ProtocolVersion;
use crate::tool::{Failure, Tool};
use serde_json::{Value, json};

impl Loaded {
    /// Returns the result of loading as JSON: `{"tools", "unchanged", "isChanged", "refused",
    /// "warnings"}`.
    pub fn to_json(&self) -> Value {
        let refused: Vec<Value> = self.refused.iter().map(super::RefusedTool::to_json).collect();
        let warning = |(name, warning): &(String, crate::ToolWarning)| json!({"name": name, "message": warning.to_string()});
        json!({
            "tools": self.tools,
            "unchanged": self.unchanged,
            "isChanged": self.is_changed,
            "refused": refused,
            "warnings": self.warnings.iter().map(warning).collect::<Vec<_>>(),
        })
    }
}

impl Toolbox {
    /// Makes a toolbox from JSON: `{"profile": …, "tools": […]}`, both of which may be absent. See
    /// [`Profile::from_json`].
    ///
    /// ```
    /// use stanchion_mcp::Toolbox;
    ///
    /// let text = r#"{"profile": {"preset": "go"}, "tools": [{"name": "t", "inputSchema": {"type": "object", "maximum": 1E2}}]}"#;
    /// let (toolbox, loaded) = Toolbox::from_json_text(text)?;
    /// assert_eq!(loaded.tools, 1);
    /// assert!(toolbox.to_json_text().contains(r#""inputSchema": {"type": "object", "maximum": 1E2}"#));
    /// # Ok::<(), stanchion_mcp::ProfileError>(())
    /// ```
    pub fn from_json_text(text: &str) -> Result<(Toolbox, Loaded), ProfileError> {
        let fault = |message: String| ProfileError::new("", message);
        crate::text::check_outer(text).map_err(|error| fault(error.to_string()))?;
        let members = Members::of(text).map_err(fault)?;
        let profile = members.get("profile").map(Profile::from_json_text).transpose()?;
        let toolbox = Toolbox::new(profile.unwrap_or_default());
        let loaded = match members.get("tools") {
            None => Loaded::default(),
            Some(tools) => {
                let items = edit::items(tools)
                    .ok_or_else(|| ProfileError::new("/tools", "expected an array".to_owned()))?;
                toolbox.load(List::default(), items.into_iter().map(Definition::Text))
            }
        };
        Ok((toolbox, loaded))
    }

    /// Returns the profile and the tools as JSON text, which [`Toolbox::from_json_text`] reads.
    /// Refused tools are left out.
    pub fn to_json_text(&self) -> String {
        let tools = self.tools();
        let texts: Vec<_> =
            tools.iter().filter_map(|tool| tool.definition_text_for(ProtocolVersion::NATURAL).ok()).collect();
        format!("{{\"profile\":{},\"tools\":[{}]}}", self.compiler().profile().to_json(), texts.join(","))
    }

    /// Like [`Toolbox::replace`], with JSON text: an array of definitions, or a `tools/list` result.
    pub fn replace_text(&self, list: &str) -> Result<Loaded, Failure> {
        self.is_stale.store(false, std::sync::atomic::Ordering::Relaxed);
        let items = definitions(list)?;
        Ok(self.load(List::default(), items.into_iter().map(Definition::Text)))
    }

    /// Like [`Toolbox::extend`], with JSON text: an array of definitions, or a `tools/list` result.
    pub fn extend_text(&self, page: &str) -> Result<Loaded, Failure> {
        let items = definitions(page)?;
        let list = List::clone(&self.list());
        Ok(self.load(list, items.into_iter().map(Definition::Text)))
    }

    /// Checks a call, given the `params` of `tools/call` as JSON text. Returns the tool.
    ///
    /// The failure has the answer: a `result` with `isError`, or an `error` of JSON-RPC.
    pub fn check_call_text<'v>(
        &self,
        params: &str,
        version: impl Into<ProtocolVersion<'v>>,
    ) -> Result<Tool, Failure> {
        let (tool, members) = self.called(params, version.into())?;
        let checked = tool.0.check_call_text(members.get("arguments"))?;
        checked.map_err(|error| Failure::call(&error, tool.1))?;
        Ok(tool.0)
    }

    /// Checks a call and fills in defaults, given the `params` of `tools/call` as JSON text. Returns the tool, and the arguments as JSON text.
    pub fn fill_call_text<'v>(
        &self,
        params: &str,
        version: impl Into<ProtocolVersion<'v>>,
    ) -> Result<(Tool, String), Failure> {
        let (tool, members) = self.called(params, version.into())?;
        let filled = tool.0.fill_call_text(members.get("arguments"))?;
        let arguments = filled.map_err(|error| Failure::call(&error, tool.1))?;
        Ok((tool.0, arguments))
    }

    /// Returns the called tool, and the members of the parameters.
    fn called<'t, 'v>(
        &self,
        params: &'t str,
        version: ProtocolVersion<'v>,
    ) -> Result<((Tool, ProtocolVersion<'v>), Members<'t>), Failure> {
        let malformed = |error: MalformedRequest| Failure::call(&CallError::from(error), version);
        stanchion::Reader::new().parse_str(params)?;
        let members = Members::of(params)
            .map_err(|message| malformed(MalformedRequest::new(format!("params: {message}"))))?;
        let Some(Value::String(name)) = members.value("name") else {
            return Err(malformed(MalformedRequest::new("name: expected a string".to_owned())));
        };
        let tool = self.get(&name).ok_or_else(|| malformed(MalformedRequest::unknown_tool(&name)))?;
        Ok(((tool, version), members))
    }

    /// Like [`Tool::send_result`] for the tool of this name, with the result as JSON text.
    pub fn send_result_text<'v>(
        &self,
        name: &str,
        version: impl Into<ProtocolVersion<'v>>,
        result: &str,
    ) -> Result<String, Failure> {
        self.named(name)?.send_result_text(version, result)
    }

    /// Like [`Tool::receive_result`] for the tool of this name, with the result as JSON text.
    pub fn receive_result_text<'v>(
        &self,
        name: &str,
        version: impl Into<ProtocolVersion<'v>>,
        result: &str,
    ) -> Result<String, Failure> {
        self.named(name)?.receive_result_text(version, result)
    }

    fn named(&self, name: &str) -> Result<Tool, Failure> {
        self.get(name).ok_or_else(|| Failure::new("malformed", MalformedRequest::unknown_tool(name)))
    }
}

/// Returns the definitions of a list. One that nests too deep is refused later, by itself.
fn definitions(list: &str) -> Result<Vec<&str>, Failure> {
    crate::text::check_outer(list)?;
    if let Some(items) = edit::items(list) {
        return Ok(items);
    }
    let tools = edit::member(list, "tools").and_then(edit::items);
    tools
        .ok_or_else(|| Failure::new("json", "expected an array of tools, or an object with an array `tools`"))
}
