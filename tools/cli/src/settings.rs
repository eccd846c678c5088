//! Options for compiling a schema, which every command with a schema has.

use clap::Args;
use stanchion::{Dialect, Limits, References, SchemaError, SchemaErrorKind, Validator, ValidatorBuilder};
use stanchion_render::{Finding, Source};

use crate::resources::Resources;
use crate::source;

/// Options for compiling a schema, and limits for a run. A command includes them by
/// `#[command(flatten)]`.
#[derive(Args)]
pub(crate) struct Settings {
    /// Make `format` an assertion, not only an annotation
    #[arg(long)]
    pub(crate) assert_formats: bool,

    /// Treat draft-07's `contentEncoding` and `contentMediaType` as annotations, as later dialects
    /// do
    #[arg(long)]
    pub(crate) annotate_content: bool,

    /// The dialect of a schema that declares none: 2020-12 (the default), 2019-09, draft-07, draft-06, draft-04
    #[arg(long, value_name = "NAME")]
    pub(crate) dialect: Option<Dialect>,

    /// Allow references out of the document: to `$id`s in it, to resources and to the known
    /// metaschemas
    #[arg(long)]
    pub(crate) bundled: bool,

    /// A document that references may use; the last `=` separates the two. Nothing is ever fetched
    #[arg(long = "resource", value_name = "URI=FILE", requires = "bundled", value_parser = parse_resource)]
    pub(crate) resources: Vec<Resource>,

    /// A directory of documents that references may use, each under its `$id` and under its path in
    /// the directory. Implies `--bundled`
    #[arg(long = "resources", value_name = "DIR")]
    pub(crate) folders: Vec<String>,

    /// Limits other than the defaults: depth, subschemas, document_bytes, pattern_size, steps,
    /// steps_per_value, instance_depth, memory, errors, text_bytes (of a whole document),
    /// line_bytes (of one line)
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', value_parser = parse_limit)]
    pub(crate) limits: Vec<Limit>,

    /// Most steps of one run; the same as `--limits steps=N`
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u64>,
}

/// A document to register under a URI.
#[derive(Clone)]
pub(crate) struct Resource {
    pub(crate) uri: String,
    pub(crate) file: String,
}

fn parse_resource(text: &str) -> Result<Resource, String> {
    let (uri, file) = text.rsplit_once('=').ok_or("expected URI=FILE")?;
    Ok(Resource { uri: uri.to_owned(), file: file.to_owned() })
}

/// Limits on a schema, on a run, and on reading.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bounds {
    /// The engine's limits.
    pub(crate) limits: Limits,
    /// Deepest level of a run, which decides how much stack it needs.
    pub(crate) instance_depth: usize,
    /// Longest document, in bytes.
    pub(crate) text_bytes: usize,
    /// Longest line, in bytes, if each line is an instance.
    pub(crate) line_bytes: usize,
}

impl Default for Bounds {
    fn default() -> Bounds {
        Bounds { limits: Limits::default(), instance_depth: 256, text_bytes: 1 << 30, line_bytes: 16 << 20 }
    }
}

impl Bounds {
    /// Returns the stack for a thread that validates: several times what the engine needs.
    pub(crate) fn stack_bytes(&self) -> usize {
        (2 << 20) + self.instance_depth * (16 << 10)
    }
}

/// A limit by its name, with its value.
#[derive(Clone, Debug)]
pub(crate) struct Limit {
    name: String,
    value: u64,
}

/// Highest depth limit: a deeper run would need too much stack.
const MAX_DEPTH: u64 = 50_000;

/// Highest length limit: the engine's tapes count bytes in 32 bits.
const MAX_BYTES: u64 = u32::MAX as u64 - 1;

impl Bounds {
    /// Sets a limit. Those on reading are set here, the others in the engine.
    fn set(&mut self, Limit { name, value }: &Limit) -> Result<(), String> {
        let most = match name.as_str() {
            "instance_depth" => MAX_DEPTH,
            "text_bytes" | "line_bytes" => MAX_BYTES,
            _ => u64::MAX,
        };
        if *value > most {
            return Err(format!("{name} can be at most {most}"));
        }
        let size = usize::try_from(*value).unwrap_or(usize::MAX);
        match name.as_str() {
            "text_bytes" => self.text_bytes = size,
            "line_bytes" => self.line_bytes = size,
            _ => {
                let set = self.limits.set(name, *value);
                self.limits = set.map_err(|error| format!("{error}, text_bytes, line_bytes"))?;
            }
        }
        if name == "instance_depth" {
            self.instance_depth = size;
        }
        Ok(())
    }
}

pub(crate) fn parse_limit(text: &str) -> Result<Limit, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=N")?;
    let name = name.trim().replace('-', "_");
    let value = value.trim().replace('_', "");
    let value = value.parse().map_err(|error| format!("{name}: expected a whole number: {error}"))?;
    let limit = Limit { name, value };
    Bounds::default().set(&limit)?;
    Ok(limit)
}

/// Returns the default limits with some of them changed.
pub(crate) fn bounds(asked: &[Limit]) -> Bounds {
    let mut bounds = Bounds::default();
    let mut asked: Vec<&Limit> = asked.iter().collect();
    // `steps` comes before `steps_per_value`, which it resets. Of two values for one limit, the last counts.
    asked.sort_by_key(|limit| &limit.name);
    for limit in asked {
        // It was accepted when it was parsed.
        drop(bounds.set(limit));
    }
    bounds
}

/// Returns the option that would make a refused schema acceptable, if there is one.
fn hint(error: &SchemaError) -> Option<String> {
    if let SchemaErrorKind::Limit { name, found, .. } = error.kind() {
        return Some(format!("raise it with --limits {name}={found}"));
    }
    let stays =
        matches!(error.kind(), SchemaErrorKind::Outside { .. } | SchemaErrorKind::ResourcesNotUsed { .. });
    stays.then(|| {
        "--bundled follows references to `$id`s in the document, --resource hands documents over".to_owned()
    })
}

/// Formats why a schema was refused, and what to do about it, in one line.
pub(crate) fn refusal(error: &SchemaError) -> String {
    match hint(error) {
        Some(hint) => format!("{error} ({hint})"),
        None => error.to_string(),
    }
}

/// Makes a finding from a refusal, with its place marked in the text of the schema.
pub(crate) fn refusal_in<'s>(error: &SchemaError, schema: &'s Source<'s>) -> Finding<'s> {
    let mut finding = Finding::of_schema_error(error, schema);
    finding.help.extend(hint(error));
    finding
}

impl Settings {
    /// Returns the limits, with those that were set.
    pub(crate) fn bounds(&self) -> Bounds {
        let steps = self.steps.map(|value| Limit { name: "steps".to_owned(), value });
        let asked: Vec<Limit> = self.limits.iter().cloned().chain(steps).collect();
        bounds(&asked)
    }

    /// Returns a builder with all settings. Resources are read now.
    pub(crate) fn builder(&self) -> Result<ValidatorBuilder, String> {
        let resources =
            self.folders.iter().map(|folder| Resources::read(folder)).collect::<Result<Vec<_>, _>>()?;
        self.builder_with(&resources)
    }

    /// Returns a builder with all settings and these directories of resources.
    pub(crate) fn builder_with(&self, folders: &[Resources]) -> Result<ValidatorBuilder, String> {
        let mut builder =
            Validator::builder().assert_formats(self.assert_formats).limits(self.bounds().limits);
        builder = builder.assert_content(!self.annotate_content);
        if let Some(dialect) = self.dialect {
            builder = builder.dialect(dialect);
        }
        if self.bundled || !self.folders.is_empty() {
            builder = builder.references(References::Bundled);
        }
        for (uri, document) in folders.iter().flat_map(Resources::by_uri) {
            builder = builder.resource(uri, &document.value);
        }
        for Resource { uri, file } in &self.resources {
            builder = builder.resource(uri, &source::read_json(file)?.value);
        }
        Ok(builder)
    }

    /// Returns the files that these settings read.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.resources.iter().map(|resource| resource.file.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_can_be_set_alone() {
        let engine = Limits::default().values().map(|(name, _)| name);
        for name in engine.chain(["text_bytes", "line_bytes"]) {
            let bounds = bounds(&[parse_limit(&format!("{name}=7")).unwrap()]);
            let changed = format!("{bounds:?}");
            assert!(changed.contains(&format!(" {name}: 7")), "{name} in {changed}");
            // A depth is stored twice.
            let times = if name == "instance_depth" { 2 } else { 1 };
            assert_eq!(changed.matches(": 7").count(), times, "{name} alone in {changed}");
        }
    }

    #[test]
    fn the_order_of_limits_makes_no_difference() {
        let limits = ["steps_per_value=3", "steps=9"].map(|text| parse_limit(text).unwrap());
        assert_eq!(bounds(&limits).limits, Limits::default().steps(9).steps_per_value(3));
    }

    #[test]
    fn a_limit_is_a_name_and_a_number() {
        assert!(parse_limit("steps=1_000").is_ok_and(|limit| limit.value == 1000));
        assert!(parse_limit("instance-depth=9").is_ok());
        assert!(parse_limit("instance-depth=1000000").is_err_and(|error| error.contains("50000")));
        assert!(
            parse_limit("stepz=1")
                .is_err_and(|error| error.contains("subschemas") && error.contains("line_bytes"))
        );
        assert!(parse_limit("steps").is_err());
        assert!(parse_limit("steps=-1").is_err());
    }
}
