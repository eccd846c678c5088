// Clients and servers of the MCP SDK 2.x with our validator, over stdio and streamable HTTP.
import { test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createMcpHandler } from "@modelcontextprotocol/server";
import { StanchionJsonSchemaValidator } from "stanchion/mcp";
import { make } from "./lib/server2.mjs";

const program = new URL("lib/server2.mjs", import.meta.url).pathname;

/** A server over HTTP, and its address. */
async function listen(kind) {
  const handler = createMcpHandler(() => make(kind));
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    const headers = Object.entries(request.headers).filter(([, value]) => typeof value === "string");
    const body = chunks.length === 0 ? undefined : Buffer.concat(chunks);
    const answer = await handler.fetch(new Request(`http://${request.headers.host}${request.url}`, { method: request.method, headers, body }));
    response.writeHead(answer.status, Object.fromEntries(answer.headers));
    if (answer.body) for await (const chunk of answer.body) response.write(chunk);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: new URL(`http://127.0.0.1:${server.address().port}/mcp`), close: () => { server.close(); server.closeAllConnections(); return handler.close(); } };
}

/** Runs a test with a client that is connected to a server. */
async function connected(kind, transport, era, run, elicited = []) {
  const client = new Client({ name: "stanchion-test", version: "1.0.0" }, {
    capabilities: { elicitation: {} },
    jsonSchemaValidator: new StanchionJsonSchemaValidator(),
    versionNegotiation: { mode: era === "new" ? "auto" : "legacy" },
  });
  client.setRequestHandler("elicitation/create", async () => elicited.shift());
  const http = transport === "http" ? await listen(kind) : undefined;
  await client.connect(http ? new StreamableHTTPClientTransport(http.url) : new StdioClientTransport({ command: process.execPath, args: [program, kind] }));
  try {
    await run(client);
  } finally {
    await client.close();
    await http?.close();
  }
}

for (const transport of ["stdio", "http"]) {
  for (const era of ["new", "old"]) {
    test(`good tools, ${transport}, ${era} protocol`, { timeout: 60_000 }, () =>
      connected("good", transport, era, async (client) => {
        const { tools } = await client.listTools();
        assert.deepEqual(tools.map(({ name }) => name).sort(), ["count", "find", "forecast", "old", "text"]);
        const call = (name, args = {}) => client.callTool({ name, arguments: args });
        // Older clients get what is no object in an envelope.
        const natural = ({ structuredContent }, isWrapped = true) => (era === "old" && isWrapped ? structuredContent.result : structuredContent);
        assert.equal(natural(await call("forecast", { city: "Turin", hours: 3 })).length, 3);
        assert.equal(natural(await call("count")), 2);
        assert.deepEqual(natural(await call("find", { key: "a" })), { id: 7 });
        assert.equal(natural(await call("find", { key: 1 })), "seven");
        assert.equal(natural(await call("text")), "a@example.com");
        assert.deepEqual(natural(await call("old", { pair: [1, "a"] }), false), { n: 1 });
        for (const [name, args, words] of [
          ["forecast", {}, /must have required property 'city'/], ["forecast", { city: "" }, /city/], ["forecast", { city: "Turin", hours: 99 }, /hours 99 is more than the maximum 24|hours/],
          ["forecast", { city: "Turin", days: 1 }, /unknown property "days"/], ["find", { key: 1.5 }, /key/], ["old", { pair: ["a", 1] }, /pair\/0/],
        ]) {
          const refused = await call(name, args).catch((error) => ({ isError: true, content: [{ text: error.message }] }));
          assert.equal(refused.isError, true, name);
          assert.match(refused.content[0].text, words);
        }
      }));
  }

  test(`results and definitions that are bad or hostile, ${transport}`, { timeout: 60_000 }, () =>
    connected("raw", transport, "new", async (client) => {
      // One bad definition never fails the list.
      const { tools } = await client.listTools();
      assert.equal(tools.length, 8);
      const call = (name) => client.callTool({ name, arguments: {} });
      assert.deepEqual((await call("good")).structuredContent, { n: 1 });
      await assert.rejects(call("bad-result"), /output schema.*data\/n expected a number/s);
      await assert.rejects(call("bad-format"), /output schema.*date-time/s);
      await assert.rejects(call("bad-schema"), /invalid outputSchema.*did you mean "number"/s);
      await assert.rejects(call("network"), /invalid outputSchema.*https:\/\/example\.com\/n\.json/s);
      await assert.rejects(call("dialect"), /invalid outputSchema.*unsupported dialect/s);
      await assert.rejects(call("doubling"), /output schema/);
      await assert.rejects(call("ring"), /invalid outputSchema/);
    }));
}

/** What a user answers, and whether the server takes it. */
const ANSWERS = [
  [{ action: "accept", content: { email: "a@example.com", age: 30 } }, true], [{ action: "accept", content: { email: "nobody" } }, false],
  [{ action: "accept", content: { email: "a@example.com", age: 17 } }, false], [{ action: "accept", content: { age: 30 } }, false],
];

test("elicitation on a session of the old protocol", { timeout: 60_000 }, () =>
  connected("ask", "stdio", "old", async (client) => {
    for (const [{ content }, isTaken] of ANSWERS) {
      const result = await client.callTool({ name: "ask", arguments: {} }).catch((error) => ({ isError: true, content: [{ text: error.message }] }));
      assert.equal(result.isError ?? false, !isTaken, JSON.stringify(content));
      assert.match(result.content[0].text, isTaken ? /^accept a@example.com$/ : /email|age/);
    }
    assert.equal((await client.callTool({ name: "ask", arguments: {} })).content[0].text, "decline undefined");
  }, [...ANSWERS.map(([answer]) => answer), { action: "decline" }]));

for (const transport of ["stdio", "http"]) {
  test(`elicitation in the new protocol, ${transport}`, { timeout: 60_000 }, () =>
    connected("ask", transport, "new", async (client) => {
      for (const [{ content }, isTaken] of ANSWERS) {
        const result = await client.callTool({ name: "ask-again", arguments: {} });
        assert.equal(result.content[0].text, isTaken ? "accept a@example.com" : "refused", JSON.stringify(content));
      }
    }, ANSWERS.map(([answer]) => answer)));
}
