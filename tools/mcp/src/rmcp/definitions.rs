//! The tools of a server, compiled when they are first seen.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use rmcp::model::{JsonObject, Tool as Definition};
use serde_json::{Value, json};

use crate::{Compiler, RefusedTool, Tool};

/// How many tools are kept. A server whose tools have ever new names starts over then.
const CAPACITY: usize = 4_096;

/// Compiled tools by name. A definition is compiled again when its schemas are other than they were.
pub(super) struct Definitions {
    compiler: Compiler,
    known: RwLock<HashMap<String, Arc<Known>>>,
}

/// A definition and what came of it.
pub(super) struct Known {
    input: Arc<JsonObject>,
    output: Option<Arc<JsonObject>>,
    pub(super) tool: Result<Tool, RefusedTool>,
    /// The output schema for older clients, once one has asked.
    legacy: OnceLock<Option<Arc<JsonObject>>>,
}

impl Definitions {
    pub(super) fn new(compiler: Compiler) -> Definitions {
        Definitions { compiler, known: RwLock::default() }
    }

    /// The compiled tool of a definition.
    pub(super) fn get(&self, definition: &Definition) -> Arc<Known> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known.get(definition.name.as_ref()).filter(|known| known.is_of(definition)) {
            return Arc::clone(found);
        }
        drop(known);
        let compiled = Arc::new(Known::compile(&self.compiler, definition));
        if let Err(refused) = &compiled.tool {
            tracing::warn!("{refused}; it is not listed, and its calls fail");
        }
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= CAPACITY {
            known.clear();
        }
        known.insert(definition.name.to_string(), Arc::clone(&compiled));
        compiled
    }
}

impl Known {
    fn compile(compiler: &Compiler, definition: &Definition) -> Known {
        let mut parts = json!({"name": definition.name, "inputSchema": *definition.input_schema});
        if let Some(output) = &definition.output_schema {
            parts["outputSchema"] = Value::Object(output.as_ref().clone());
        }
        Known {
            input: Arc::clone(&definition.input_schema),
            output: definition.output_schema.clone(),
            tool: compiler.tool(parts),
            legacy: OnceLock::new(),
        }
    }

    /// Whether this was compiled from these schemas. Most servers hand out the same allocation again, so that a pointer tells.
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

    /// Makes a definition what a client with that protocol version should get.
    pub(super) fn project(&self, tool: &Tool, definition: &mut Definition, version: &str) {
        // The profile may have supplied the root's `type`.
        if let Value::Object(input) = tool.input().schema()
            && *input != *definition.input_schema
        {
            definition.input_schema = Arc::new(input.clone());
        }
        let Some(output) = tool.output() else { return };
        let object = |schema: &Value| schema.as_object().cloned().map(Arc::new);
        if crate::legacy::is_legacy(version) {
            definition.output_schema = self.legacy.get_or_init(|| object(output.schema_for(version))).clone();
        } else if let Value::Object(schema) = output.schema()
            && Some(schema) != definition.output_schema.as_deref()
        {
            definition.output_schema = Some(Arc::new(schema.clone()));
        }
    }
}
