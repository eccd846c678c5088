"""The face of jsonschema, beside jsonschema itself."""

import copy
import pickle

import jsonschema as theirs
import pytest

from stanchion import jsonschema as ours

SCHEMA = {
    "type": "object",
    "properties": {
        "n": {"type": "integer", "minimum": 3},
        "list": {"type": "array", "items": {"type": "string", "maxLength": 2}},
        "either": {"anyOf": [{"type": "string"}, {"type": "object", "properties": {"k": {"const": 1}}, "required": ["k"]}]},
        "one": {"oneOf": [{"type": "integer"}, {"minimum": 2}]},
        "ref": {"$ref": "#/$defs/word"},
    },
    "required": ["n"],
    "$defs": {"word": {"pattern": "^[a-z]+$"}},
}

INSTANCES = [
    {"n": 1},
    {"n": 3, "list": ["a", "abc", 3]},
    {},
    [],
    {"n": 3, "ref": "A"},
    {"n": 3, "one": 4},
    {"n": 3, "either": 5},
]


@pytest.mark.parametrize("instance", INSTANCES, ids=repr)
def test_the_same_places(instance):
    def places(module):
        found = module.Draft202012Validator(SCHEMA).iter_errors(instance)
        return sorted(
            (list(error.absolute_path), list(error.absolute_schema_path), error.validator, repr(error.validator_value), repr(error.instance), error.json_path)
            for error in found
        )

    assert places(ours) == places(theirs)


def test_context():
    [error] = ours.Draft202012Validator(SCHEMA).iter_errors({"n": 3, "either": {"k": 2}})
    assert (error.validator, list(error.path)) == ("anyOf", ["either"])
    children = {(tuple(child.path), tuple(child.schema_path), tuple(child.absolute_path)) for child in error.context}
    assert (("k",), (1, "properties", "k", "const"), ("either", "k")) in children
    assert ((), (0, "type"), ("either",)) in children
    assert all(child.parent is error for child in error.context)


def test_false():
    [error] = ours.Draft202012Validator({"properties": {"never": False}}).iter_errors({"never": 1})
    assert (list(error.path), error.validator, error.validator_value, error.schema) == (["never"], None, None, False)


@pytest.mark.parametrize("module", [ours, theirs], ids=["stanchion", "jsonschema"])
def test_what_people_call(module):
    module.validate({"n": 3}, SCHEMA)
    with pytest.raises(module.ValidationError) as raised:
        module.validate({"n": 1}, SCHEMA)
    assert list(raised.value.path) == ["n"]
    with pytest.raises(module.SchemaError):
        module.validate(1, {"type": "objetc"})
    module.Draft7Validator.check_schema({"items": [True]})
    with pytest.raises(module.SchemaError) as raised:
        module.Draft7Validator.check_schema({"properties": {"a": {"minimum": "1"}}})
    assert list(raised.value.path) == ["properties", "a", "minimum"]
    # That is found when it runs, and not before.
    module.Draft202012Validator.check_schema({"$ref": "#/nowhere"})
    validator_for = getattr(module, "validator_for", None) or module.validators.validator_for
    assert validator_for({"$schema": "http://json-schema.org/draft-07/schema#"}) is module.Draft7Validator
    validator = module.Draft202012Validator(SCHEMA)
    assert validator.is_valid({"n": 3}) and not validator.is_valid({})
    assert validator.evolve(schema={"type": "string"}).is_valid("a")
    validator.validate({"n": 3})
    best = (module.exceptions.best_match if module is theirs else module.best_match)(validator.iter_errors({"n": 1}))
    assert best.validator == "minimum"
    assert (module.exceptions.best_match if module is theirs else module.best_match)([]) is None


def test_formats():
    schema = {"format": "date"}
    assert ours.Draft202012Validator(schema).is_valid("tomorrow")
    assert not ours.Draft202012Validator(schema, format_checker=ours.FormatChecker()).is_valid("tomorrow")
    assert ours.Draft202012Validator(schema, format_checker=ours.FormatChecker(["ipv4"])).is_valid("tomorrow")
    checker = ours.FormatChecker()

    @checker.checks("even", raises=ValueError)
    def is_even(text):
        return int(text) % 2 == 0

    validator = ours.Draft202012Validator({"format": "even"}, format_checker=checker)
    assert validator.is_valid("2") and not validator.is_valid("3") and not validator.is_valid("x") and validator.is_valid(3)
    assert checker.conforms("2", "even") and not checker.conforms("x", "even") and checker.conforms("x", "unknown")
    with pytest.raises(ours.FormatError):
        checker.check("tomorrow", "date")


def test_references():
    schema = {"$ref": "urn:word"}
    with pytest.raises(ours.RefResolutionError):
        ours.Draft202012Validator(schema).is_valid(1)
    assert not ours.Draft202012Validator(schema, registry={"urn:word": {"type": "string"}}).is_valid(1)
    referencing = pytest.importorskip("referencing")
    from referencing.jsonschema import DRAFT202012

    registry = referencing.Registry().with_resource("urn:word", DRAFT202012.create_resource({"type": "string"}))
    assert not ours.Draft202012Validator(schema, registry=registry).is_valid(1)
    assert theirs.Draft202012Validator(schema, registry=registry).is_valid(1) is False
    with pytest.raises(TypeError, match="registry"):
        ours.Draft202012Validator(schema, resolver=object())


def test_errors_travel():
    [error] = ours.Draft202012Validator(SCHEMA).iter_errors({"n": 1})
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), ours.ValidationError.create_from(error)):
        assert (again.message, list(again.path), again.validator) == (error.message, ["n"], "minimum")
    assert "Failed validating 'minimum' in schema['properties']['n']" in str(error)
    validator = pickle.loads(pickle.dumps(ours.Draft7Validator(SCHEMA)))
    assert validator == ours.Draft7Validator(SCHEMA) and not validator.is_valid({})


def test_drafts():
    for name, schema, instance in [
        ("Draft4Validator", {"minimum": 1, "exclusiveMinimum": True}, 1),
        ("Draft6Validator", {"exclusiveMinimum": 1}, 1),
        ("Draft7Validator", {"items": [{"type": "string"}]}, [1]),
        ("Draft201909Validator", {"items": [{"type": "string"}], "unevaluatedItems": False}, ["a", 1]),
        ("Draft202012Validator", {"prefixItems": [{"type": "string"}]}, [1]),
    ]:
        assert not getattr(ours, name)(schema).is_valid(instance), name
        assert not getattr(theirs, name)(schema).is_valid(instance), name
