// A server of the SDK 2.x with our validator: node server2.mjs good|raw|ask, over stdio. Over HTTP the test takes `make` itself.
import { acceptedContent, fromJsonSchema, inputRequired, McpServer, Server } from "@modelcontextprotocol/server";
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
  if (kind === "ask") {
    // The server checks what the user typed: by the SDK on a session of the old protocol, and when a call is made again in the new one.
    const server = new McpServer(info, { jsonSchemaValidator });
    const requestedSchema = { type: "object", properties: { email: { type: "string", format: "email" }, age: { type: "integer", minimum: 18 } }, required: ["email"] };
    const inputSchema = fromJsonSchema({ type: "object" }, jsonSchemaValidator);
    const answer = (text) => ({ content: [{ type: "text", text }] });
    server.registerTool("ask", { inputSchema }, async () => {
      const { action, content } = await server.server.elicitInput({ mode: "form", message: "Who are you?", requestedSchema });
      return answer(`${action} ${content?.email}`);
    });
    server.registerTool("ask-again", { inputSchema }, async (_, { mcpReq: { inputResponses } }) => {
      if (inputResponses === undefined) return inputRequired({ inputRequests: { who: inputRequired.elicit({ message: "Who are you?", requestedSchema }) } });
      const content = await acceptedContent(inputResponses, "who", fromJsonSchema(requestedSchema, jsonSchemaValidator));
      return answer(content === undefined ? "refused" : `accept ${content.email}`);
    });
    return server;
  }
  const server = new Server(info, { capabilities: { tools: {} }, jsonSchemaValidator });
  server.setRequestHandler("tools/list", async () => ({ tools: RAW.map(({ name, inputSchema, outputSchema }) => ({ name, inputSchema, outputSchema })) }));
  server.setRequestHandler("tools/call", async ({ params }) => ({ content: [], structuredContent: RAW.find(({ name }) => name === params.name).answer(params.arguments ?? {}) }));
  return server;
}

if (process.argv[1] === new URL(import.meta.url).pathname) void serveStdio(() => make(process.argv[2]));
