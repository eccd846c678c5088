//! Options for compiling a schema, which every command with a schema has.

use clap::Args;
use stanchion::{Dialect, Limits, References, SchemaError, SchemaErrorKind, Validator, ValidatorBuilder};
use stanchion_render::{Finding, Source};
use stanchion_suite::dialect;

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

    /// The dialect of a schema that declares none: draft2020-12 (the default), draft2019-09, draft7, draft6, draft4
    #[arg(long, value_name = "NAME", value_parser = parse_dialect)]
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

/// A limit with its value.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    set: fn(&mut Bounds, u64),
    value: u64,
}

/// The name of a limit, its highest value, and its setter.
type Setter = (&'static str, u64, fn(&mut Bounds, u64));

/// Highest depth limit: a deeper run would need too much stack.
const MAX_DEPTH: u64 = 50_000;

/// Highest length limit: the engine's tapes count bytes in 32 bits.
const MAX_BYTES: u64 = u32::MAX as u64 - 1;

/// Every limit by its name.
const LIMITS: [Setter; 11] = [
    ("depth", u64::MAX, |bounds, value| bounds.limits = bounds.limits.depth(size(value))),
    ("subschemas", u64::MAX, |bounds, value| bounds.limits = bounds.limits.subschemas(size(value))),
    ("document_bytes", u64::MAX, |bounds, value| bounds.limits = bounds.limits.document_bytes(size(value))),
    ("pattern_size", u64::MAX, |bounds, value| bounds.limits = bounds.limits.pattern_size(size(value))),
    ("steps", u64::MAX, |bounds, value| bounds.limits = bounds.limits.steps(value)),
    ("steps_per_value", u64::MAX, |bounds, value| bounds.limits = bounds.limits.steps_per_value(value)),
    ("instance_depth", MAX_DEPTH, |bounds, value| {
        bounds.instance_depth = size(value);
        bounds.limits = bounds.limits.instance_depth(u32::try_from(value).unwrap_or(u32::MAX));
    }),
    ("memory", u64::MAX, |bounds, value| bounds.limits = bounds.limits.memory(size(value))),
    ("errors", u64::MAX, |bounds, value| bounds.limits = bounds.limits.errors(size(value))),
    ("text_bytes", MAX_BYTES, |bounds, value| bounds.text_bytes = size(value)),
    ("line_bytes", MAX_BYTES, |bounds, value| bounds.line_bytes = size(value)),
];

/// Converts a number, capped at what the machine can address.
fn size(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

pub(crate) fn parse_limit(text: &str) -> Result<Limit, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=N")?;
    let wanted = name.trim().replace('-', "_");
    let Some((_, most, set)) = LIMITS.into_iter().find(|(name, ..)| *name == wanted) else {
        let known: Vec<&str> = LIMITS.iter().map(|(name, ..)| *name).collect();
        return Err(format!("no limit is named {name}; there are {}", known.join(", ")));
    };
    let value = value.trim().replace('_', "");
    let value: u64 = value.parse().map_err(|error| format!("{name}: expected a whole number: {error}"))?;
    if value > most {
        return Err(format!("{name} can be at most {most}"));
    }
    Ok(Limit { set, value })
}

/// Returns the default limits with some of them changed.
pub(crate) fn bounds(asked: &[Limit]) -> Bounds {
    let mut bounds = Bounds::default();
    for limit in asked {
        (limit.set)(&mut bounds, limit.value);
    }
    bounds
}

/// Parses the usual names of dialects.
pub(crate) fn parse_dialect(name: &str) -> Result<Dialect, String> {
    dialect::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = dialect::DIALECTS.iter().map(|&dialect| dialect::folder(dialect)).collect();
        format!("expected one of {}", known.join(", "))
    })
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
        let mut bounds = bounds(&self.limits);
        if let Some(steps) = self.steps {
            bounds.limits = bounds.limits.steps(steps);
        }
        bounds
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
    fn every_limit_has_its_own_setter() {
        for (name, _, set) in LIMITS {
            let mut bounds = Bounds::default();
            set(&mut bounds, 7);
            let changed = format!("{bounds:?}");
            assert!(changed.contains(&format!(" {name}: 7")), "{name} in {changed}");
            // A depth is stored twice.
            let times = if name == "instance_depth" { 2 } else { 1 };
            assert_eq!(changed.matches(": 7").count(), times, "{name} alone in {changed}");
        }
        // A limit that the engine has and this table lacks would be one more here; two are ours.
        assert_eq!(format!("{:?}", Limits::default()).matches(": ").count() + 2, LIMITS.len());
    }

    #[test]
    fn a_limit_is_a_name_and_a_number() {
        assert!(parse_limit("steps=1_000").is_ok_and(|limit| limit.value == 1000));
        assert!(parse_limit("instance-depth=9").is_ok());
        assert!(parse_limit("instance-depth=1000000").is_err_and(|error| error.contains("50000")));
        assert!(parse_limit("stepz=1").is_err_and(|error| error.contains("subschemas")));
        assert!(parse_limit("steps").is_err());
        assert!(parse_limit("steps=-1").is_err());
    }
}
