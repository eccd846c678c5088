"""Two servers for the tests: `python servers.py checked|lying stdio|PORT`.

`checked` is a FastMCP server with our middleware. `lying` returns what its output schemas do not allow, which a client has to find out.
"""

import sys


def checked():
    from fastmcp import FastMCP
    from stanchion.mcp import ValidationMiddleware

    server = FastMCP("checked", middleware=[ValidationMiddleware(assert_formats=True)])

    @server.tool
    def add(a: int, b: int = 1) -> int:
        """Adds two integers."""
        return a + b

    @server.tool(output_schema={"type": "object", "properties": {"day": {"type": "string", "format": "date"}}, "required": ["day"]})
    def day(text: str) -> dict:
        """Returns its argument, which should be a date."""
        return {"day": text}

    return server


def lying():
    from fastmcp import FastMCP

    server = FastMCP("lying")

    @server.tool(output_schema={"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]})
    def number(n: str) -> dict:
        """Returns its argument, which should be an integer."""
        return {"n": int(n) if n.isdigit() else n}

    return server


if __name__ == "__main__":
    server = {"checked": checked, "lying": lying}[sys.argv[1]]()
    if sys.argv[2] == "stdio":
        server.run(transport="stdio", show_banner=False)
    else:
        server.run(transport="http", host="127.0.0.1", port=int(sys.argv[2]), show_banner=False, log_level="error")
