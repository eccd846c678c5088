// A client of the TypeScript SDK speaks to a server directly and through the proxy, and compares what it gets.
//
//   node compare.mjs <1|2> <proxy command as JSON> <server command as JSON>
//
// The proxy's command ends where the server's begins. Every tool is called, with arguments that fit and with some that do not.
import assert from 'node:assert/strict';

const [sdk, proxy, server] = [process.argv[2], JSON.parse(process.argv[3]), JSON.parse(process.argv[4])];
const { Client } = await import(sdk === '1' ? '@modelcontextprotocol/sdk/client/index.js' : '@modelcontextprotocol/client');
const { StdioClientTransport } = await import(
    sdk === '1' ? '@modelcontextprotocol/sdk/client/stdio.js' : '@modelcontextprotocol/client/stdio'
);

// Arguments that fit a schema, made from the schema itself.
function sample(schema) {
    if (schema.default !== undefined) return schema.default;
    if (schema.enum) return schema.enum[0];
    if (schema.const !== undefined) return schema.const;
    switch (schema.type) {
        case 'object':
            return Object.fromEntries((schema.required ?? []).map(name => [name, sample(schema.properties[name])]));
        case 'array':
            return [];
        case 'integer':
        case 'number':
            return schema.minimum ?? 1;
        case 'boolean':
            return true;
        default:
            return 'a';
    }
}

async function talk(command) {
    const client = new Client({ name: 'stanchion-ci', version: '1.0.0' });
    await client.connect(new StdioClientTransport({ command: command[0], args: command.slice(1), stderr: 'ignore' }));
    const heard = { capabilities: client.getServerCapabilities(), version: client.getServerVersion() };
    const ask = async (name, promise) => {
        // A clock and process identifiers differ from run to run.
        const text = value => JSON.stringify(value)?.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time').replace(/\d{1,2}:\d\d:\d\d[^"\\]*/g, 'time');
        try {
            heard[name] = text(await promise);
        } catch (error) {
            heard[name] = `error ${error.code}`;
        }
    };
    const { tools } = await client.listTools();
    heard.tools = tools;
    for (const tool of tools) {
        if (/env|long|log|toggle|subscri|simulate|gzip|roots|sampling|elicit/i.test(tool.name)) continue;
        await ask(`call ${tool.name}`, client.callTool({ name: tool.name, arguments: sample(tool.inputSchema) }));
        for (const name of tool.inputSchema.required ?? []) {
            const result = await client.callTool({ name: tool.name, arguments: { ...sample(tool.inputSchema), [name]: { wrong: true } } });
            heard[`refused ${tool.name} ${name}`] = result.isError === true;
        }
    }
    const progress = [];
    const long = tools.find(tool => /long.?running/i.test(tool.name));
    if (long) {
        const options = { onprogress: ({ progress: at, total }) => progress.push([at, total]) };
        const call = { name: long.name, arguments: { duration: 0.2, steps: 3 } };
        await ask('long', sdk === '1' ? client.callTool(call, undefined, options) : client.callTool(call, options));
        // The SDK drops the last notification where the response arrives with it.
        heard.progress = progress.slice(0, 2);
    }
    if (heard.capabilities.prompts) {
        await ask('prompts', client.listPrompts());
    }
    if (heard.capabilities.resources) {
        await ask('resources', client.listResources());
        await ask('templates', client.listResourceTemplates());
    }
    const anything = { parse: value => value, '~standard': { version: 1, vendor: 'test', validate: value => ({ value }) } };
    await ask('unknown', client.request({ method: 'made/up', params: {} }, anything));
    await ask('ping', client.ping());
    await client.close();
    return heard;
}

const direct = await talk(server);
const proxied = await talk([...proxy, ...server]);
assert.deepEqual(proxied, direct);
const calls = Object.keys(direct).filter(name => name.startsWith('call '));
assert.ok(calls.length > 2, JSON.stringify(direct));
console.log(`TypeScript SDK ${sdk}: ${direct.tools.length} tools, ${calls.length} called, alike through the proxy`);
