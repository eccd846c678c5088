# Fuzz targets: seeds of the suite and mutants of them, in a plain loop that any toolchain runs, for
# $STANCHION_FUZZ_SECONDS each. Findings are kept in suite/data/regressions, and fail.
cargo run --manifest-path tools/fuzz/Cargo.toml --bin fuzz-loop -- --seconds "$STANCHION_FUZZ_SECONDS"
