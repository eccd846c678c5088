// Node, Bun and Deno: the file beside this one, read when the first schema is compiled.
import { readFileSync } from "node:fs";

export function load() {
  return new WebAssembly.Module(readFileSync(new URL("../stanchion.wasm", import.meta.url)));
}
