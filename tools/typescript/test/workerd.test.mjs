// The official suite in workerd, the runtime of Cloudflare Workers.
import { test } from "node:test";
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import workerd from "workerd";
import { bundle } from "./lib/bundle.mjs";
import { officialGroups } from "./lib/official.mjs";

const code = `
  import * as stanchion from "stanchion";
  import { StanchionJsonSchemaValidator } from "stanchion/mcp";
  import { runGroups } from "./lib/groups.mjs";
  // In the global scope there are no random numbers yet.
  const early = new StanchionJsonSchemaValidator().getValidator({ type: "string", format: "email" });
  const wasEarly = [early("a@example.com").valid, early("a").valid];
  export default {
    async fetch(request) {
      let mayEval = true;
      try { new Function("")(); } catch { mayEval = false; }
      const outcome = runGroups(stanchion, await request.json());
      return Response.json({ mayEval, wasEarly, isLater: [early("a@example.com").valid, early("a").valid], ...outcome });
    },
  };
`;

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

test("the official suite in workerd", { timeout: 300_000 }, async () => {
  const folder = await bundle(code, ["workerd", "worker"]);
  const port = await freePort();
  writeFileSync(
    join(folder, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = (
    modules = [
      (name = "app/main.js", esModule = embed "app/main.js"),
      (name = "stanchion.wasm", wasm = embed "stanchion.wasm"),
    ],
    compatibilityDate = "2025-09-01",
  ))],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);
`,
  );
  const child = spawn(workerd.default ?? workerd, ["serve", join(folder, "config.capnp")], { stdio: ["ignore", "inherit", "pipe"] });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  try {
    const body = JSON.stringify(officialGroups());
    let response;
    for (let round = 0; response === undefined && round < 100; round++) {
      assert.equal(child.exitCode, null, said);
      response = await fetch(`http://127.0.0.1:${port}/`, { method: "POST", body }).catch(() => new Promise((done) => setTimeout(done, 200)));
    }
    const text = await response.text();
    assert.equal(response.status, 200, `${text}\n${said}`);
    const outcome = JSON.parse(text);
    assert.deepEqual(outcome.wrong, []);
    assert.ok(outcome.tests > 7000, `there are only ${outcome.tests} tests`);
    assert.equal(outcome.mayEval, false);
    assert.deepEqual([...outcome.wasEarly, ...outcome.isLater], [true, false, true, false]);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
});
