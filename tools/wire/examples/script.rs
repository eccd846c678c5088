//! Writes calls for bindings that are not written in Rust: `script FILE SET…`, where a set is `vectors`, `official`, `hostile` or `small`.

#[path = "../tests/it/native.rs"]
mod native;

use std::{env, error::Error, fs};

use native::Native;
use stanchion_suite::wire::{self, Scale};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let file = arguments.next().ok_or("usage: script FILE SET…")?;
    let mut steps = Vec::new();
    for set in arguments {
        steps.extend(match set.as_str() {
            "vectors" => wire::vectors()?,
            "official" => wire::official()?,
            "hostile" => wire::hostile(Scale::Full),
            "small" => wire::hostile(Scale::Small),
            other => return Err(format!("no set {other:?}").into()),
        });
    }
    wire::pin_statuses(&mut Native::default(), &mut steps)?;
    fs::write(&file, wire::encode(&mut Native::default(), &steps))?;
    println!("{file}: {} calls", steps.len());
    Ok(())
}
