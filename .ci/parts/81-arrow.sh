# Columns: the kernel on arrow.
export CARGO_TARGET_DIR="$CARGO_TARGET_DIR/arrow"
cargo fmt --manifest-path tools/arrow/Cargo.toml --check
cargo clippy --manifest-path tools/arrow/Cargo.toml --all-targets -- -D warnings
cargo test --quiet --manifest-path tools/arrow/Cargo.toml
