//! [`Toolbox`]: the tools of a server, each of which stands for itself.

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
    /// Whether the server has said that its list is another by now.
    is_stale: AtomicBool,
}

/// The tools of a list, and what was refused.
#[derive(Clone, Default)]
pub(crate) struct List {
    tools: HashMap<String, Tool>,
    /// The names in the order of the list.
    order: Vec<String>,
    refused: HashMap<String, RefusedTool>,
    /// How many definitions were read, refused ones included.
    read: usize,
}

/// What became of a list.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Loaded {
    /// How many tools can be used.
    pub tools: usize,
    /// How many of them are as they were before.
    pub unchanged: usize,
    /// Whether the list is another than before. A server then notifies its clients:
    /// [`protocol::TOOLS_CHANGED`](crate::protocol::TOOLS_CHANGED).
    pub is_changed: bool,
    /// Those that were refused, in the order of the list.
    pub refused: Vec<RefusedTool>,
    /// What is unusual about tools that can be used, with their names.
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
    /// An empty box with a compiler of its own.
    pub fn new(profile: Profile) -> Toolbox {
        Toolbox::sharing(&Compiler::new(profile))
    }

    /// An empty box that shares what a compiler keeps.
    pub fn sharing(compiler: &Compiler) -> Toolbox {
        Toolbox { compiler: compiler.clone(), list: RwLock::default(), is_stale: AtomicBool::new(false) }
    }

    /// The compiler.
    pub fn compiler(&self) -> &Compiler {
        &self.compiler
    }

    /// Takes a list of definitions, as `tools/list` has them, in place of what was there. Of two tools with one name the first is taken.
    pub fn replace(&self, definitions: impl IntoIterator<Item = Value>) -> Loaded {
        self.is_stale.store(false, Ordering::Relaxed);
        self.load(List::default(), definitions.into_iter().map(Definition::Value))
    }

    /// Takes the next page of a list, beside what is there.
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

    /// Compiles a definition, unless it was there before.
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

    /// Takes note of a notification. Returns whether it says that the list of tools has changed, so that the client should ask for it again.
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
