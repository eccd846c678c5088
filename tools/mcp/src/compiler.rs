//! [`Compiler`]: a profile with a cache.

use crate::edit::Members;
use crate::input::InputSchema;
use crate::output::OutputSchema;
use crate::profile::Profile;
use crate::refusal::{Part, Refusal};
use crate::schema::Source;
use crate::tool::Tool;
use crate::toolbox::{RefusedTool, TOOLS, ToolFault};
use serde_json::Value;
use stanchion::Cache;
use std::fmt;
use std::sync::Arc;

/// Compiles schemas with one profile, and caches the validators by the content of their schemas.
/// Cheap to clone; clones share the cache.
///
/// Some servers are created for each request, with all their tools. With a compiler that outlives
/// them, each schema is compiled once.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::{Compiler, Profile};
///
/// let compiler = Compiler::new(Profile::default());
/// let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
/// for _request in 0..3 {
///     let input = compiler.input(schema.clone())?;
///     assert!(input.validate_arguments(&json!({"city": "Turin"})).is_ok());
/// }
/// assert_eq!(compiler.kept(), 1);
/// # Ok::<(), stanchion_mcp::Refusal>(())
/// ```
#[derive(Clone)]
pub struct Compiler(Arc<Inner>);

struct Inner {
    profile: Arc<Profile>,
    cache: Cache,
}

impl Compiler {
    /// Makes a compiler that caches as many validators as a list of tools may have schemas, 20,000,
    /// and about 64 MiB of them.
    pub fn new(profile: Profile) -> Compiler {
        Compiler::bounded(profile, 2 * TOOLS, 64 << 20)
    }

    /// Makes a compiler that caches at most `entries` validators, and about `bytes` bytes.
    pub fn bounded(profile: Profile, entries: usize, bytes: usize) -> Compiler {
        let cache = Cache::new(profile.builder()).entries(entries).bytes(bytes);
        Compiler(Arc::new(Inner { profile: Arc::new(profile), cache }))
    }

    /// Returns the profile.
    pub fn profile(&self) -> &Profile {
        &self.0.profile
    }

    /// Returns how many validators are cached.
    pub fn kept(&self) -> usize {
        self.0.cache.len()
    }

    /// Compiles an input schema from a value.
    pub fn input(&self, schema: impl Into<Value>) -> Result<InputSchema, Refusal> {
        InputSchema::read(self.profile(), Some(&self.0.cache), Source::value(schema.into()))
    }

    /// Compiles an input schema from JSON text, which is kept byte for byte.
    pub fn input_text(&self, text: &str) -> Result<InputSchema, Refusal> {
        InputSchema::read(self.profile(), Some(&self.0.cache), Source::text(Part::Input, text)?)
    }

    /// Compiles an output schema from a value.
    pub fn output(&self, schema: impl Into<Value>) -> Result<OutputSchema, Refusal> {
        OutputSchema::read(&self.0.profile, Some(&self.0.cache), Source::value(schema.into()))
    }

    /// Compiles an output schema from JSON text, which is kept byte for byte.
    pub fn output_text(&self, text: &str) -> Result<OutputSchema, Refusal> {
        OutputSchema::read(&self.0.profile, Some(&self.0.cache), Source::text(Part::Output, text)?)
    }

    /// Compiles a tool from its definition in `tools/list`.
    pub fn tool(&self, definition: Value) -> Result<Tool, RefusedTool> {
        self.assemble(Parts::of(definition, None, self.profile())?, None)
    }

    /// Compiles a tool from its definition in `tools/list` as JSON text, which is kept byte for
    /// byte.
    pub fn tool_text(&self, text: &str) -> Result<Tool, RefusedTool> {
        self.assemble(Parts::of_text(text, self.profile())?, None)
    }

    /// Builds a tool from its parts. Schemas that are equal to the previous tool's are taken from
    /// it.
    pub(crate) fn assemble(&self, parts: Parts, previous: Option<&Tool>) -> Result<Tool, RefusedTool> {
        let Parts { name, input, output, rest, text } = parts;
        let refused = |refusal| {
            RefusedTool::new(Some(name.clone()), ToolFault::Schema(refusal)).in_words(self.profile().words)
        };
        let members = text.as_deref().and_then(|text| Members::of(text).ok());
        let text_of = |member| members.as_ref().and_then(|members| members.get(member));
        let (input_text, output_text) = (text_of("inputSchema"), text_of("outputSchema"));
        let same_input = previous.map(Tool::input).filter(|previous| previous.is_of(&input, input_text));
        let input = match same_input {
            Some(same) => same.clone(),
            None => InputSchema::read(self.profile(), Some(&self.0.cache), Source::read(input, input_text))
                .map_err(refused)?,
        };
        let output = match (output, previous.and_then(Tool::output)) {
            (None, _) => None,
            (Some(output), Some(same)) if same.is_of(&output, output_text) => Some(same.clone()),
            (Some(output), _) => {
                let source = Source::read(output, output_text);
                Some(OutputSchema::read(&self.0.profile, Some(&self.0.cache), source).map_err(refused)?)
            }
        };
        Ok(Tool::assemble(&self.0.profile, name.into(), input, output, rest, text))
    }
}

impl fmt::Debug for Compiler {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Compiler").field("profile", self.profile()).field("kept", &self.kept()).finish()
    }
}

/// The parts of a definition.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) name: String,
    pub(crate) input: Value,
    pub(crate) output: Option<Value>,
    /// The definition, with `null` in the places of its schemas.
    pub(crate) rest: Value,
    /// The definition as it was given, if that was text.
    pub(crate) text: Option<Box<str>>,
}

impl Parts {
    pub(crate) fn of_text(text: &str, profile: &Profile) -> Result<Parts, RefusedTool> {
        let fault = |found| ToolFault::Definition { path: "", expected: "a definition as JSON", found };
        let refused = |message| RefusedTool::new(None, fault(message));
        let definition = crate::text::parse(text).map_err(refused)?;
        if definition.is_object() {
            Members::of(text).map_err(refused)?;
        }
        Parts::of(definition, Some(text), profile)
    }

    pub(crate) fn of(definition: Value, text: Option<&str>, profile: &Profile) -> Result<Parts, RefusedTool> {
        let Value::Object(mut rest) = definition else {
            return Err(RefusedTool::new(None, ToolFault::expected("", "an object", Some(&definition))));
        };
        let name = match rest.get("name") {
            Some(Value::String(name)) => name.clone(),
            other => return Err(RefusedTool::new(None, ToolFault::expected("/name", "a string", other))),
        };
        let Some(input) = rest.get_mut("inputSchema").map(Value::take) else {
            let fault = ToolFault::expected("/inputSchema", "a schema", None);
            return Err(RefusedTool::new(Some(name), fault));
        };
        let output = match rest.get_mut("outputSchema") {
            Some(Value::Null) if profile.ignores_null_output => {
                rest = rest.into_iter().filter(|(name, _)| name != "outputSchema").collect();
                None
            }
            output => output.map(Value::take),
        };
        Ok(Parts { name, input, output, rest: Value::Object(rest), text: text.map(Into::into) })
    }
}
