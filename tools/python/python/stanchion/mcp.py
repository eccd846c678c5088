"""Stanchion for the Model Context Protocol: for clients on ``mcp`` 2.3, for servers on FastMCP 4.1, and for either without an SDK.

A client::

    from stanchion.mcp import ClientSession      # in place of mcp.ClientSession

or, for clients that build their sessions themselves, such as ``mcp.Client``::

    import stanchion.mcp
    stanchion.mcp.install()

A server on FastMCP::

    from stanchion.mcp import ValidationMiddleware
    server.add_middleware(ValidationMiddleware())

Without an SDK: ``Toolbox`` takes definitions, checks calls and results, and has the answers.

Importing this module imports no SDK; the names that need one import it when they are asked for.
"""

import logging

from ._errors import SchemaError, ToolError, ValidationError
from ._stanchion import Cache, Toolbox

__all__ = ["ClientSession", "Toolbox", "ToolError", "ValidationMiddleware", "install", "uninstall"]

logger = logging.getLogger("stanchion.mcp")

# Schemas of tools by content, for all sessions: a client that connects again compiles nothing.
_CACHE = None


def _validator(schema):
    """A validator as the Python SDK wants it: formats are annotations, and references stay inside the schema."""
    global _CACHE
    if _CACHE is None:
        _CACHE = Cache(preset="python", references="bundled")
    return _CACHE.get(schema)


def _output_schema_validator(self, name, output_schema):
    """The compiled validator of a tool's output schema, made once for each schema."""
    kept = self._tool_output_validators.get(name)
    if kept is not None:
        return kept
    try:
        validator = _validator(output_schema)
    except SchemaError as error:
        raise RuntimeError(f"Invalid schema for tool {name}: {error}") from _cause(error)
    self._tool_output_validators[name] = validator
    return validator


def _cause(error):
    """What the SDK gives as the cause: for a reference that leads nowhere, the exception that its own validator raises."""
    first = error.errors[0] if error.errors else {}
    if first.get("kind") not in ("outside", "unresolved"):
        return error
    from referencing.exceptions import Unresolvable

    cause = Unresolvable(ref=first["params"]["reference"])
    cause.__cause__ = error
    return cause


async def _validate_tool_result(self, name, result):
    """Checks a result against the output schema of its tool.

    Raises RuntimeError if structured content is missing or does not conform, or if the schema is refused.
    """
    if name not in self._tool_output_schemas:
        await self.list_tools()
    if name not in self._tool_output_schemas:
        _sdk_logger().warning(f"Tool {name} not listed by server, cannot validate any structured content")
        return
    output_schema = self._tool_output_schemas[name]
    if output_schema is None:
        return
    if result.structured_content is None and "structured_content" not in result.model_fields_set:
        raise RuntimeError(f"Tool {name} has an output schema but did not return structured content")
    validator = self._output_schema_validator(name, output_schema)
    try:
        validator.validate(result.structured_content)
    except ValidationError as error:
        raise RuntimeError(f"Invalid structured content returned by tool {name}: {error}") from error


def _sdk_logger():
    from mcp.client import session

    return session.logger


_ORIGINAL = {}


def install():
    """Makes every ``mcp.ClientSession`` of this process validate by Stanchion, those that ``mcp.Client`` builds included."""
    from mcp.client.session import ClientSession

    if _ORIGINAL:
        return
    for name, method in (
        ("validate_tool_result", _validate_tool_result),
        ("_output_schema_validator", _output_schema_validator),
    ):
        _ORIGINAL[name] = getattr(ClientSession, name)
        setattr(ClientSession, name, method)


def uninstall():
    """Takes back what ``install`` did."""
    from mcp.client.session import ClientSession

    while _ORIGINAL:
        setattr(ClientSession, *_ORIGINAL.popitem())


def _client_session():
    from mcp.client.session import ClientSession as Session

    return type(
        "ClientSession",
        (Session,),
        {
            "__doc__": "The client session of the SDK, which validates results by Stanchion.",
            "__module__": __name__,
            "validate_tool_result": _validate_tool_result,
            "_output_schema_validator": _output_schema_validator,
        },
    )


def _validation_middleware():
    from fastmcp.server.middleware import Middleware
    from fastmcp.tools.base import ToolResult

    class ValidationMiddleware(Middleware):
        """Checks arguments against the input schema of the tool, and results against its output schema.

        FastMCP itself reads arguments by the types of the function, which takes ``"3"`` for an int. This middleware holds calls to the schema
        that clients were shown. A call that breaks it is answered with a tool result that says what is wrong and what would be right, so that a
        model can mend its call; a result that breaks its schema never reaches the client.

        ``arguments`` and ``results`` switch either check off. ``options`` are those of ``stanchion.Cache``, for example
        ``assert_formats=True``.
        """

        def __init__(self, *, arguments=True, results=True, max_chars=2000, **options):
            options.setdefault("references", "bundled")
            self._arguments = arguments
            self._results = results
            self._max_chars = max_chars
            self._cache = Cache(**options)

        async def on_call_tool(self, context, call_next):
            name = context.message.name
            tool = None
            if context.fastmcp_context is not None:
                tool = await context.fastmcp_context.fastmcp.get_tool(name)
            if tool is not None and self._arguments:
                refusal = self._refusal(tool.parameters, context.message.arguments or {}, f"Invalid arguments for tool {name!r}")
                if refusal is not None:
                    return refusal
            result = await call_next(context)
            output_schema = getattr(tool, "output_schema", None)
            if output_schema is None or not self._results or getattr(result, "is_error", False):
                return result
            content = getattr(result, "structured_content", None)
            if content is None:
                return ToolResult(content=f"Tool {name!r} has an output schema but returned no structured content", is_error=True)
            refusal = self._refusal(output_schema, content, f"Tool {name!r} returned an invalid result")
            return result if refusal is None else refusal

        def _refusal(self, schema, instance, subject):
            """The tool result that tells what is wrong, or None."""
            try:
                validator = self._cache.get(schema)
            except SchemaError as error:
                # A schema that the server wrote wrong is the server's fault: say so in its log, and let the call pass.
                logger.warning("schema refused, calls are not checked: %s", error)
                return None
            text = validator.for_model(instance, self._max_chars)
            return ToolResult(content=f"{subject}: {text}", is_error=True) if text else None

    ValidationMiddleware.__module__ = __name__
    ValidationMiddleware.__qualname__ = "ValidationMiddleware"
    return ValidationMiddleware


_LAZY = {"ClientSession": _client_session, "ValidationMiddleware": _validation_middleware}


def __getattr__(name):
    make = _LAZY.get(name)
    if make is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    made = globals()[name] = make()
    return made


def __dir__():
    return sorted(set(globals()) | set(_LAZY))
