//! Measures the heap of a compiled validator in a process of its own, without what a validator
//! builds once for the process or caches between schemas.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::process::Command;

use serde_json::json;

use super::HEAP;
use super::input::Input;
use super::options::Options;
use super::results::Group;
use super::validators::Peer;

/// First argument of the child process.
pub(crate) const CHILD: &str = "--heap-of";

/// Returns the bytes after compiling, and after all instances.
pub(crate) fn measure(
    group: Group,
    name: &str,
    peer: Peer,
    schema: Option<&str>,
) -> Result<(f64, f64), Box<dyn Error>> {
    let mut command = Command::new(env::current_exe()?);
    command.args([CHILD, group.name(), name, peer.name()]).args(schema);
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let numbers: Option<Vec<f64>> = said.split_whitespace().map(|word| word.parse().ok()).collect();
    match numbers.as_deref() {
        Some([compiled, used]) if output.status.success() => Ok((*compiled, *used)),
        _ => Err(format!("{}: {}", output.status, String::from_utf8_lossy(&output.stderr).trim()).into()),
    }
}

/// Measures and prints both figures.
pub(crate) fn child(words: &[String]) -> Result<(), Box<dyn Error>> {
    let (known, schema) = words.split_at_checked(3).ok_or("expected a group, a set and a validator")?;
    let [group, name, peer] = known else { return Err("expected a group, a set and a validator".into()) };
    let group = Group::by_name(group).ok_or("no such group")?;
    let peer = Peer::by_name(peer).ok_or("no such validator")?;
    let mut options = Options::read(Vec::new())?;
    options.schema = schema.first().cloned();
    let input = Input::load(group, name, &options)?;

    // Compile another schema first: what is built once for the process belongs to no schema.
    let mut first = json!({"$id": "https://example.com/first", "type": "object", "properties": {"a": {"pattern": "^a+$"}}});
    if let Some(dialect) = input.schema.get("$schema") {
        first["$schema"] = dialect.clone();
    }
    let first = peer.compile(&first)?;
    black_box(first.verdict(&json!({"a": "aaa"})));
    drop(first);

    HEAP.resume();
    let before = HEAP.now();
    let validator = peer.compile(&input.schema)?;
    let compiled = HEAP.now().wrapping_sub(before).cast_signed();
    for instance in &input.instances {
        black_box(validator.verdict(&instance.value));
    }
    let used = HEAP.now().wrapping_sub(before).cast_signed();
    println!("{compiled} {used}");
    drop(validator);
    Ok(())
}
