// A server of the SDK 2.x with our validator: node server2.mjs good|raw, over stdio. Over HTTP the test takes `make` itself.
import { fromJsonSchema, McpServer, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { StanchionJsonSchemaValidator } from "stanchion/mcp";
import { GOOD, RAW } from "./tools.mjs";

const info = { name: "stanchion-test", version: "1.0.0" };
const jsonSchemaValidator = new StanchionJsonSchemaValidator();

export function make(kind) {
  if (kind === "good") {
    const server = new McpServer(info, { jsonSchemaValidator });
    for (const { name, inputSchema, outputSchema, answer } of GOOD) {
      const schemas = { inputSchema: fromJsonSchema(inputSchema, jsonSchemaValidator), outputSchema: fromJsonSchema(outputSchema, jsonSchemaValidator) };
      server.registerTool(name, schemas, async (args) => ({ content: [], structuredContent: answer(args) }));
    }
    return server;
  }
  const server = new Server(info, { capabilities: { tools: {} }, jsonSchemaValidator });
  server.setRequestHandler("tools/list", async () => ({ tools: RAW.map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema })) }));
  server.setRequestHandler("tools/call", async ({ params }) => ({ content: [], structuredContent: RAW.find(({ name }) => name === params.name).answer(params.arguments ?? {}) }));
  return server;
}

if (process.argv[1] === new URL(import.meta.url).pathname) void serveStdio(() => make(process.argv[2]));
