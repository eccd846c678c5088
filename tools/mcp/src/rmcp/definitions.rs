//! The tools of a server, compiled on first use.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rmcp::model::{JsonObject, Tool as Definition};
use serde_json::{Value, json};

use crate::{Compiler, OutputSchema, RefusedTool, TOOLS, Tool};

/// Most tools in a generation: as many as a list may have. If a server keeps renaming its tools,
/// those that were not listed lately are dropped.
const CAPACITY: usize = TOOLS;

/// Compiled tools by name. A definition is compiled again when its schemas have changed.
pub(super) struct Definitions {
    compiler: Compiler,
    known: RwLock<Generations>,
}

/// The tools of the current generation and of the previous one.
#[derive(Default)]
struct Generations {
    young: HashMap<String, Arc<CompiledTool>>,
    old: HashMap<String, Arc<CompiledTool>>,
}

impl Generations {
    fn get(&self, definition: &Definition) -> Option<(&Arc<CompiledTool>, bool)> {
        let find =
            |tools: &'_ HashMap<String, Arc<CompiledTool>>| tools.contains_key(definition.name.as_ref());
        let is_young = find(&self.young);
        let tools = if is_young { &self.young } else { &self.old };
        let known = tools.get(definition.name.as_ref())?;
        known.is_of(definition).then_some((known, is_young))
    }

    fn insert(&mut self, name: String, known: Arc<CompiledTool>) {
        if self.young.len() >= CAPACITY && !self.young.contains_key(&name) {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(name, known);
    }
}

/// A definition and its compiled tool.
pub(super) struct CompiledTool {
    input: Arc<JsonObject>,
    output: Option<Arc<JsonObject>>,
    pub(super) tool: Result<Tool, RefusedTool>,
    /// The output schema for older clients, made on first use. `None` if the tool cannot be shown
    /// to them.
    legacy: OnceLock<Option<Arc<JsonObject>>>,
}

impl Definitions {
    pub(super) fn new(compiler: Compiler) -> Definitions {
        Definitions { compiler, known: RwLock::default() }
    }

    /// Returns the compiled tool of a definition.
    pub(super) fn get(&self, definition: &Definition) -> Arc<CompiledTool> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let found = known.get(definition).map(|(found, is_young)| (Arc::clone(found), is_young));
        drop(known);
        if let Some((found, is_young)) = found {
            if !is_young {
                self.keep(definition, &found);
            }
            return found;
        }
        let compiled = Arc::new(CompiledTool::compile(&self.compiler, definition));
        if let Err(refused) = &compiled.tool {
            tracing::warn!("{refused}; it is not listed, and its calls fail");
        }
        self.keep(definition, &compiled);
        compiled
    }

    fn keep(&self, definition: &Definition, known: &Arc<CompiledTool>) {
        let mut generations = self.known.write().unwrap_or_else(PoisonError::into_inner);
        generations.insert(definition.name.to_string(), Arc::clone(known));
    }
}

impl CompiledTool {
    fn compile(compiler: &Compiler, definition: &Definition) -> CompiledTool {
        let mut parts = json!({"name": definition.name, "inputSchema": *definition.input_schema});
        if let Some(output) = &definition.output_schema {
            parts["outputSchema"] = Value::Object(output.as_ref().clone());
        }
        CompiledTool {
            input: Arc::clone(&definition.input_schema),
            output: definition.output_schema.clone(),
            tool: compiler.tool(parts),
            legacy: OnceLock::new(),
        }
    }

    /// Whether this was compiled from these schemas. Most servers return the same allocation again,
    /// so comparing pointers is enough.
    fn is_of(&self, definition: &Definition) -> bool {
        let same =
            |left: &Arc<JsonObject>, right: &Arc<JsonObject>| Arc::ptr_eq(left, right) || left == right;
        let same_output = match (&self.output, &definition.output_schema) {
            (Some(left), Some(right)) => same(left, right),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        same_output && same(&self.input, &definition.input_schema)
    }

    /// Converts a definition for a client with this protocol version. Returns whether it can be
    /// shown to it.
    pub(super) fn project(&self, tool: &Tool, definition: &mut Definition, version: &str) -> bool {
        // The profile may have supplied the root's `type`.
        if let Value::Object(input) = tool.input().schema()
            && *input != *definition.input_schema
        {
            definition.input_schema = Arc::new(input.clone());
        }
        let Some(output) = tool.output() else { return true };
        if crate::legacy::is_legacy(version) {
            definition.output_schema = self.legacy.get_or_init(|| legacy(tool, output, version)).clone();
            return definition.output_schema.is_some();
        }
        if let Value::Object(schema) = output.sendable()
            && Some(schema) != definition.output_schema.as_deref()
        {
            definition.output_schema = Some(Arc::new(schema.clone()));
        }
        true
    }
}

/// Returns the output schema for older clients.
fn legacy(tool: &Tool, output: &OutputSchema, version: &str) -> Option<Arc<JsonObject>> {
    match output.schema_for(version) {
        Ok(schema) => schema.as_object().cloned().map(Arc::new),
        Err(refusal) => {
            tracing::warn!(tool = tool.name(), "{refusal}; it is not listed to clients of {version}");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Profile;

    fn definition(name: String) -> Definition {
        // A different schema, and a new allocation each time, as from a server that rebuilds its
        // list.
        let schema = json!({"type": "object", "required": [name]});
        Definition::new(name, "", Arc::new(rmcp::model::object(schema)))
    }

    #[test]
    fn a_list_of_as_many_tools_as_are_allowed_is_compiled_once() {
        let definitions = Definitions::new(Compiler::bounded(Profile::default(), 1, 1 << 20));
        let list = || -> Vec<Arc<CompiledTool>> {
            (0..CAPACITY).map(|at| definitions.get(&definition(format!("t{at}")))).collect()
        };
        let first = list();
        for again in [list(), list()] {
            assert!(first.iter().zip(&again).all(|(left, right)| Arc::ptr_eq(left, right)));
        }
    }

    #[test]
    fn a_schema_that_changed_is_compiled_again() {
        let definitions = Definitions::new(Compiler::new(Profile::default()));
        let first = definitions.get(&definition("a".to_owned()));
        let mut other = definition("b".to_owned());
        other.name = "a".into();
        assert!(!Arc::ptr_eq(&first, &definitions.get(&other)));
    }
}
