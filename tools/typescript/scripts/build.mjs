// Builds the package into dist/. The wasm module is that of STANCHION_WASM, if it names a file, and else is built by ../wasm/build.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const dist = join(root, "dist");
const run = (command, ...args) => execFileSync(command, args, { cwd: root, stdio: "inherit" });

for (const made of ["esm", "cjs", "load"]) rmSync(join(dist, made), { recursive: true, force: true });
mkdirSync(dist, { recursive: true });
const wasm = join(dist, "stanchion.wasm");
if (process.env.STANCHION_WASM) {
  copyFileSync(process.env.STANCHION_WASM, wasm);
} else {
  run("../wasm/build", wasm);
}

const tsc = join(root, "node_modules/.bin/tsc");
run(tsc, "--project", "tsconfig.json");
run(tsc, "--project", "tsconfig.json", "--module", "commonjs", "--moduleResolution", "bundler", "--outDir", "dist/cjs");
cpSync(join(root, "src/load"), join(dist, "load"), { recursive: true });
// A package.json of its own says that these files are CommonJS, and then must name the loader as well.
renameSync(join(dist, "load/node.cjs"), join(dist, "cjs/load.cjs"));
writeFileSync(join(dist, "cjs/package.json"), JSON.stringify({ type: "commonjs", imports: { "#load": "./load.cjs" } }));

for (const licence of readdirSync(join(root, "../..")).filter((name) => name.startsWith("LICENSE-"))) {
  if (!existsSync(join(root, licence))) copyFileSync(join(root, "../..", licence), join(root, licence));
}
