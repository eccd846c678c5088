//! The input: our own sets, and those of a directory.

use std::error::Error;
use std::fs;
use std::path::Path;

use serde_json::Value;
use stanchion_benches::sets;

use super::options::Options;
use super::results::Group;

/// A schema and instances.
pub(crate) struct Input {
    pub(crate) group: Group,
    pub(crate) name: String,
    pub(crate) schema: Value,
    pub(crate) instances: Vec<Instance>,
}

/// An instance, as text and parsed.
pub(crate) struct Instance {
    pub(crate) text: String,
    pub(crate) value: Value,
    /// Whether it is valid, if that is known.
    pub(crate) expected: Option<bool>,
}

/// Returns the sets to run, by group and name.
pub(crate) fn names(options: &Options) -> Result<Vec<(Group, String)>, Box<dyn Error>> {
    let mut names: Vec<(Group, String)> = sets::names().map(|name| (Group::Own, name.to_owned())).collect();
    if let Some(folder) = &options.corpus {
        let broken = |error| format!("STANCHION_CORPUS: {}: {error}", folder.display());
        let mut found = Vec::new();
        for entry in fs::read_dir(folder).map_err(broken)? {
            let path = entry.map_err(broken)?.path();
            if path.join("instances.jsonl").is_file()
                && let Some(name) = path.file_name()
            {
                found.push((Group::Corpus, name.to_string_lossy().into_owned()));
            }
        }
        if found.is_empty() {
            return Err(format!(
                "STANCHION_CORPUS: {}: no folder in it has an instances.jsonl",
                folder.display()
            )
            .into());
        }
        found.sort();
        names.extend(found);
    }
    names.retain(|(group, name)| options.wants(*group, name));
    Ok(names)
}

impl Input {
    pub(crate) fn load(group: Group, name: &str, options: &Options) -> Result<Input, Box<dyn Error>> {
        match group {
            Group::Own => Input::own(name),
            Group::Corpus => {
                let corpus = options.corpus.as_ref().ok_or("STANCHION_CORPUS is not set")?;
                Input::from_folder(name, &corpus.join(name), options.schema.as_deref())
            }
            Group::Tools => Err("tools have no instances".into()),
        }
    }

    /// Generates our own set of this name.
    fn own(name: &str) -> Result<Input, Box<dyn Error>> {
        let set = sets::by_name(name).ok_or_else(|| format!("{name}: no such set"))?;
        let mut instances = Vec::new();
        for (value, valid) in set.instances {
            let text = value.to_string();
            // Parsed like those of the corpus, so that the layout in memory is the same.
            let value = serde_json::from_str(&text)?;
            instances.push(Instance { text, value, expected: Some(valid) });
        }
        Ok(Input { group: Group::Own, name: name.to_owned(), schema: set.schema, instances })
    }

    /// Reads a directory with a schema and `instances.jsonl`.
    fn from_folder(name: &str, folder: &Path, schema: Option<&str>) -> Result<Input, Box<dyn Error>> {
        let rewritten = folder.join("schema-2020-12.json");
        let file = match schema {
            Some(schema) => folder.join(schema),
            None if rewritten.is_file() => rewritten,
            None => folder.join("schema.json"),
        };
        let schema =
            serde_json::from_str(&read(&file)?).map_err(|error| format!("{}: {error}", file.display()))?;
        let file = folder.join("instances.jsonl");
        let mut instances = Vec::new();
        for (line, value) in lines(&file, &read(&file)?)? {
            instances.push(Instance { text: line, value, expected: None });
        }
        if instances.is_empty() {
            return Err(format!("{}: no instances", file.display()).into());
        }
        Ok(Input { group: Group::Corpus, name: name.to_owned(), schema, instances })
    }
}

/// Writes our own sets into a directory, laid out like the corpus.
pub(crate) fn write_own(folder: &Path) -> Result<(), Box<dyn Error>> {
    for name in sets::names() {
        let input = Input::own(name)?;
        let folder = folder.join(name);
        let broken = |error| format!("{}: {error}", folder.display());
        fs::create_dir_all(&folder).map_err(broken)?;
        fs::write(folder.join("schema.json"), format!("{:#}\n", input.schema)).map_err(broken)?;
        let lines: String = input.instances.iter().map(|instance| instance.text.clone() + "\n").collect();
        fs::write(folder.join("instances.jsonl"), lines).map_err(broken)?;
    }
    Ok(())
}

/// Reads a file as text.
pub(crate) fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))
}

/// Reads the lines of a JSONL file, as text and parsed. Empty lines are skipped.
pub(crate) fn lines(file: &Path, text: &str) -> Result<Vec<(String, Value)>, String> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim().is_empty() {
            continue;
        }
        let value =
            serde_json::from_str(line).map_err(|error| format!("{}:{number}: {error}", file.display()))?;
        lines.push((line.to_owned(), value));
    }
    Ok(lines)
}
