// Bundles code that uses the package for another runtime, as its users would.
import { build } from "esbuild";
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The folder with `main.js`, made of the code, and `stanchion.wasm` where it looks for it. */
export async function bundle(code, conditions) {
  const folder = mkdtempSync(join(tmpdir(), "stanchion-"));
  await build({
    stdin: { contents: code, resolveDir: join(root, "test"), sourcefile: "main.mjs" },
    outfile: join(folder, "app/main.js"),
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions,
    platform: "neutral",
    // The file is beside the package's code, not beside the bundle: `../stanchion.wasm` of app/main.js.
    external: ["*.wasm"],
  });
  copyFileSync(join(root, "dist/stanchion.wasm"), join(folder, "stanchion.wasm"));
  return folder;
}
