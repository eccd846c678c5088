"""A plugin for pytest: the tests of `mcp` and of FastMCP run with Stanchion in place of jsonschema.

    pytest -p stanchion_in_place tests/client

The run fails if no result was validated by Stanchion, so that it cannot pass by testing something else.
"""

import os

import stanchion.mcp

calls = 0


def pytest_configure(config):
    stanchion.mcp.install()
    from mcp.client.session import ClientSession

    inner = ClientSession.validate_tool_result

    async def counted(self, name, result):
        global calls
        calls += 1
        await inner(self, name, result)

    ClientSession.validate_tool_result = counted


def pytest_sessionfinish(session, exitstatus):
    # Workers of xdist count for themselves.
    if exitstatus == 0 and not calls and "PYTEST_XDIST_WORKER" not in os.environ and session.config.option.collectonly is False:
        session.exitstatus = 3


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"stanchion validated {calls} results")
