// The official suite in Chromium, on a page whose policy forbids code from strings.
import { test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { bundle } from "./lib/bundle.mjs";
import { officialGroups } from "./lib/official.mjs";

const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const TYPES = { js: "text/javascript", wasm: "application/wasm", html: "text/html", json: "application/json" };

const code = `
  import * as stanchion from "stanchion";
  import { StanchionJsonSchemaValidator } from "stanchion/mcp";
  import { runGroups } from "./lib/groups.mjs";
  let mayEval = true;
  try { new Function("")(); } catch { mayEval = false; }
  const suite = await (await fetch("/suite.json")).json();
  const mcp = new StanchionJsonSchemaValidator().getValidator({ type: "string", format: "email" });
  globalThis.outcome = { mayEval, mcp: [mcp("a@example.com").valid, mcp("a").valid], ...runGroups(stanchion, suite) };
`;

test("the official suite in Chromium under a strict policy", { timeout: 300_000 }, async () => {
  const folder = await bundle(code, ["browser"]);
  const suite = JSON.stringify(officialGroups());
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://localhost").pathname;
    const type = TYPES[path === "/" ? "html" : path.split(".").pop()];
    response.setHeader("content-security-policy", POLICY);
    if (path === "/favicon.ico") return response.writeHead(204).end();
    if (type === undefined) return response.writeHead(404).end();
    response.setHeader("content-type", type);
    if (path === "/") response.end('<script type="module" src="/app/main.js"></script>');
    else if (path === "/suite.json") response.end(suite);
    else response.end(readFileSync(join(folder, path)));
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
  try {
    const page = await browser.newPage();
    const problems = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    // By polling from outside: the page itself may make no code from strings.
    let outcome;
    for (let round = 0; outcome === undefined && round < 2500; round++) {
      await new Promise((done) => setTimeout(done, 100));
      outcome = await page.evaluate(() => globalThis.outcome);
      if (problems.some((problem) => !problem.includes("Content Security Policy"))) assert.fail(problems.join("\n"));
    }
    assert.deepEqual(outcome.wrong, []);
    assert.ok(outcome.tests > 7000, `there are only ${outcome.tests} tests`);
    assert.equal(outcome.mayEval, false);
    assert.deepEqual(outcome.mcp, [true, false]);
  } finally {
    await browser.close();
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true });
  }
});
