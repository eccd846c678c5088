# Layout and lints.
source .ci/need
need_component fmt
need_component clippy
cargo fmt --all --check
cargo clippy --workspace --all-targets -- -D warnings
