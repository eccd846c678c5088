//! How a schema is compiled: the options that every command with a schema takes.

use clap::Args;
use stanchion::{Dialect, Limits, References, Validator, ValidatorBuilder};
use stanchion_suite::dialect;

use crate::source;

/// Options for compiling a schema and for what a run may spend. A command has them by `#[command(flatten)]`.
#[derive(Args)]
pub(crate) struct Settings {
    /// Let `format` assert, not only annotate
    #[arg(long)]
    pub(crate) assert_formats: bool,

    /// The dialect of a schema that declares none: draft2020-12 (the default), draft2019-09, draft7, draft6, draft4
    #[arg(long, value_name = "NAME", value_parser = parse_dialect)]
    pub(crate) dialect: Option<Dialect>,

    /// Let references leave the document: to `$id`s in it, to resources and to the known metaschemas
    #[arg(long)]
    pub(crate) bundled: bool,

    /// A document that references may lead to; the last `=` parts the two. Nothing is ever fetched
    #[arg(long = "resource", value_name = "URI=FILE", requires = "bundled", value_parser = parse_resource)]
    pub(crate) resources: Vec<Resource>,

    /// Limits other than the defaults: depth, subschemas, document_bytes, pattern_size, steps, instance_depth, memory, errors
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', value_parser = parse_limit)]
    pub(crate) limits: Vec<Limit>,

    /// The steps that one run may take; the same as `--limits steps=N`
    #[arg(long, value_name = "N")]
    pub(crate) steps: Option<u64>,
}

/// A document handed over under a URI.
#[derive(Clone)]
pub(crate) struct Resource {
    pub(crate) uri: String,
    pub(crate) file: String,
}

fn parse_resource(text: &str) -> Result<Resource, String> {
    let (uri, file) = text.rsplit_once('=').ok_or("expected URI=FILE")?;
    Ok(Resource { uri: uri.to_owned(), file: file.to_owned() })
}

/// One limit, set.
#[derive(Clone, Copy)]
pub(crate) struct Limit {
    set: fn(Limits, u64) -> Limits,
    value: u64,
}

/// The name of a limit, and its setter.
type Setter = (&'static str, fn(Limits, u64) -> Limits);

/// Every limit by its name. Numbers beyond what the machine can address mean as much as it can.
const LIMITS: [Setter; 8] = [
    ("depth", |limits, value| limits.depth(size(value))),
    ("subschemas", |limits, value| limits.subschemas(size(value))),
    ("document_bytes", |limits, value| limits.document_bytes(size(value))),
    ("pattern_size", |limits, value| limits.pattern_size(size(value))),
    ("steps", Limits::steps),
    ("instance_depth", |limits, value| limits.instance_depth(u32::try_from(value).unwrap_or(u32::MAX))),
    ("memory", |limits, value| limits.memory(size(value))),
    ("errors", |limits, value| limits.errors(size(value))),
];

fn size(value: u64) -> usize {
    usize::try_from(value).unwrap_or(usize::MAX)
}

fn parse_limit(text: &str) -> Result<Limit, String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=N")?;
    let wanted = name.trim().replace('-', "_");
    let Some((_, set)) = LIMITS.into_iter().find(|(name, _)| *name == wanted) else {
        let known: Vec<&str> = LIMITS.iter().map(|(name, _)| *name).collect();
        return Err(format!("no limit is named {name}; there are {}", known.join(", ")));
    };
    let value = value.trim().replace('_', "");
    let value = value.parse().map_err(|error| format!("{name}: expected a whole number: {error}"))?;
    Ok(Limit { set, value })
}

/// The dialect by a name that people use.
pub(crate) fn parse_dialect(name: &str) -> Result<Dialect, String> {
    dialect::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = dialect::DIALECTS.iter().map(|&dialect| dialect::folder(dialect)).collect();
        format!("expected one of {}", known.join(", "))
    })
}

impl Settings {
    /// The limits that were asked for.
    pub(crate) fn limits(&self) -> Limits {
        let limits =
            self.limits.iter().fold(Limits::default(), |limits, limit| (limit.set)(limits, limit.value));
        self.steps.map_or(limits, |steps| limits.steps(steps))
    }

    /// All that was asked for; resources are read now.
    pub(crate) fn builder(&self) -> Result<ValidatorBuilder, String> {
        let mut builder = Validator::builder().assert_formats(self.assert_formats).limits(self.limits());
        if let Some(dialect) = self.dialect {
            builder = builder.dialect(dialect);
        }
        if self.bundled {
            builder = builder.references(References::Bundled);
        }
        for Resource { uri, file } in &self.resources {
            builder = builder.resource(uri, &source::read_json(file)?.value);
        }
        Ok(builder)
    }

    /// The files that are read for these settings.
    pub(crate) fn files(&self) -> impl Iterator<Item = &str> {
        self.resources.iter().map(|resource| resource.file.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_has_its_own_setter() {
        for (name, set) in LIMITS {
            let changed = format!("{:?}", set(Limits::default(), 7));
            assert!(changed.contains(&format!(" {name}: 7")), "{name} in {changed}");
            assert_eq!(changed.matches(": 7").count(), 1, "{name} alone in {changed}");
        }
        // A limit that the engine has and this table has not would not be listed here.
        assert_eq!(format!("{:?}", Limits::default()).matches(": ").count(), LIMITS.len());
    }

    #[test]
    fn a_limit_is_a_name_and_a_number() {
        assert!(parse_limit("steps=1_000").is_ok_and(|limit| limit.value == 1000));
        assert!(parse_limit("instance-depth=9").is_ok());
        assert!(parse_limit("stepz=1").is_err_and(|error| error.contains("subschemas")));
        assert!(parse_limit("steps").is_err());
        assert!(parse_limit("steps=-1").is_err());
    }
}
