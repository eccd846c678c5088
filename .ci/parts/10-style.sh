# Layout and lints.
source .ci/need
need_component fmt
need_component clippy
cargo fmt --all --check
cargo clippy --workspace --all-targets -- -D warnings
need_go actionlint github.com/rhysd/actionlint/cmd/actionlint v1.7.7
"$go_program"
