// As node.mjs, for `require`.
"use strict";
const { readFileSync } = require("node:fs");
const { join } = require("node:path");

exports.load = function load() {
  return new WebAssembly.Module(readFileSync(join(__dirname, "..", "stanchion.wasm")));
};
