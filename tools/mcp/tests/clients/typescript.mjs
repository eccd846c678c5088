// A client of the TypeScript SDK against the demo server: lists its tools, and calls them with good and bad arguments.
//
//   node typescript.mjs <server> <1|2> <old|new>
//
// The first argument is the server's program, the second the SDK's major version, the third the protocol version to speak.
import assert from 'node:assert/strict';

const [server, sdk, era] = process.argv.slice(2);
const { Client } = await import(sdk === '1' ? '@modelcontextprotocol/sdk/client/index.js' : '@modelcontextprotocol/client');
const { StdioClientTransport } = await import(
    sdk === '1' ? '@modelcontextprotocol/sdk/client/stdio.js' : '@modelcontextprotocol/client/stdio'
);
const options = era === 'new' ? { versionNegotiation: { mode: 'auto' } } : {};
const client = new Client({ name: 'stanchion-ci', version: '1.0.0' }, options);
await client.connect(new StdioClientTransport({ command: server }));

const { tools } = await client.listTools();
assert.deepEqual(
    tools.map(tool => tool.name).sort(),
    ['find-by-id-or-name', 'find_resource', 'get-count', 'get-weather-forecast', 'list_users']
);
const schema = tools.find(tool => tool.name === 'get-count').outputSchema;
assert.equal(schema.type, era === 'new' ? 'integer' : 'object');

const call = (name, args) => client.callTool({ name, arguments: args });
const natural = result => (era === 'new' ? result.structuredContent : result.structuredContent.result);
// The SDK checks structured content against the schema that it got.
assert.equal(natural(await call('get-count', {})), 2);
assert.equal(natural(await call('get-weather-forecast', { city: 'Turin', hours: 2 })).length, 2);
const users = await call('list_users', { limit: 1 });
assert.equal(natural(users)[0].name, 'Alice');
assert.ok(users.content.some(block => block.type === 'text' && block.text.includes('Alice')));

const refused = await call('get-weather-forecast', { city: '', hours: 99 });
assert.equal(refused.isError, true);
assert.match(refused.content[0].text, /hours/);
await client.close();
console.log(`TypeScript SDK ${sdk}, ${era}: ok`);
