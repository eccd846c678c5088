"""JSON Schema for Python: fast, bounded, and closed.

>>> import stanchion
>>> validator = stanchion.Validator({
...     "type": "object",
...     "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
...     "required": ["city"],
... })
>>> validator.is_valid({"city": "Turin", "days": 3})
True
>>> validator.validate({"city": "Turin", "days": 0})
Traceback (most recent call last):
    ...
stanchion.ValidationError: /days: 0 is less than the minimum 1

Python objects are read in place, with no JSON text in between. JSON text has methods of its own, whose names end in ``_json``.
Every run ends within limits, and nothing is ever fetched.

``stanchion.jsonschema`` has the names of the package jsonschema, and ``stanchion.mcp`` is for clients and servers of the Model Context Protocol.
``stanchion.arrow`` validates columns of JSON text, and ``stanchion.spark`` and ``stanchion.ray`` do so past one machine.
"""

from ._errors import (
    InstanceError,
    NotJSONError,
    OptionError,
    SchemaError,
    ToolError,
    UndecidedError,
    ValidationError,
)
from ._stanchion import Cache, Evaluation, Validator, diagnose

__version__ = "0.1.0"

__all__ = [
    "Cache",
    "Evaluation",
    "InstanceError",
    "NotJSONError",
    "OptionError",
    "SchemaError",
    "ToolError",
    "UndecidedError",
    "ValidationError",
    "Validator",
    "diagnose",
    "is_valid",
    "validate",
]


def is_valid(schema, instance, /, **options):
    """Whether an object is valid. To validate more than once, make a Validator."""
    return Validator(schema, **options).is_valid(instance)


def validate(schema, instance, /, **options):
    """Raises ValidationError if an object is not valid. To validate more than once, make a Validator."""
    Validator(schema, **options).validate(instance)
