"""Exceptions. They are named ``stanchion.ValidationError`` and so on."""

# Keywords whose values are lists of schemas, and those whose values are schemas by name.
_LISTS = frozenset(("allOf", "anyOf", "oneOf", "prefixItems", "items"))
_NAMED = frozenset(
    ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
)


def _unescape(step):
    return step.replace("~1", "/").replace("~0", "~") if "~" in step else step


def schema_steps(pointer):
    """A JSON Pointer into a schema as names and indices."""
    steps = []
    holds = None  # What the place holds: a list of schemas, schemas by name, or one schema.
    for step in pointer.split("/")[1:]:
        if holds == "list" and step.isdigit():
            steps.append(int(step))
            holds = None
            continue
        step = _unescape(step)
        steps.append(step)
        if holds == "named":
            holds = None
        elif step in _LISTS:
            holds = "list"
        elif step in _NAMED:
            holds = "named"
        else:
            holds = None
    return tuple(steps)


class InstanceError(ValueError):
    """An object that is none that JSON has: NaN, a set, a key that is no string, an object that contains itself."""

    __module__ = "stanchion"

    def __init__(self, message, path=()):
        super().__init__(message, path)
        #: What is wrong, without the place.
        self.message = message
        #: The way to the place, as names and indices.
        self.path = tuple(path)

    def __str__(self):
        place = "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in self.path)
        return f"{place or '/'}: {self.message}"


class NotJSONError(InstanceError):
    """A text that is not JSON."""

    __module__ = "stanchion"

    def __init__(self, message, line=1, column=1):
        ValueError.__init__(self, message, line, column)
        self.message = message
        self.path = ()
        #: Where the text is wrong, from 1.
        self.line = line
        self.column = column

    def __str__(self):
        return f"{self.message} at line {self.line} column {self.column}"


class SchemaError(ValueError):
    """A schema that was refused."""

    __module__ = "stanchion"

    def __init__(self, message, facts=None):
        super().__init__(message, facts)
        #: The first error, in one line, with its place.
        self.message = message
        facts = facts or {}
        #: All errors of the schema: dicts with schemaPath, keyword, kind, params and message.
        self.errors = facts.get("errors", [])
        #: Where the text of the schema is wrong, if it is not JSON.
        self.line = facts.get("line")
        self.column = facts.get("column")

    @property
    def pointer(self):
        """The place of the first error in the schema, as a JSON Pointer."""
        return self.errors[0]["schemaPath"].partition("#")[2] if self.errors else ""

    @property
    def path(self):
        """The place of the first error in the schema, as names and indices."""
        return schema_steps(self.pointer)

    def __str__(self):
        return self.message


class OptionError(ValueError):
    """An option that is not known, or has a value that it cannot have."""

    __module__ = "stanchion"


class ToolError(ValueError):
    """A tool call, or the result of one, that does not go through."""

    __module__ = "stanchion"

    def __init__(self, message, facts=None):
        super().__init__(message, facts)
        facts = facts or {}
        self.message = message
        #: arguments, malformed, result, schema, tool or json.
        self.kind = facts.get("kind", "")
        #: Where a value broke its schema: what is wrong with it.
        self.errors = facts.get("errors", [])
        #: The tool result that answers the request, if it is one.
        self.result = facts.get("result")
        #: The JSON-RPC error that answers the request, if it is one.
        self.error = facts.get("error")

    def __str__(self):
        return self.message


class _Facts:
    """What an error says, when it comes from another process."""

    def __init__(self, facts):
        self.__dict__.update(facts)

    def for_model(self, max_chars):
        return self.model_text[:max_chars]

    def branches(self):
        return self.branch_facts


class ValidationError(ValueError):
    """An object that its schema does not allow."""

    __module__ = "stanchion"

    def __init__(self, fault):
        super().__init__(fault)
        self._fault = fault

    @property
    def message(self):
        """What is wrong, in a sentence without the place."""
        return self._fault.message

    @property
    def path(self):
        """The way to the value, as names and indices: ``("items", 0)``."""
        return self._fault.path

    @property
    def pointer(self):
        """The way to the value, as a JSON Pointer: ``"/items/0"``."""
        return self._fault.pointer

    @property
    def schema_path(self):
        """The way to the keyword in its own document, as names and indices."""
        return schema_steps(self._fault.schema_pointer)

    @property
    def schema_pointer(self):
        """The way to the keyword in its own document, as a JSON Pointer."""
        return self._fault.schema_pointer

    @property
    def evaluation_path(self):
        """The way from the root to the keyword, by way of references, as a JSON Pointer."""
        return self._fault.evaluation_pointer

    @property
    def absolute_location(self):
        """The URI of the keyword."""
        return self._fault.absolute_location

    @property
    def keyword(self):
        """The keyword that rejects the value."""
        return self._fault.keyword

    @property
    def kind(self):
        """What kind of error it is: a name that does not change, such as ``unknown_property`` or ``minimum``."""
        return self._fault.kind

    @property
    def params(self):
        """The facts of the error, as the wire contract names them."""
        return self._fault.facts["params"]

    @property
    def advice(self):
        """What to do about it, where the message says only what is wrong; else None."""
        return self._fault.advice

    @property
    def facts(self):
        """All of it as one dict, with the names of the wire contract."""
        return self._fault.facts

    @property
    def branches(self):
        """Of an error of anyOf or oneOf: the errors of each branch, as ``(index, [facts, ...])``, closest first."""
        return self._fault.branches()

    def for_model(self, max_chars=2000):
        """A short text for a language model that has to mend the object. It has all errors that were found, not this one alone."""
        return self._fault.for_model(max_chars)

    def __str__(self):
        return self._fault.line

    def __repr__(self):
        return f"<{type(self).__name__} {self._fault.line}>"

    def __reduce__(self):
        names = ("message", "path", "pointer", "schema_pointer", "evaluation_pointer", "absolute_location")
        names += ("keyword", "kind", "facts", "advice", "line")
        facts = {name: getattr(self._fault, name) for name in names}
        facts["model_text"] = self.for_model()
        facts["branch_facts"] = self._fault.branches()
        return restore_error, (type(self), facts)


class UndecidedError(ValidationError):
    """A run that reached a limit before it had a verdict: the object was not proven valid."""

    __module__ = "stanchion"


def restore_error(kind, facts):
    return kind(_Facts(facts))


def restore_validator(schema, options):
    from ._stanchion import Validator

    return Validator(schema, **options)


def restore_toolbox(text):
    import json

    from ._stanchion import Toolbox

    box = json.loads(text)
    return Toolbox(box["tools"], profile=box["profile"])
