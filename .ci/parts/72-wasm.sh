# The wasm module: built, and under Node all calls of the suite.
tools/wasm/test
