// The official suite in Bun and in Deno.
import { test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { officialGroups } from "./lib/official.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const program = (name) => join(root, "node_modules/.bin", name);
const COMMANDS = {
  Bun: [program("bun")],
  Deno: [program("deno"), "run", "--no-lock", "--node-modules-dir=manual", "--allow-read"],
};

for (const [name, [command, ...args]] of Object.entries(COMMANDS)) {
  test(`the official suite in ${name}`, { timeout: 300_000 }, () => {
    const folder = mkdtempSync(join(tmpdir(), "stanchion-"));
    try {
      const file = join(folder, "suite.json");
      writeFileSync(file, JSON.stringify(officialGroups()));
      const said = execFileSync(command, [...args, join(root, "test/lib/official-run.mjs"), file], { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 });
      const { mcp, tests, wrong } = JSON.parse(said);
      assert.deepEqual(wrong, []);
      assert.ok(tests > 7000, `there are only ${tests} tests`);
      assert.deepEqual(mcp, [true, false]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}
