"""A client of the Python SDK speaks to a server directly and through the proxy, and compares what it gets.

    python compare.py <1|2> <old|new> <proxy command as JSON> <server command as JSON> [<tool> <arguments as JSON>]...
"""

import json
import sys
from contextlib import asynccontextmanager

import anyio
from mcp import StdioServerParameters

sdk, era = sys.argv[1:3]
proxy, server = json.loads(sys.argv[3]), json.loads(sys.argv[4])
calls = list(zip(sys.argv[5::2], map(json.loads, sys.argv[6::2])))


@asynccontextmanager
async def connected(command):
    parameters = StdioServerParameters(command=command[0], args=command[1:])
    if sdk == "1":
        from mcp import ClientSession
        from mcp.client.stdio import stdio_client

        async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
            await session.initialize()
            yield session
    else:
        from mcp import Client

        async with Client(parameters, mode="auto" if era == "new" else "legacy") as client:
            yield client


async def talk(command):
    heard = {}
    async with connected(command) as client:
        heard["tools"] = (await client.list_tools()).model_dump_json()
        for name, arguments in calls:
            try:
                result = await client.call_tool(name, arguments)
                is_error = getattr(result, "is_error", None) or getattr(result, "isError", None)
                # The words of a refusal are ours; that it is one is the same.
                heard[f"{name} {arguments}"] = "refused" if is_error else result.model_dump_json()
            except Exception as error:
                heard[f"{name} {arguments}"] = type(error).__name__
        try:
            heard["prompts"] = (await client.list_prompts()).model_dump_json()
            heard["resources"] = (await client.list_resources()).model_dump_json()
        except Exception as error:
            heard["prompts"] = type(error).__name__
    return heard


async def main():
    direct, proxied = await talk(server), await talk(proxy + server)
    assert direct == proxied, f"{json.dumps(direct, indent=1)}\n{json.dumps(proxied, indent=1)}"
    print(f"Python SDK {sdk}, {era}: {len(calls)} calls, alike through the proxy")


anyio.run(main)
