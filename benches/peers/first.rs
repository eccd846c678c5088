//! Times the first compile in a fresh process: the cost for a program that validates one call of
//! one tool.

use std::env;
use std::error::Error;
use std::hint::black_box;
use std::process::Command;
use std::time::Instant;

use serde_json::Value;

use super::validators::Peer;

/// First argument of the child process.
pub(crate) const CHILD: &str = "--first-compile-of";

/// Number of processes for each validator.
const PROCESSES: usize = 40;

/// A tool like the median of published ones: 366 bytes, five subschemas.
const TOOL: &str = r#"{"type":"object","properties":{"query":{"type":"string","description":"Words to look for, in titles"},"limit":{"type":"integer","minimum":1,"maximum":100,"default":20,"description":"How many results to get"},"state":{"type":"string","enum":["open","closed","all"]},"sort":{"type":"string","description":"The field by which results are sorted"}},"required":["query"]}"#;

/// Starts the processes, one validator after the other, and prints their times.
pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let program = env::current_exe()?;
    let mut times: Vec<(Peer, Vec<f64>)> = Peer::ALL.iter().map(|peer| (*peer, Vec::new())).collect();
    for _ in 0..PROCESSES {
        for (peer, times) in &mut times {
            let output = Command::new(&program).args([CHILD, peer.name()]).output()?;
            let said = String::from_utf8_lossy(&output.stdout);
            let time = said.trim().parse().map_err(|_| {
                format!("{}: {}: {}", peer.name(), output.status, String::from_utf8_lossy(&output.stderr))
            })?;
            times.push(time);
        }
    }
    println!(
        "first compile in a fresh process, of a tool's schema of {} bytes ({PROCESSES} processes)",
        TOOL.len()
    );
    println!("{:24} {:>10} {:>10}", "", "min", "median");
    for (peer, times) in &mut times {
        times.sort_by(f64::total_cmp);
        let (least, median) = (times[0] / 1e3, times[times.len() / 2] / 1e3);
        println!("{:24} {least:>7.1} µs {median:>7.1} µs", peer.title());
    }
    Ok(())
}

/// Compiles once and prints the nanoseconds it took.
pub(crate) fn child(words: &[String]) -> Result<(), Box<dyn Error>> {
    let peer = words.first().and_then(|name| Peer::by_name(name)).ok_or("no such validator")?;
    let schema: Value = serde_json::from_str(TOOL)?;
    let start = Instant::now();
    let validator = peer.compile(black_box(&schema))?;
    let time = start.elapsed();
    black_box(&validator);
    println!("{}", time.as_nanos());
    Ok(())
}
