//! With the feature `native`, writes the code that applies jsonschema's macro to the schemas of
//! `STANCHION_CORPUS`.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=native/build.rs");
    println!("cargo::rerun-if-env-changed=STANCHION_CORPUS");
    if env::var_os("CARGO_FEATURE_NATIVE").is_none() {
        return Ok(());
    }
    let corpus = env::var_os("STANCHION_CORPUS").ok_or("the feature `native` needs STANCHION_CORPUS")?;
    let (mut validators, mut arms) = (String::new(), String::new());
    for (number, (name, schema)) in schemas(Path::new(&corpus))?.into_iter().enumerate() {
        writeln!(
            validators,
            "#[jsonschema::validator(path = {schema:?}, validate_formats = false, \
             methods = {{ is_valid = true, validate = false, iter_errors = false }})]\nstruct Set{number};"
        )?;
        writeln!(arms, "{name:?} => Some(Set{number}::is_valid),")?;
    }
    let find =
        format!("pub(crate) fn find(name: &str) -> Option<IsValid> {{ match name {{ {arms} _ => None }} }}");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    Ok(fs::write(out.join("native.rs"), validators + &find)?)
}

/// Returns the names and schemas of a directory's sets, chosen as in the comparison.
fn schemas(corpus: &Path) -> Result<Vec<(String, PathBuf)>, Box<dyn Error>> {
    let broken = |error| format!("{}: {error}", corpus.display());
    let mut sets = Vec::new();
    for entry in fs::read_dir(corpus).map_err(broken)? {
        let folder = entry.map_err(broken)?.path().canonicalize()?;
        let files = ["schema-2020-12.json", "schema.json"].map(|file| folder.join(file));
        if let (Some(name), Some(schema)) =
            (folder.file_name(), files.into_iter().find(|file| file.is_file()))
        {
            println!("cargo::rerun-if-changed={}", schema.display());
            sets.push((name.to_string_lossy().into_owned(), schema));
        }
    }
    sets.sort();
    Ok(sets)
}
