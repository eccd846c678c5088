// Browsers: fetched while this module loads, so that everything after `import` is synchronous. Bundlers know this form of `new URL` and
// copy the file. Where it cannot be fetched, the import still succeeds, for a page that hands the module over by `provide`.
let module;
let failure;
try {
  const response = await fetch(new URL("../stanchion.wasm", import.meta.url));
  if (!response.ok) throw new Error(`status ${response.status}`);
  // Streaming wants the right media type, which not every server sends.
  const isTyped = response.headers.get("content-type")?.startsWith("application/wasm");
  module = isTyped
    ? await WebAssembly.compileStreaming(response)
    : await WebAssembly.compile(await response.arrayBuffer());
} catch (error) {
  failure = error;
}

export function load() {
  if (module === undefined) {
    throw new Error("stanchion.wasm could not be loaded; serve it beside the script, or hand it over by provide(module)", { cause: failure });
  }
  return module;
}
