"""A server of the Python SDK, with its own checks, over standard input and output.

    python server.py
"""

import sys
from typing import Literal

try:
    from mcp.server.fastmcp import FastMCP as Server
except ImportError:
    from mcp.server.mcpserver import MCPServer as Server

from pydantic import BaseModel

server = Server("peer")


class Weather(BaseModel):
    celsius: float
    sky: Literal["clear", "cloudy"]


@server.tool()
def add(a: int, b: int) -> int:
    return a + b


@server.tool()
def weather(city: str) -> Weather:
    return Weather(celsius=20.5 + len(city), sky="clear")


@server.tool()
def cities(prefix: str = "") -> list[str]:
    return [city for city in ("Basel", "Turin") if city.startswith(prefix)]


@server.tool()
def fail(why: str) -> str:
    raise ValueError(why)


@server.prompt()
def greet(name: str) -> str:
    return f"Greet {name}."


@server.resource("memo://one")
def memo() -> str:
    return "one"


if __name__ == "__main__":
    server.run("stdio")
