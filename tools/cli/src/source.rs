//! Reading: files, directories, and standard input under the name `-`; plain or compressed by gzip.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;
use indicatif::ProgressBar;
use serde_json::Value;
use walkdir::WalkDir;

/// Name of standard input.
pub(crate) const STDIN: &str = "-";

/// Longest document that is read whole, in bytes.
const MAX_DOCUMENT_BYTES: usize = 1 << 30;

/// A document that was read whole: its name for messages, its text for pictures, its value.
pub(crate) struct Document {
    pub(crate) name: String,
    pub(crate) text: String,
    pub(crate) value: Value,
}

/// Checks that at most one of the files is `-`, since standard input can be read only once.
pub(crate) fn read_once<'f>(files: impl IntoIterator<Item = &'f str>) -> Result<(), String> {
    match files.into_iter().filter(|file| *file == STDIN).count() {
        0 | 1 => Ok(()),
        _ => Err("standard input (`-`) can be read only once".to_owned()),
    }
}

/// Opens a file, or standard input. Input that begins like gzip is decompressed: no JSON text
/// begins so.
///
/// The bar counts what is read before it is decompressed.
pub(crate) fn open(file: &str, bar: &ProgressBar) -> io::Result<Box<dyn Read + Send>> {
    if file == STDIN {
        return decompressed(bar.wrap_read(io::stdin()));
    }
    let opened = File::open(file)?;
    if opened.metadata()?.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "is a directory"));
    }
    decompressed(bar.wrap_read(opened))
}

fn decompressed(mut reader: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    const MAGIC: [u8; 2] = [0x1f, 0x8b];
    let mut first = Vec::new();
    reader.by_ref().take(MAGIC.len() as u64).read_to_end(&mut first)?;
    let is_gzip = first == MAGIC;
    let whole = Cursor::new(first).chain(reader);
    Ok(if is_gzip {
        Box::new(MultiGzDecoder::new(BufReader::with_capacity(1 << 16, whole)))
    } else {
        Box::new(whole)
    })
}

/// Reads a file into a buffer, up to a length.
pub(crate) fn read_into(
    file: &str,
    text: &mut Vec<u8>,
    longest: usize,
    bar: &ProgressBar,
) -> Result<(), String> {
    text.clear();
    let mut reader = open(file, bar).map_err(|error| error.to_string())?.take(longest as u64 + 1);
    reader.read_to_end(text).map_err(|error| error.to_string())?;
    if text.len() > longest {
        return Err(format!("has more than {longest} bytes (text_bytes)"));
    }
    Ok(())
}

/// Reads a whole text file.
pub(crate) fn read_text(file: &str) -> Result<String, String> {
    let mut text = Vec::new();
    read_into(file, &mut text, MAX_DOCUMENT_BYTES, &ProgressBar::hidden())?;
    String::from_utf8(text).map_err(|error| error.to_string())
}

/// Reads a JSON file; the error has the line and the column.
pub(crate) fn read_json(file: &str) -> Result<Document, String> {
    let text = read_text(file).map_err(|error| format!("{file}: {error}"))?;
    let value = serde_json::from_str(&text).map_err(|error| format!("{file}: {error}"))?;
    Ok(Document { name: file.to_owned(), text, value })
}

/// Returns the files in a directory and below that have one of these extensions, `.gz` aside,
/// sorted. Links to directories are not followed.
pub(crate) fn files_below(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    for entry in WalkDir::new(folder).sort_by_file_name() {
        let entry = entry.map_err(|error| error.to_string())?;
        let is_wanted = ending(entry.path()).is_some_and(|found| endings.contains(&found.as_str()));
        if is_wanted && entry.path().is_file() {
            files.push(entry.into_path());
        }
    }
    Ok(files)
}

/// Returns the extension of a name, in lower case; the one before `.gz`, if there is one.
pub(crate) fn ending(path: &Path) -> Option<String> {
    let ending = |path: &Path| path.extension().and_then(OsStr::to_str).map(str::to_ascii_lowercase);
    match ending(path)?.as_str() {
        "gz" => ending(Path::new(path.file_stem()?)),
        other => Some(other.to_owned()),
    }
}
