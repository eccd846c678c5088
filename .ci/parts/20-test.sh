# The README's test command.
cargo test --workspace
