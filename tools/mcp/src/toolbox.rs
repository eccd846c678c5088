//! [`Toolbox`]: the tools of a server, each of which stands for itself.

use crate::call::{CallError, MalformedRequest};
use crate::compiler::{Compiler, Parts};
use crate::profile::Profile;
use crate::refusal::Refusal;
use crate::tool::Tool;
use crate::words;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

/// How many tools a box holds, at most.
pub const TOOLS: usize = 10_000;

/// Many tools by name, for the client or for the server. Shared between threads by reference.
///
/// A tool that is refused is reported, and the others work. When a list is replaced, only the schemas that changed are compiled.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::Toolbox;
///
/// let toolbox = Toolbox::default();
/// let loaded = toolbox.replace([
///     json!({"name": "add", "inputSchema": {"type": "object", "required": ["a", "b"]}}),
///     json!({"name": "spy", "inputSchema": {"type": "object", "$ref": "http://169.254.169.254/"}}),
/// ]);
/// assert_eq!(loaded.tools, 1);
/// assert!(loaded.refused[0].to_string().starts_with("tool \"spy\": inputSchema: /$ref: "));
///
/// assert!(toolbox.check_call("add", Some(&json!({"a": 1, "b": 2}))).is_ok());
/// assert!(toolbox.check_call("add", Some(&json!({"a": 1}))).is_err());
/// assert!(toolbox.get("spy").is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Toolbox {
    compiler: Compiler,
    /// A call looks at the list as it is, however long a replacement takes.
    list: RwLock<Arc<List>>,
}

/// The tools of a list, and what was refused.
#[derive(Clone, Default)]
struct List {
    tools: HashMap<String, Tool>,
    /// The names in the order of the list.
    order: Vec<String>,
    refused: HashMap<String, RefusedTool>,
}

/// What became of a list.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Loaded {
    /// How many tools can be used.
    pub tools: usize,
    /// How many of them are as they were before.
    pub unchanged: usize,
    /// Those that were refused, in the order of the list.
    pub refused: Vec<RefusedTool>,
}

impl Default for Toolbox {
    fn default() -> Toolbox {
        Toolbox::new(Profile::default())
    }
}

impl Toolbox {
    /// An empty box with a compiler of its own.
    pub fn new(profile: Profile) -> Toolbox {
        Toolbox::sharing(&Compiler::new(profile))
    }

    /// An empty box that shares what a compiler keeps.
    pub fn sharing(compiler: &Compiler) -> Toolbox {
        Toolbox { compiler: compiler.clone(), list: RwLock::default() }
    }

    /// The compiler.
    pub fn compiler(&self) -> &Compiler {
        &self.compiler
    }

    /// Takes a list of definitions, as `tools/list` has them, in place of what was there. Of two tools with one name the first is taken.
    pub fn replace(&self, definitions: impl IntoIterator<Item = Value>) -> Loaded {
        let previous = self.list();
        let mut list = List::default();
        let mut loaded = Loaded::default();
        for (index, definition) in definitions.into_iter().enumerate() {
            if index == TOOLS {
                loaded.refused.push(RefusedTool::new(None, ToolFault::TooMany).at(index));
                break;
            }
            if let Err(refused) = self.load(definition, &previous, &mut list, &mut loaded) {
                loaded.refused.push(refused.at(index));
            }
        }
        loaded.tools = list.tools.len();
        *self.list.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(list);
        loaded
    }

    /// Compiles a definition, unless it was there before.
    fn load(
        &self,
        definition: Value,
        previous: &List,
        list: &mut List,
        loaded: &mut Loaded,
    ) -> Result<(), RefusedTool> {
        let parts = Parts::of(definition)?;
        if list.tools.contains_key(&parts.name) || list.refused.contains_key(&parts.name) {
            return Err(RefusedTool::new(Some(parts.name), ToolFault::Duplicate));
        }
        let name = parts.name.clone();
        let before = previous.tools.get(&name);
        let tool = match before.filter(|tool| tool.is_of(&parts)) {
            Some(same) => {
                loaded.unchanged += 1;
                same.clone()
            }
            None => self.compiler.assemble(parts, before).inspect_err(|refused| {
                list.refused.insert(name.clone(), refused.clone());
            })?,
        };
        list.add(name, tool);
        Ok(())
    }

    /// Adds a tool, or puts it in the place of one with the same name.
    pub fn insert(&self, tool: Tool) -> Result<(), RefusedTool> {
        let name = tool.name().to_owned();
        let mut place = self.list.write().unwrap_or_else(PoisonError::into_inner);
        if place.tools.len() >= TOOLS && !place.tools.contains_key(&name) {
            return Err(RefusedTool::new(Some(name), ToolFault::TooMany));
        }
        Arc::make_mut(&mut place).add(name, tool);
        Ok(())
    }

    /// Takes a tool out. `None` if it is not there.
    pub fn remove(&self, name: &str) -> Option<Tool> {
        let mut place = self.list.write().unwrap_or_else(PoisonError::into_inner);
        if !place.tools.contains_key(name) {
            return None;
        }
        let list = Arc::make_mut(&mut place);
        list.order.retain(|other| other != name);
        list.tools.remove(name)
    }

    /// The tool of that name, if it is there and was not refused.
    pub fn get(&self, name: &str) -> Option<Tool> {
        let place = self.list.read().unwrap_or_else(PoisonError::into_inner);
        place.tools.get(name).cloned()
    }

    /// Why the tool of that name was refused, if it was.
    pub fn refused(&self, name: &str) -> Option<RefusedTool> {
        self.list().refused.get(name).cloned()
    }

    /// All tools that can be used, in the order of the list.
    pub fn tools(&self) -> Vec<Tool> {
        let list = self.list();
        list.order.iter().filter_map(|name| list.tools.get(name)).cloned().collect()
    }

    /// How many tools can be used.
    pub fn len(&self) -> usize {
        self.list().tools.len()
    }

    /// Whether no tool can be used.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether a call may reach its tool: [`Tool::check_call`]. A tool that is not there is a malformed request.
    pub fn check_call(&self, name: &str, arguments: Option<&Value>) -> Result<Tool, CallError> {
        let tool = self.get(name).ok_or_else(|| MalformedRequest::unknown_tool(name))?;
        tool.check_call(arguments)?;
        Ok(tool)
    }

    fn list(&self) -> Arc<List> {
        Arc::clone(&self.list.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl List {
    fn add(&mut self, name: String, tool: Tool) {
        self.refused.remove(&name);
        if self.tools.insert(name.clone(), tool).is_none() {
            self.order.push(name);
        }
    }
}

impl fmt::Debug for Toolbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Toolbox").field("tools", &self.list().order).finish_non_exhaustive()
    }
}

/// A tool was refused: which, and why. `Display` is one line for its author.
#[derive(Clone, Debug)]
pub struct RefusedTool {
    name: Option<String>,
    index: Option<usize>,
    fault: Box<ToolFault>,
}

/// Why a tool was refused.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ToolFault {
    /// The definition is not one.
    Definition {
        /// The place in the definition.
        path: &'static str,
        /// What should be there.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A schema was refused.
    Schema(Refusal),
    /// Another tool of the list has the same name.
    Duplicate,
    /// The list has more than [`TOOLS`]; this is the first beyond.
    TooMany,
}

impl ToolFault {
    pub(crate) fn expected(path: &'static str, expected: &'static str, found: Option<&Value>) -> ToolFault {
        ToolFault::Definition {
            path,
            expected,
            found: found.map_or_else(|| "nothing".to_owned(), words::found),
        }
    }
}

impl RefusedTool {
    pub(crate) fn new(name: Option<String>, fault: ToolFault) -> RefusedTool {
        RefusedTool { name, index: None, fault: Box::new(fault) }
    }

    fn at(self, index: usize) -> RefusedTool {
        RefusedTool { index: Some(index), ..self }
    }

    /// The tool's name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Its place in the list, if it was in one.
    pub fn index(&self) -> Option<usize> {
        self.index
    }

    /// Why.
    pub fn fault(&self) -> &ToolFault {
        &self.fault
    }
}

impl fmt::Display for RefusedTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.name, self.index) {
            (Some(name), _) => write!(f, "tool {}: ", words::quoted(name))?,
            (None, Some(index)) => write!(f, "tool {index}: ")?,
            (None, None) => f.write_str("tool: ")?,
        }
        match &*self.fault {
            ToolFault::Definition { path, expected, found } => {
                write!(f, "{}: expected {expected}, found {found}", words::place(path))
            }
            ToolFault::Schema(refusal) => write!(f, "{refusal}"),
            ToolFault::Duplicate => f.write_str("another tool has the same name"),
            ToolFault::TooMany => write!(f, "the list has more than {TOOLS} tools"),
        }
    }
}

impl std::error::Error for RefusedTool {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.fault {
            ToolFault::Schema(refusal) => Some(refusal),
            ToolFault::Definition { .. } | ToolFault::Duplicate | ToolFault::TooMany => None,
        }
    }
}
