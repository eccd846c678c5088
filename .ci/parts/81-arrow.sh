# Columns: the kernel on arrow, and the Python half of it with real libraries and engines (pyarrow, polars, duckdb, nanoarrow, Spark, Ray).
source .ci/need
(
    export CARGO_TARGET_DIR="$CARGO_TARGET_DIR/arrow"
    cargo fmt --manifest-path tools/arrow/Cargo.toml --check
    cargo clippy --manifest-path tools/arrow/Cargo.toml --all-targets -- -D warnings
    cargo test --quiet --manifest-path tools/arrow/Cargo.toml
)
need_program python3
python3 -c 'import ensurepip' 2>/dev/null || need_package python3-venv
# For Spark.
need_program java openjdk-17-jre-headless
CARGO_TARGET_DIR="$CARGO_TARGET_DIR/python" timeout 1800 tools/python/test columns
