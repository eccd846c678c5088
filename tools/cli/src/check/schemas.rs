//! The schema of an instance: one for all, or the one that it names.

use std::collections::HashMap;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use stanchion::{Diagnosis, Dialect, InstanceNode, Node, Object, View};
use stanchion::{SchemaError, SchemaWarning, Validator, ValidatorBuilder};
use stanchion_render::{Finding, Level, Schema, Source};

use crate::resources::{Resources, root_id};
use crate::settings::{self, Settings};
use crate::source;

/// A compiled schema, with its text.
pub(crate) struct Compiled {
    pub(crate) validator: Validator,
    name: String,
    text: String,
    id: Option<String>,
    warnings: Vec<SchemaWarning>,
}

/// The schemas of a check.
pub(crate) enum Schemas {
    One(Compiled),
    Named(Registry),
}

/// Schemas that instances name, each compiled on first use.
pub(crate) struct Registry {
    member: String,
    folders: Vec<Resources>,
    builder: ValidatorBuilder,
    compiled: Mutex<HashMap<String, Arc<Result<Compiled, String>>>>,
}

/// The reason why there is no schema.
pub(crate) enum Refused {
    /// A file could not be read.
    Unreadable { name: String, why: String },
    /// The text is not JSON.
    Broken { name: String, text: String, error: serde_json::Error },
    /// The engine refused the schema: the first error, and those that a diagnosis found.
    Schema { name: String, text: String, first: SchemaError, diagnosis: Diagnosis },
}

impl Refused {
    /// Passes each problem to `show`.
    pub(crate) fn show(&self, mut show: impl FnMut(&Finding<'_>)) {
        match self {
            Refused::Unreadable { name, why } => show(&Finding::new(Level::Error, "unreadable", name, why)),
            Refused::Broken { name, text, error } => {
                show(&Finding::of_json_error(error, &Source::new(name, text)));
            }
            Refused::Schema { name, text, first, diagnosis } => {
                let source = Source::new(name, text);
                if diagnosis.errors().is_empty() {
                    show(&settings::refusal_in(first, &source));
                }
                for error in diagnosis.errors() {
                    show(&settings::refusal_in(error, &source));
                }
                for warning in diagnosis.warnings() {
                    show(&Finding::of_schema_warning(warning, &source));
                }
            }
        }
    }
}

/// The schema for one instance.
pub(crate) enum Chosen<'s> {
    One(&'s Compiled),
    Named(Arc<Result<Compiled, String>>),
}

impl Schemas {
    /// Reads and compiles the schema, or the resources that instances may name. For warnings, it
    /// also runs a diagnosis.
    pub(crate) fn read(
        schema: Option<&str>,
        member: Option<&str>,
        settings: &Settings,
        wants_warnings: bool,
    ) -> Result<Schemas, Refused> {
        let unreadable = |name: &str, why| Refused::Unreadable { name: name.to_owned(), why };
        let folders = settings.folders.iter().map(|folder| Resources::read(folder));
        let folders = folders.collect::<Result<Vec<_>, _>>().map_err(|why| unreadable("--resources", why))?;
        let builder = settings.builder_with(&folders).map_err(|why| unreadable("--resource", why))?;
        let Some(schema) = schema else {
            let member = member.unwrap_or_default().to_owned();
            return Ok(Schemas::Named(Registry { member, folders, builder, compiled: Mutex::default() }));
        };
        let name = schema.to_owned();
        let text = source::read_text(schema).map_err(|why| unreadable(schema, why))?;
        let value: Value = match serde_json::from_str(&text) {
            Ok(value) => value,
            Err(error) => return Err(Refused::Broken { name, text, error }),
        };
        match builder.build(&value) {
            Ok(validator) => {
                let id = root_id(&value).map(str::to_owned);
                let warnings =
                    if wants_warnings { builder.diagnose(&value).warnings().to_vec() } else { Vec::new() };
                Ok(Schemas::One(Compiled { validator, name, text, id, warnings }))
            }
            Err(first) => {
                let diagnosis = builder.diagnose(&value);
                Err(Refused::Schema { name, text, first, diagnosis })
            }
        }
    }

    /// Passes each warning about the schema to `show`.
    pub(crate) fn warn(&self, mut show: impl FnMut(&Finding<'_>)) {
        let Schemas::One(compiled) = self else { return };
        let source = compiled.source();
        for warning in &compiled.warnings {
            show(&Finding::of_schema_warning(warning, &source));
        }
    }

    /// Returns the schema for an instance of a file, or why there is none.
    pub(crate) fn of(&self, instance: InstanceNode<'_>, file: &str) -> Result<Chosen<'_>, String> {
        match self {
            Schemas::One(compiled) => Ok(Chosen::One(compiled)),
            Schemas::Named(registry) => registry.of(instance, file).map(Chosen::Named),
        }
    }
}

impl Registry {
    fn of(&self, instance: InstanceNode<'_>, file: &str) -> Result<Arc<Result<Compiled, String>>, String> {
        let member = &self.member;
        let View::Object(object) = instance.view() else {
            return Err(format!("names no schema: it is not an object and has no member \"{member}\""));
        };
        let Some(View::String(uri)) = object.get(member).map(Node::view) else {
            return Err(format!("names no schema: there is no text under \"{member}\""));
        };
        let compiled = match self.folders.iter().find_map(|folder| folder.find(uri, Path::new(file))) {
            Some(document) => {
                self.compile(&document.name, || (document.value.clone(), document.text.clone()))
            }
            None => {
                let known = Dialect::ALL
                    .iter()
                    .any(|known| known.uri().trim_end_matches('#') == uri.trim_end_matches('#'));
                if !known {
                    return Err(format!(
                        "names the schema \"{uri}\", which is not among the resources; nothing is fetched"
                    ));
                }
                self.compile(uri, || (json!({"$ref": uri}), String::new()))
            }
        };
        match compiled.as_ref() {
            Ok(_) => Ok(compiled),
            Err(why) => Err(format!("names a schema that was refused: {why}")),
        }
    }

    /// Compiles a schema by its name, once.
    fn compile(&self, name: &str, read: impl FnOnce() -> (Value, String)) -> Arc<Result<Compiled, String>> {
        let mut compiled = self.compiled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = compiled.get(name) {
            return Arc::clone(found);
        }
        let (value, text) = read();
        let made = match self.builder.build(&value) {
            Ok(validator) => {
                let id = root_id(&value).map(str::to_owned);
                Ok(Compiled { validator, name: name.to_owned(), text, id, warnings: Vec::new() })
            }
            Err(error) => Err(format!("{name}: {error}")),
        };
        let made = Arc::new(made);
        compiled.insert(name.to_owned(), Arc::clone(&made));
        made
    }
}

impl Chosen<'_> {
    pub(crate) fn get(&self) -> Option<&Compiled> {
        match self {
            Chosen::One(compiled) => Some(compiled),
            Chosen::Named(compiled) => compiled.deref().as_ref().ok(),
        }
    }
}

impl Compiled {
    /// Returns the text, for pictures.
    pub(crate) fn source(&self) -> Source<'_> {
        Source::new(&self.name, &self.text)
    }

    pub(crate) fn schema<'s>(&self, source: &'s Source<'s>) -> Schema<'s> {
        Schema::new(source, self.id.as_deref())
    }
}
