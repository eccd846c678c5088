# The npm package: builds it with the wasm module, and tests it on Node, Bun and Deno, in Chromium and in workerd, and with the MCP SDKs of npm.
source .ci/need
need_program npm
need_program chromium
mkdir -p "$CARGO_TARGET_DIR"
export STANCHION_WASM="$CARGO_TARGET_DIR/stanchion.wasm"
tools/wasm/build "$STANCHION_WASM"
cd tools/typescript
npm install --no-save --no-audit --no-fund --loglevel=error
timeout 900 npm test
