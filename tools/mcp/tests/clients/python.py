"""A client of the Python SDK against the demo server: lists its tools, and calls them with good and bad arguments.

    python python.py <server> <1|2> <old|new>

The first argument is the server's program, the second the SDK's major version, the third the protocol version to speak.
"""

import sys
from contextlib import asynccontextmanager

import anyio
from mcp import StdioServerParameters

server, sdk, era = sys.argv[1:]


@asynccontextmanager
async def connected():
    parameters = StdioServerParameters(command=server)
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


def member(value, *names):
    """A member by the name that one version of the SDK has for it, or the other."""
    return next(getattr(value, name) for name in names if hasattr(value, name))


def natural(result):
    content = member(result, "structured_content", "structuredContent")
    return content if era == "new" else content["result"]


async def main():
    async with connected() as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert sorted(tools) == ["find-by-id-or-name", "find_resource", "get-count", "get-weather-forecast", "list_users"], tools
        schema = member(tools["get-count"], "output_schema", "outputSchema")
        assert schema["type"] == ("integer" if era == "new" else "object"), schema

        # The SDK checks structured content against the schema that it got.
        assert natural(await client.call_tool("get-count", {})) == 2
        forecast = await client.call_tool("get-weather-forecast", {"city": "Turin", "hours": 2})
        assert len(natural(forecast)) == 2, forecast
        users = await client.call_tool("list_users", {"limit": 1})
        assert natural(users)[0]["name"] == "Alice", users
        assert any("Alice" in block.text for block in users.content), users

        refused = await client.call_tool("get-weather-forecast", {"city": "", "hours": 99})
        assert member(refused, "is_error", "isError") is True, refused
        assert "hours" in refused.content[0].text, refused
    print(f"Python SDK {sdk}, {era}: ok")


anyio.run(main)
