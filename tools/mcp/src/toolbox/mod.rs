//! [`Toolbox`]: the tools of a server. A refused tool does not affect the others.

mod list;
mod refused;
mod text;

pub use list::{CacheScope, Listing};
pub use refused::{RefusedTool, ToolFault};

use crate::call::{CallError, MalformedRequest};
use crate::compiler::{Compiler, Parts};
use crate::profile::Profile;
use crate::protocol::TOOLS_CHANGED;
use crate::tool::{Tool, ToolWarning};
use serde_json::Value;
use std::collections::HashMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

/// Most tools in a toolbox.
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
    /// Calls use the current list, however long a replacement takes.
    list: RwLock<Arc<List>>,
    /// Whether the server has said that its list has changed.
    is_stale: AtomicBool,
}

/// The tools of a list, and the refused ones.
#[derive(Clone, Default)]
pub(crate) struct List {
    tools: HashMap<String, Tool>,
    /// The names in the order of the list.
    order: Vec<String>,
    refused: HashMap<String, RefusedTool>,
    /// Number of definitions that were read, refused ones included.
    read: usize,
}

/// The result of loading a list.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Loaded {
    /// Number of tools that can be used.
    pub tools: usize,
    /// Number of tools that did not change.
    pub unchanged: usize,
    /// Whether the list has changed. A server then notifies its clients:
    /// [`protocol::TOOLS_CHANGED`](crate::protocol::TOOLS_CHANGED).
    pub is_changed: bool,
    /// The refused tools, in the order of the list.
    pub refused: Vec<RefusedTool>,
    /// Warnings about tools that can be used, with their names.
    pub warnings: Vec<(String, ToolWarning)>,
}

/// A definition, as a value or as text.
pub(crate) enum Definition<'t> {
    Value(Value),
    Text(&'t str),
}

impl Default for Toolbox {
    fn default() -> Toolbox {
        Toolbox::new(Profile::default())
    }
}

impl Toolbox {
    /// Makes an empty toolbox with a compiler of its own.
    pub fn new(profile: Profile) -> Toolbox {
        Toolbox::sharing(&Compiler::new(profile))
    }

    /// Makes an empty toolbox that shares the cache of a compiler.
    pub fn sharing(compiler: &Compiler) -> Toolbox {
        Toolbox { compiler: compiler.clone(), list: RwLock::default(), is_stale: AtomicBool::new(false) }
    }

    /// Returns the compiler.
    pub fn compiler(&self) -> &Compiler {
        &self.compiler
    }

    /// Replaces the list by these definitions from `tools/list`. Of two tools with one name, the
    /// first is taken.
    pub fn replace(&self, definitions: impl IntoIterator<Item = Value>) -> Loaded {
        self.is_stale.store(false, Ordering::Relaxed);
        self.load(List::default(), definitions.into_iter().map(Definition::Value))
    }

    /// Adds the next page of a list.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::Toolbox;
    ///
    /// let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
    /// let toolbox = Toolbox::default();
    /// toolbox.replace([tool("a"), tool("b")]);
    /// let loaded = toolbox.extend([tool("c"), tool("a")]);
    /// assert_eq!((loaded.tools, loaded.refused.len()), (3, 1));
    /// ```
    pub fn extend(&self, definitions: impl IntoIterator<Item = Value>) -> Loaded {
        let list = List::clone(&self.list());
        self.load(list, definitions.into_iter().map(Definition::Value))
    }

    /// Like [`Toolbox::replace`], with each definition as JSON text, which is kept byte for byte. A
    /// definition that cannot be read is refused like any other, and the rest works.
    pub fn replace_each<'t>(&self, definitions: impl IntoIterator<Item = &'t str>) -> Loaded {
        self.is_stale.store(false, Ordering::Relaxed);
        self.load(List::default(), definitions.into_iter().map(Definition::Text))
    }

    /// Like [`Toolbox::extend`], with each definition as JSON text.
    ///
    /// ```
    /// use stanchion_mcp::Toolbox;
    ///
    /// let toolbox = Toolbox::default();
    /// toolbox.replace_each([r#"{"name": "a", "inputSchema": {"type": "object"}}"#]);
    /// let hostile = format!(r#"{{"name": "b", "inputSchema": {}"#, "[".repeat(100_000));
    /// let loaded = toolbox.extend_each([&*hostile, r#"{"name": "c", "inputSchema": {"type": "object"}}"#]);
    /// assert_eq!((loaded.tools, loaded.refused[0].index()), (2, Some(1)));
    /// ```
    pub fn extend_each<'t>(&self, definitions: impl IntoIterator<Item = &'t str>) -> Loaded {
        let list = List::clone(&self.list());
        self.load(list, definitions.into_iter().map(Definition::Text))
    }

    pub(crate) fn load<'t>(
        &self,
        mut list: List,
        definitions: impl Iterator<Item = Definition<'t>>,
    ) -> Loaded {
        let previous = self.list();
        let mut loaded = Loaded::default();
        for definition in definitions {
            let index = list.read;
            if index == TOOLS {
                loaded.refused.push(RefusedTool::new(None, ToolFault::TooMany).at(index));
                break;
            }
            list.read += 1;
            if let Err(refused) = self.load_one(definition, &previous, &mut list, &mut loaded) {
                loaded.refused.push(refused.at(index));
            }
        }
        loaded.tools = list.tools.len();
        loaded.is_changed = list.order != previous.order
            || list.order.iter().any(|name| !list.tools[name].is_same(&previous.tools[name]));
        *self.list.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(list);
        loaded
    }

    /// Compiles a definition, unless it is unchanged.
    fn load_one(
        &self,
        definition: Definition<'_>,
        previous: &List,
        list: &mut List,
        loaded: &mut Loaded,
    ) -> Result<(), RefusedTool> {
        let parts = match definition {
            Definition::Value(definition) => Parts::of(definition, None, self.compiler.profile())?,
            Definition::Text(text) => Parts::of_text(text, self.compiler.profile())?,
        };
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
        loaded.warnings.extend(tool.warnings().into_iter().map(|warning| (name.clone(), warning)));
        list.add(name, tool);
        Ok(())
    }

    /// Handles a notification. Returns whether it says that the list of tools has changed, so that
    /// the client should read it again.
    pub fn notice(&self, notification: &Value) -> bool {
        let is_change = notification.get("method").is_some_and(|method| method == TOOLS_CHANGED);
        if is_change {
            self.list_changed();
        }
        is_change
    }

    /// Marks the list as out of date, until it is replaced.
    pub fn list_changed(&self) {
        self.is_stale.store(true, Ordering::Relaxed);
    }

    /// Whether the server has said that its list has changed since it was loaded.
    pub fn is_stale(&self) -> bool {
        self.is_stale.load(Ordering::Relaxed)
    }

    /// Adds a tool, or replaces the one with the same name.
    pub fn insert(&self, tool: Tool) -> Result<(), RefusedTool> {
        let name = tool.name().to_owned();
        let mut place = self.list.write().unwrap_or_else(PoisonError::into_inner);
        if place.tools.len() >= TOOLS && !place.tools.contains_key(&name) {
            return Err(RefusedTool::new(Some(name), ToolFault::TooMany));
        }
        Arc::make_mut(&mut place).add(name, tool);
        Ok(())
    }

    /// Removes and returns a tool. `None` if it is not there.
    pub fn remove(&self, name: &str) -> Option<Tool> {
        let mut place = self.list.write().unwrap_or_else(PoisonError::into_inner);
        if !place.tools.contains_key(name) {
            return None;
        }
        let list = Arc::make_mut(&mut place);
        list.order.retain(|other| other != name);
        list.tools.remove(name)
    }

    /// Returns the tool of this name, if it is there and was not refused.
    pub fn get(&self, name: &str) -> Option<Tool> {
        let place = self.list.read().unwrap_or_else(PoisonError::into_inner);
        place.tools.get(name).cloned()
    }

    /// Returns why the tool of this name was refused, if it was.
    pub fn refused(&self, name: &str) -> Option<RefusedTool> {
        self.list().refused.get(name).cloned()
    }

    /// Returns all tools that can be used, in the order of the list.
    pub fn tools(&self) -> Vec<Tool> {
        let list = self.list();
        list.order.iter().filter_map(|name| list.tools.get(name)).cloned().collect()
    }

    /// Returns how many tools can be used.
    pub fn len(&self) -> usize {
        self.list().tools.len()
    }

    /// Whether no tool can be used.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Checks whether a call may reach its tool: [`Tool::check_call`]. A call of an unknown tool is
    /// a malformed request.
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
