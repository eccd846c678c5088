"""The names of the package ``jsonschema`` that people use, on Stanchion.

>>> from stanchion.jsonschema import Draft202012Validator
>>> [error.message for error in Draft202012Validator({"type": "integer"}).iter_errors("one")]
['expected an integer, found the string "one"']

Verdicts are those of the specification, and errors have the attributes of ``jsonschema.ValidationError``. What differs: messages are Stanchion's own;
all missing properties of an object are one error; nothing is ever fetched; and runs have limits. A run that reaches one raises
``stanchion.UndecidedError``.

What is missing:

==================================================  =====================================================================
jsonschema                                          instead
==================================================  =====================================================================
``validators.extend``, ``validators.create``        keywords of your own cannot be added
``TypeChecker``, ``types=``                         types are JSON's; tuples and mappings are read as arrays and objects
``RefResolver``, ``resolver=``                      ``registry=``: a ``referencing.Registry``, or a dict of schemas by URI
``Validator.descend``, ``iter_errors(_schema=)``    a Validator for the subschema
``ErrorTree``                                       ``error.absolute_path``
``Draft3Validator``                                 draft-04 and later
``cli``                                             the program ``stanchion``
==================================================  =====================================================================
"""

from collections import deque

from . import Validator as _Validator
from . import diagnose as _diagnose
from ._errors import schema_steps as _schema_steps
from ._errors import SchemaError as _SchemaError
from ._errors import UndecidedError as _UndecidedError

__all__ = [
    "Draft4Validator",
    "Draft6Validator",
    "Draft7Validator",
    "Draft201909Validator",
    "Draft202012Validator",
    "FormatChecker",
    "FormatError",
    "RefResolutionError",
    "SchemaError",
    "ValidationError",
    "best_match",
    "by_relevance",
    "relevance",
    "validate",
    "validator_for",
]


class _Unset:
    def __repr__(self):
        return "<unset>"


_unset = _Unset()


class _Error(Exception):
    """What ``ValidationError`` and ``SchemaError`` have in common."""

    def __init__(
        self,
        message,
        validator=_unset,
        path=(),
        cause=None,
        context=(),
        validator_value=_unset,
        instance=_unset,
        schema=_unset,
        schema_path=(),
        parent=None,
    ):
        super().__init__(message, validator, path, cause, context, validator_value, instance, schema, schema_path, parent)
        self.message = message
        self.path = self.relative_path = deque(path)
        self.schema_path = self.relative_schema_path = deque(schema_path)
        self.context = list(context)
        self.cause = self.__cause__ = cause
        self.validator = validator
        self.validator_value = validator_value
        self.instance = instance
        self.schema = schema
        self.parent = parent
        #: The error of Stanchion that it was made of, if it was.
        self.stanchion = None
        for error in self.context:
            error.parent = self

    @classmethod
    def create_from(cls, other):
        return cls(**other._contents())

    def _contents(self):
        names = ("message", "cause", "context", "validator", "validator_value", "path", "schema_path")
        names += ("instance", "schema", "parent")
        return {name: getattr(self, name) for name in names}

    @property
    def absolute_path(self):
        path = deque(self.relative_path)
        if self.parent is not None:
            path.extendleft(reversed(self.parent.absolute_path))
        return path

    @property
    def absolute_schema_path(self):
        path = deque(self.relative_schema_path)
        if self.parent is not None:
            path.extendleft(reversed(self.parent.absolute_schema_path))
        return path

    @property
    def json_path(self):
        path = "$"
        for step in self.absolute_path:
            if isinstance(step, int):
                path += f"[{step}]"
            elif step.isidentifier():
                path += f".{step}"
            else:
                path += "['" + step.replace("\\", "\\\\").replace("'", "\\'") + "']"
        return path

    def __str__(self):
        if self.validator is _unset:
            return self.message
        place = "".join(f"[{step!r}]" for step in self.absolute_path)
        schema_place = "".join(f"[{step!r}]" for step in list(self.absolute_schema_path)[:-1])
        return (
            f"{self.message}\n\nFailed validating {self.validator!r} in {self._word_for_schema}{schema_place}"
            f"\n\nOn {self._word_for_instance}{place}"
        )

    def __repr__(self):
        return f"<{type(self).__name__}: {self.message!r}>"

    def __reduce__(self):
        contents = self._contents()
        contents["parent"] = None
        return _restore, (type(self), contents)


def _restore(kind, contents):
    return kind(**contents)


class ValidationError(_Error):
    """An instance that its schema does not allow."""

    _word_for_schema = "schema"
    _word_for_instance = "instance"

    def for_model(self, max_chars=2000):
        """A short text for a language model that has to mend the instance, with all errors that were found."""
        return self.message[:max_chars] if self.stanchion is None else self.stanchion.for_model(max_chars)


class SchemaError(_Error):
    """A schema that is none."""

    _word_for_schema = "metaschema"
    _word_for_instance = "schema"


class RefResolutionError(Exception):
    """A reference that leads nowhere, or outside of what was handed over."""


class FormatError(Exception):
    """A text that is not of a format."""

    def __init__(self, message, cause=None):
        super().__init__(message, cause)
        self.message = message
        self.cause = self.__cause__ = cause

    def __str__(self):
        return self.message


class FormatChecker:
    """Formats that are asserted: all that Stanchion knows, or those that are named; and checks of your own."""

    checkers = {}

    #: All formats that Stanchion knows.
    known = (
        "date", "date-time", "duration", "email", "hostname", "idn-email", "idn-hostname", "ipv4", "ipv6", "iri",
        "iri-reference", "json-pointer", "regex", "relative-json-pointer", "time", "uri", "uri-reference",
        "uri-template", "uuid",
    )  # fmt: skip

    def __init__(self, formats=None):
        self.formats = None if formats is None else frozenset(formats)
        self.checkers = dict(type(self).checkers)
        self._asserted = {}

    def checks(self, format, raises=()):
        """A decorator: the function checks that format. What it raises of ``raises`` means that the text is wrong."""

        def decorate(check):
            self.checkers[format] = (check, raises)
            return check

        return decorate

    cls_checks = classmethod(lambda cls, format, raises=(): lambda check: cls.checkers.__setitem__(format, (check, raises)) or check)

    def check(self, instance, format):
        """Raises FormatError if the instance is not of the format."""
        own = self.checkers.get(format)
        if own is not None:
            check, raises = own
            cause = None
            try:
                holds = check(instance)
            except raises as error:
                holds, cause = False, error
            if not holds:
                raise FormatError(f"{instance!r} is not a {format!r}", cause)
            return
        if format not in self.known or self.formats is not None and format not in self.formats:
            return
        validator = self._asserted.get(format)
        if validator is None:
            validator = self._asserted[format] = _Validator({"format": format}, assert_formats=True)
        if not validator.is_valid(instance):
            raise FormatError(f"{instance!r} is not a {format!r}")

    def conforms(self, instance, format):
        """Whether the instance is of the format."""
        try:
            self.check(instance, format)
        except FormatError:
            return False
        return True

    def _options(self):
        def asserted(check, raises):
            def holds(text):
                try:
                    return bool(check(text))
                except raises:
                    return False

            return holds

        options = {"assert_formats": True}
        if self.checkers:
            options["formats"] = {name: asserted(*own) for name, own in self.checkers.items()}
        if self.formats is not None:
            options["ignore_formats"] = [
                name for name in self.known if name not in self.formats and name not in self.checkers
            ]
        return options


draft4_format_checker = draft6_format_checker = draft7_format_checker = FormatChecker()
draft201909_format_checker = draft202012_format_checker = draft7_format_checker


def _resources(registry):
    """The schemas of a registry by URI."""
    resources = {}
    for uri in registry or ():
        resource = registry[uri]
        resources[uri] = getattr(resource, "contents", resource)
    return resources


def _follow(root, steps):
    for step in steps:
        root = root[step]
    return root


class _Shaped:
    """A validator for one draft, with the methods of jsonschema's."""

    _dialect = None
    META_SCHEMA = {}
    FORMAT_CHECKER = draft7_format_checker

    def __init__(self, schema, resolver=None, format_checker=None, *, registry=None, _resolver=None):
        if resolver is not None or _resolver is not None:
            raise TypeError("there are no resolvers: hand schemas over by registry=")
        self.schema = schema
        self.format_checker = format_checker
        self._registry = registry
        self._compiled = None

    @classmethod
    def check_schema(cls, schema, format_checker=None):
        """Raises SchemaError if the schema is none."""
        found = _diagnose(schema, dialect=cls._dialect, references="bundled", unknown_dialect=cls._dialect)
        for error in found["errors"]:
            # Other validators find these when they run.
            if error["kind"] not in ("outside", "unresolved", "ring", "resource", "limit"):
                raise _schema_error(error, schema)

    def evolve(self, **changes):
        """Another validator that differs in some attributes."""
        given = {"schema": self.schema, "format_checker": self.format_checker, "registry": self._registry}
        given.update(changes)
        return validator_for(given["schema"], type(self))(**given)

    @property
    def compiled(self):
        """The validator of Stanchion."""
        if self._compiled is None:
            options = {} if self.format_checker is None else self.format_checker._options()
            resources = _resources(self._registry)
            if resources:
                options["resources"] = resources
            try:
                self._compiled = _Validator(
                    self.schema,
                    dialect=self._dialect,
                    unknown_dialect=self._dialect,
                    references="bundled",
                    **options,
                )
            except _SchemaError as error:
                first = error.errors[0] if error.errors else {"message": error.message, "kind": ""}
                if first["kind"] in ("outside", "unresolved", "ring"):
                    raise RefResolutionError(error.message) from None
                raise _schema_error(first, self.schema) from None
        return self._compiled

    def is_valid(self, instance):
        """Whether the instance is valid."""
        validator = self._compiled or self.compiled
        if validator.is_valid(instance):
            return True
        if validator.verdict(instance) == "undecided":
            validator.validate(instance)
        return False

    def iter_errors(self, instance):
        """All errors of the instance, most helpful first."""
        seen = set()
        for error in self.compiled.iter_errors(instance):
            if isinstance(error, _UndecidedError):
                raise error
            facts = error.facts
            is_branch = "union" in facts
            if is_branch:
                facts = facts["union"]
            place = facts["instancePath"], facts.get("evaluationPath", facts["schemaPath"])
            if place in seen:
                continue
            seen.add(place)
            path = error.path if not is_branch else _steps_in(instance, facts["instancePath"])
            shaped = self._shaped(facts, path, instance, error.branches)
            shaped.stanchion = error
            yield shaped

    def _shaped(self, facts, path, instance, branches=(), above=(), above_schema=()):
        pointer = facts.get("evaluationPath") or facts["schemaPath"].partition("#")[2]
        # These keywords leave no step in a path.
        schema_path = tuple(step for step in _schema_steps(pointer) if step not in ("$ref", "$dynamicRef"))
        value, subschema = _unset, _unset
        try:
            place = _schema_steps(facts["schemaPath"].partition("#")[2])
            subschema = _follow(self.schema, place[:-1])
            value = subschema[place[-1]] if place else subschema
        except (KeyError, IndexError, TypeError):
            pass
        try:
            found = _follow(instance, path)
        except (KeyError, IndexError, TypeError):
            found = _unset
        context = []
        for index, errors in branches:
            for inner in errors:
                inner_path = _steps_in(instance, inner["instancePath"])
                child = self._shaped(inner, inner_path, instance)
                child.path = child.relative_path = deque(inner_path[len(path) :])
                inner_schema = list(child.schema_path)
                if inner_schema[: len(schema_path)] == list(schema_path):
                    inner_schema = inner_schema[len(schema_path) :]
                child.schema_path = child.relative_schema_path = deque(inner_schema or [index])
                context.append(child)
        keyword = facts["keyword"]
        is_false = value is False and keyword not in ("additionalProperties", "additionalItems", "unevaluatedProperties", "unevaluatedItems")
        return ValidationError(
            facts["message"],
            validator=None if is_false else keyword,
            path=path,
            context=context,
            validator_value=None if is_false else value,
            instance=found,
            schema=value if is_false else subschema,
            schema_path=schema_path,
        )

    def validate(self, instance):
        """Raises ValidationError if the instance is not valid."""
        validator = self._compiled or self.compiled
        if validator.is_valid(instance):
            return
        for error in self.iter_errors(instance):
            raise error

    def is_type(self, instance, type):
        """Whether the instance is of that type of JSON Schema."""
        return _Validator({"type": type}).is_valid(instance)

    def __repr__(self):
        return f"{type(self).__name__}(schema={self.schema!r}, format_checker={self.format_checker!r})"

    def __eq__(self, other):
        return type(self) is type(other) and self.schema == other.schema and self.format_checker is other.format_checker

    __hash__ = None

    def __getstate__(self):
        return {**self.__dict__, "_compiled": None}


def _steps_in(instance, pointer):
    """A JSON Pointer into an instance as names and indices."""
    steps = []
    for step in pointer.split("/")[1:]:
        step = step.replace("~1", "/").replace("~0", "~")
        if isinstance(instance, (list, tuple)) and step.isdigit():
            step = int(step)
        steps.append(step)
        try:
            instance = instance[step]
        except (KeyError, IndexError, TypeError):
            instance = None
    return tuple(steps)


def _schema_error(error, schema):
    path = _schema_steps(error.get("schemaPath", "").partition("#")[2])
    try:
        found = _follow(schema, path)
    except (KeyError, IndexError, TypeError):
        found = _unset
    return SchemaError(error["message"], validator=error.get("keyword", _unset), path=path, instance=found, schema_path=path)


class Draft4Validator(_Shaped):
    """Draft-04, for schemas that declare no other."""

    _dialect = "draft-04"
    META_SCHEMA = {"id": "http://json-schema.org/draft-04/schema#"}


class Draft6Validator(_Shaped):
    """Draft-06, for schemas that declare no other."""

    _dialect = "draft-06"
    META_SCHEMA = {"$id": "http://json-schema.org/draft-06/schema#"}


class Draft7Validator(_Shaped):
    """Draft-07, for schemas that declare no other."""

    _dialect = "draft-07"
    META_SCHEMA = {"$id": "http://json-schema.org/draft-07/schema#"}


class Draft201909Validator(_Shaped):
    """2019-09, for schemas that declare no other."""

    _dialect = "2019-09"
    META_SCHEMA = {"$id": "https://json-schema.org/draft/2019-09/schema"}


class Draft202012Validator(_Shaped):
    """2020-12, for schemas that declare no other."""

    _dialect = "2020-12"
    META_SCHEMA = {"$id": "https://json-schema.org/draft/2020-12/schema"}


_BY_URI = {
    cls.META_SCHEMA.get("$id", cls.META_SCHEMA.get("id")).rstrip("#"): cls
    for cls in (Draft4Validator, Draft6Validator, Draft7Validator, Draft201909Validator, Draft202012Validator)
}


def validator_for(schema, default=Draft202012Validator):
    """The class of the dialect that a schema declares, or the default."""
    if not isinstance(schema, dict) or not isinstance(schema.get("$schema"), str):
        return default
    return _BY_URI.get(schema["$schema"].rstrip("#"), default)


def validate(instance, schema, cls=None, *args, **kwargs):
    """Raises SchemaError if the schema is none, and ValidationError if the instance is not valid."""
    if cls is None:
        cls = validator_for(schema)
    cls.check_schema(schema)
    cls(schema, *args, **kwargs).validate(instance)


def by_relevance(weak=frozenset(("anyOf", "oneOf")), strong=frozenset()):
    """A key by which the most relevant error is the greatest: those higher up, and those of keywords that say more."""

    def relevance(error):
        return -len(error.path), error.validator not in weak, error.validator in strong

    return relevance


relevance = by_relevance()


def best_match(errors, key=None):
    """The most helpful error, or None. Errors come most helpful first; a key of your own chooses the greatest."""
    errors = iter(errors)
    if key is None:
        return next(errors, None)
    return max(errors, key=key, default=None)
