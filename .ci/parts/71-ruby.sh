# The gem: its own tests, the official suite and the cases of all bindings through it, hostile schemas, memory, a smoke run of the benchmark, and an installation.
source .ci/need
need_program ruby
need_program rake
[ -e "$(ruby -rrbconfig -e 'print RbConfig::CONFIG["rubyhdrdir"]')/ruby.h" ] || need_package ruby-dev
ruby -e 'require "minitest"' 2>/dev/null || need_package ruby-minitest
ls /usr/lib/llvm-*/lib/libclang*.so* >/dev/null 2>&1 || need_package libclang-dev

# A workspace of its own, with other features: beside the others it would build everything anew each time.
export STANCHION_TARGET_DIR="$CARGO_TARGET_DIR"
export CARGO_TARGET_DIR="$CARGO_TARGET_DIR/ruby"
cargo fmt --manifest-path tools/ruby/Cargo.toml --check
cargo clippy --release --manifest-path tools/ruby/Cargo.toml -- -D warnings
(cd tools/ruby && timeout 1200 rake test && timeout 300 rake bench && timeout 900 rake install)
