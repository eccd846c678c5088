//! A stream of lines of any length, to measure `stanchion check`, and a plain loop to compare it
//! with.
//!
//! ```text
//! lines schema                      the schema of the lines
//! lines make BYTES                  lines, about this many bytes in all
//! lines jsonschema SCHEMA < LINES   one thread, serde_json and jsonschema, the number of valid lines (feature `peers`)
//! ```

use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

/// Records as in a log or an export: mostly text, some numbers, one level of nesting.
const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "id": { "type": "integer", "minimum": 0 },
    "time": { "type": "string" },
    "level": { "enum": ["debug", "info", "warning", "error"] },
    "message": { "type": "string", "maxLength": 1000 },
    "user": { "type": "object", "properties": { "name": { "type": "string" } }, "required": ["name"] }
  },
  "required": ["id", "level", "message"]
}"#;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let ended = match arguments[..] {
        ["schema"] => writeln!(io::stdout(), "{SCHEMA}"),
        ["make", bytes] => match bytes.parse() {
            Ok(bytes) => make(bytes),
            Err(_) => Err(io::Error::other("expected a number of bytes")),
        },
        #[cfg(feature = "peers")]
        ["jsonschema", schema] => jsonschema(schema),
        _ => Err(io::Error::other("usage: lines schema | make BYTES | jsonschema SCHEMA (feature `peers`)")),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes valid lines until there are enough bytes.
fn make(bytes: u64) -> io::Result<()> {
    let mut out = BufWriter::with_capacity(1 << 20, io::stdout().lock());
    let (mut written, mut id) = (0, 0u64);
    while written < bytes {
        let level = ["debug", "info", "warning", "error"][(id % 4) as usize];
        let line = format!(
            "{{\"id\": {id}, \"time\": \"2026-01-01T00:{:02}:{:02}Z\", \"level\": \"{level}\", \
             \"message\": \"request {} was answered after {} ms with {} bytes from the cache of the region\", \
             \"user\": {{\"name\": \"user-{}\"}}, \"path\": \"/api/v2/items/{id}?expand=all&page={}\"}}\n",
            id / 60 % 60,
            id % 60,
            id.wrapping_mul(2_654_435_761) % 1_000_000,
            id * 7 % 300,
            id * 31 % 100_000,
            id % 977,
            id % 40,
        );
        out.write_all(line.as_bytes())?;
        written += line.len() as u64;
        id += 1;
    }
    out.flush()
}

/// Validates lines with serde_json and jsonschema in a plain loop.
#[cfg(feature = "peers")]
fn jsonschema(schema: &str) -> io::Result<()> {
    use std::io::BufRead;
    let schema: serde_json::Value = serde_json::from_str(&std::fs::read_to_string(schema)?)?;
    let validator =
        jsonschema::validator_for(&schema).map_err(|error| io::Error::other(error.to_string()))?;
    let mut input = io::stdin().lock();
    let (mut line, mut valid) = (String::new(), 0u64);
    while input.read_line(&mut line)? > 0 {
        let instance: serde_json::Value = serde_json::from_str(&line)?;
        valid += u64::from(validator.is_valid(&instance));
        line.clear();
    }
    writeln!(io::stdout(), "{valid} valid")
}
