# The npm package: builds it with the wasm module, and tests it.
source .ci/need
need_program npm
mkdir -p "$CARGO_TARGET_DIR"
export STANCHION_WASM="$CARGO_TARGET_DIR/stanchion.wasm"
tools/wasm/build "$STANCHION_WASM"
cd tools/typescript
npm ci --no-audit --no-fund --loglevel=error
timeout 900 npm test
