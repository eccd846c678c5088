// The package as npm packs it: what is in it, and that it works where it is installed, from ESM and CommonJS.
import { test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

test("the packed package", (context) => {
  const folder = mkdtempSync(join(tmpdir(), "stanchion-pack-"));
  try {
    // What is built is packed: no script runs.
    const [{ filename, files, size }] = JSON.parse(
      execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }),
    );
    context.diagnostic(`${filename}: ${size} bytes`);
    const paths = files.map(({ path }) => path);
    for (const path of [
      "README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "package.json", "dist/stanchion.wasm", "dist/load/node.mjs", "dist/load/web.mjs", "dist/load/workerd.mjs",
      "dist/cjs/load.cjs", "dist/cjs/package.json", "src/validator.ts",
      ...["index", "mcp", "ajv"].flatMap((name) => ["esm", "cjs"].flatMap((kind) => [".js", ".d.ts", ".js.map", ".d.ts.map"].map((end) => `dist/${kind}/${name}${end}`))),
    ]) assert.ok(paths.includes(path), path);
    assert.deepEqual(paths.filter((path) => /^(test|bench|scripts|node_modules)\//.test(path)), []);

    const { dependencies = {}, scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    assert.deepEqual(dependencies, {});
    for (const name of ["preinstall", "install", "postinstall"]) assert.equal(scripts[name], undefined);

    const installed = join(folder, "node_modules/stanchion");
    mkdirSync(installed, { recursive: true });
    execFileSync("tar", ["-xzf", join(folder, filename), "-C", installed, "--strip-components=1"]);
    const use = 'new Validator({ type: "string" }).isValid("a") && new StanchionJsonSchemaValidator().getValidator({ type: "string" })("a").valid && new Ajv().validate({ type: "string" }, "a")';
    const run = (...args) => execFileSync(process.execPath, args, { cwd: folder, encoding: "utf8" });
    const imported = `import { Validator } from "stanchion"; import { StanchionJsonSchemaValidator } from "stanchion/mcp"; import Ajv from "stanchion/ajv"; console.log(${use})`;
    assert.equal(run("--input-type=module", "-e", imported), "true\n");
    const required = `const { Validator } = require("stanchion"); const { StanchionJsonSchemaValidator } = require("stanchion/mcp"); const { Ajv } = require("stanchion/ajv"); console.log(${use})`;
    assert.equal(run("-e", required), "true\n");
    const provided = 'import { provide, Validator } from "stanchion"; import { readFileSync } from "node:fs"; import { createRequire } from "node:module"; provide(readFileSync(createRequire(import.meta.url).resolve("stanchion/stanchion.wasm"))); console.log(new Validator(true).isValid(1))';
    assert.equal(run("--input-type=module", "-e", provided), "true\n");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
