"""Clients and servers: the Python SDK, FastMCP, and the toolbox."""

import asyncio
import os
import pathlib
import pickle
import socket
import subprocess
import sys
import time

import pytest

import stanchion
import stanchion.mcp

mcp = pytest.importorskip("mcp")
fastmcp = pytest.importorskip("fastmcp")

SERVERS = pathlib.Path(__file__).parent / "sdk" / "servers.py"


@pytest.fixture
def installed():
    stanchion.mcp.install()
    yield
    stanchion.mcp.uninstall()


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def over_http(which):
    """A server of its own process, and its address."""
    port = free_port()
    process = subprocess.Popen([sys.executable, str(SERVERS), which, str(port)])
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        assert process.poll() is None, "the server ended"
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return process, f"http://127.0.0.1:{port}/mcp"
        time.sleep(0.1)
    raise AssertionError("the server does not listen")


def over_stdio(which):
    from mcp.client.stdio import StdioServerParameters, stdio_client

    return stdio_client(StdioServerParameters(command=sys.executable, args=[str(SERVERS), which, "stdio"], env=dict(os.environ)))


async def hold_to_their_schema(client):
    """What a client finds out about a server that lies."""
    result = await client.call_tool("number", {"n": "5"})
    assert result.structured_content == {"n": 5}
    with pytest.raises(RuntimeError) as raised:
        await client.call_tool("number", {"n": "five"})
    assert str(raised.value) == (
        'Invalid structured content returned by tool number: /n: expected an integer, found the string "five"'
    )
    assert isinstance(raised.value.__cause__, stanchion.ValidationError)


async def are_checked(client):
    """What a server with the middleware answers."""
    result = await client.call_tool("add", {"a": 2, "b": 3})
    assert not result.is_error and result.structured_content == {"result": 5}
    # FastMCP alone takes "2" for an int, and ignores what it does not know.
    for arguments, expected in [
        ({"a": "2"}, "Invalid arguments for tool 'add': /a: expected an integer"),
        ({"a": 1, "c": 2}, "unknown property \"c\""),
        ({}, "missing required property \"a\""),
    ]:
        result = await client.call_tool("add", arguments)
        assert result.is_error and expected in result.content[0].text
    result = await client.call_tool("day", {"text": "2026-11-18"})
    assert not result.is_error
    result = await client.call_tool("day", {"text": "tomorrow"})
    assert result.is_error and "returned an invalid result: /day:" in result.content[0].text


def test_client_over_stdio(installed):
    async def run():
        async with mcp.Client(over_stdio("lying")) as client:
            await hold_to_their_schema(client)
        async with mcp.Client(over_stdio("checked")) as client:
            await are_checked(client)

    asyncio.run(asyncio.wait_for(run(), 120))


def test_client_over_http(installed):
    async def run(url, check):
        async with mcp.Client(url) as client:
            await check(client)

    for which, check in (("lying", hold_to_their_schema), ("checked", are_checked)):
        process, url = over_http(which)
        try:
            asyncio.run(asyncio.wait_for(run(url, check), 120))
        finally:
            process.kill()
            process.wait()


def test_session():
    """The session class, for clients that choose their own."""

    async def run():
        async with over_stdio("lying") as (read, write):
            async with stanchion.mcp.ClientSession(read, write) as session:
                await session.initialize()
                await hold_to_their_schema(session)

    assert issubclass(stanchion.mcp.ClientSession, mcp.ClientSession)
    asyncio.run(asyncio.wait_for(run(), 120))


def test_install_is_taken_back():
    from mcp.client.session import ClientSession

    before = ClientSession.validate_tool_result
    stanchion.mcp.install()
    stanchion.mcp.install()
    assert ClientSession.validate_tool_result is not before
    stanchion.mcp.uninstall()
    assert ClientSession.validate_tool_result is before


def test_importing_us_imports_no_sdk():
    code = "import sys, stanchion.mcp, stanchion.jsonschema; print(sorted({'mcp', 'fastmcp', 'jsonschema', 'pydantic'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


ADD = {
    "name": "add",
    "inputSchema": {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"default": 1}}, "required": ["a"]},
    "outputSchema": {"type": "integer"},
}


def test_toolbox():
    toolbox = stanchion.mcp.Toolbox([ADD, {"name": "spy", "inputSchema": {"type": "object", "$ref": "http://169.254.169.254/"}}])
    assert toolbox.names == ["add"] and len(toolbox) == 1 and "add" in toolbox and "spy" not in toolbox
    assert "leaves the document" in toolbox.refused("spy")
    assert toolbox.check_call("add", {"a": 1}) is None
    assert toolbox.check_call("add", '{"a": 1}') is None
    assert toolbox.fill_call("add", {"a": 10**30}) == {"a": 10**30, "b": 1}
    with pytest.raises(stanchion.ToolError) as raised:
        toolbox.check_call("add", {"a": "x"})
    assert raised.value.kind == "arguments" and raised.value.result["isError"] is True
    with pytest.raises(stanchion.ToolError) as raised:
        toolbox.check_call("sub", {})
    assert raised.value.kind == "malformed" and raised.value.error["code"] == -32602
    version = "2026-07-28"
    sent = toolbox.send_result("add", {"structuredContent": 3}, protocol_version=version)
    assert sent["structuredContent"] == 3 and sent["content"][0]["text"] == "3"
    # An older client gets it in an envelope, and so do its definitions.
    old = toolbox.send_result("add", {"structuredContent": 3}, protocol_version="2025-06-18")
    assert old["structuredContent"] == {"result": 3}
    assert toolbox.definitions(protocol_version="2025-06-18")[0]["outputSchema"]["type"] == "object"
    client = stanchion.mcp.Toolbox(toolbox.definitions(protocol_version="2025-06-18"))
    assert client.receive_result("add", old, protocol_version="2025-06-18")["structuredContent"] == 3
    with pytest.raises(stanchion.ToolError):
        client.receive_result("add", {"content": [], "structuredContent": {"result": "3"}}, protocol_version="2025-06-18")
    with pytest.raises(stanchion.ToolError) as raised:
        toolbox.send_result("add", {"structuredContent": "x"}, protocol_version=version)
    assert raised.value.kind == "result"
    loaded = toolbox.extend([{"name": "more", "inputSchema": {"type": "object"}}])
    assert loaded["tools"] == 2 and toolbox.names == ["add", "more"]
    assert toolbox.replace([ADD])["unchanged"] == 1
    again = pickle.loads(pickle.dumps(toolbox))
    assert again.names == ["add"]
    with pytest.raises(stanchion.OptionError):
        stanchion.mcp.Toolbox(profile={"preset": "perl"})
