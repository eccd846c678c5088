// A server of the SDK 1.x with our validator, over stdio. Over HTTP the test takes `make` itself.
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { StanchionJsonSchemaValidator } from "stanchion/mcp";
import { RAW } from "./tools.mjs";

export function make() {
  const jsonSchemaValidator = new StanchionJsonSchemaValidator();
  const server = new Server({ name: "stanchion-test", version: "1.0.0" }, { capabilities: { tools: {} }, jsonSchemaValidator });
  server.setRequestHandler(ListToolsRequestSchema, async () => ({
    tools: [...RAW.map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema })), { name: "ask", inputSchema: { type: "object" } }],
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    if (params.name === "ask") {
      // The server checks what the user typed.
      const requestedSchema = { type: "object", properties: { email: { type: "string", format: "email" } }, required: ["email"] };
      const { action, content } = await server.elicitInput({ message: "Who are you?", requestedSchema });
      return { content: [{ type: "text", text: `${action} ${content?.email}` }] };
    }
    return { content: [], structuredContent: RAW.find(({ name }) => name === params.name).answer(params.arguments ?? {}) };
  });
  return server;
}

if (process.argv[1] === new URL(import.meta.url).pathname) await make().connect(new StdioServerTransport());
