// Clients and servers of the MCP SDK 1.x with our validator, over stdio and streamable HTTP.
import { test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { StanchionJsonSchemaValidator } from "stanchion/mcp";
import { make } from "./lib/server1.mjs";

const program = new URL("lib/server1.mjs", import.meta.url).pathname;

async function listen() {
  const mcp = make();
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: () => crypto.randomUUID() });
  await mcp.connect(transport);
  const server = createServer((request, response) => transport.handleRequest(request, response)).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: new URL(`http://127.0.0.1:${server.address().port}/mcp`), close: async () => { await mcp.close(); server.close(); server.closeAllConnections(); } };
}

for (const transport of ["stdio", "http"]) {
  test(`SDK 1.x over ${transport}`, { timeout: 60_000 }, async () => {
    const answers = [{ email: "a@example.com" }, { email: "nobody" }];
    const client = new Client({ name: "stanchion-test", version: "1.0.0" }, {
      capabilities: { elicitation: {} },
      // This SDK fails the whole list for one bad schema, unless its validator is made all the same.
      jsonSchemaValidator: new StanchionJsonSchemaValidator({ badSchema: "fail" }),
    });
    client.setRequestHandler(ElicitRequestSchema, async () => ({ action: "accept", content: answers.shift() }));
    const http = transport === "http" ? await listen() : undefined;
    await client.connect(http ? new StreamableHTTPClientTransport(http.url) : new StdioClientTransport({ command: process.execPath, args: [program] }));
    try {
      const { tools } = await client.listTools();
      assert.equal(tools.length, 9);
      const call = (name) => client.callTool({ name, arguments: {} });
      assert.deepEqual((await call("good")).structuredContent, { n: 1 });
      await assert.rejects(call("bad-result"), /output schema.*data\/n expected a number/s);
      await assert.rejects(call("bad-format"), /date-time/);
      await assert.rejects(call("bad-schema"), /did you mean "number"/);
      await assert.rejects(call("network"), /https:\/\/example\.com\/n\.json/);
      await assert.rejects(call("dialect"), /unsupported dialect/);
      await assert.rejects(call("doubling"), /output schema/);
      await assert.rejects(call("ring"), /the schema is refused/);
      // Elicitation: the server checks the answers.
      assert.equal((await call("ask")).content[0].text, "accept a@example.com");
      await assert.rejects(call("ask"), /email/);
    } finally {
      await client.close();
      await http?.close();
    }
  });
}
