"""Random values and schemas: in place against text, and against jsonschema."""

import json
import os

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import stanchion
import stanchion.jsonschema
from conftest import summary

# Surrogates are no text, and text of 4,300 digits and more Python does not write.
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
names = st.sampled_from(["a", "b", "name", "a much longer name than others", ""]) | texts
# JSON text has no numbers beyond all floats.
integers = st.integers(-(10**25), 10**25) | st.sampled_from([2**63, 2**64 - 1, 2**64, -(2**63), -(2**63) - 1, 2**53 + 1])
floats = st.floats(allow_nan=False, allow_infinity=False) | st.sampled_from([1.0, -0.0, 1e16, 1e22, 0.1, 2.5e-7])
scalars = st.none() | st.booleans() | integers | floats | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(names, inner, max_size=6),
    max_leaves=20,
)

types = st.sampled_from(["null", "boolean", "integer", "number", "string", "array", "object"])
bounds = st.integers(-5, 5) | st.sampled_from([0.5, 1e20, 10**20])


def subschemas(inner):
    few = st.integers(0, 4)
    members = st.dictionaries(names, inner, max_size=4)
    return st.fixed_dictionaries(
        {},
        optional={
            "type": types | st.lists(types, min_size=1, max_size=3, unique=True),
            "enum": st.lists(values, min_size=1, max_size=4),
            "const": values,
            "minimum": bounds,
            "exclusiveMaximum": bounds,
            "multipleOf": st.sampled_from([1, 2, 3, 10]),
            "minLength": few,
            "maxLength": few,
            "pattern": st.sampled_from(["^a", "b$", "^[a-z]+$", "."]),
            "items": inner,
            "prefixItems": st.lists(inner, min_size=1, max_size=3),
            "contains": inner,
            "minItems": few,
            "maxItems": few,
            "uniqueItems": st.booleans(),
            "properties": members,
            "additionalProperties": inner,
            "propertyNames": inner,
            "required": st.lists(names, max_size=3, unique=True),
            "dependentRequired": st.dictionaries(names, st.lists(names, max_size=2, unique=True), max_size=2),
            "minProperties": few,
            "allOf": st.lists(inner, min_size=1, max_size=3),
            "anyOf": st.lists(inner, min_size=1, max_size=3),
            "oneOf": st.lists(inner, min_size=1, max_size=3),
            "not": inner,
            "if": inner,
            "then": inner,
            "else": inner,
            "unevaluatedProperties": inner,
            "unevaluatedItems": inner,
        },
    )


schemas = st.recursive(st.booleans() | subschemas(st.booleans()), subschemas, max_leaves=6)
lenient = settings(deadline=None, database=None, max_examples=int(os.environ.get("STANCHION_EXAMPLES", "60")), suppress_health_check=list(HealthCheck))


@lenient
@given(schemas, values)
def test_in_place_is_as_text(schema, value):
    validator = stanchion.Validator(schema)
    text = json.dumps(value)
    assert validator.verdict(value) == validator.verdict_json(text)
    assert summary(validator.iter_errors(value)) == summary(validator.iter_errors_json(text))
    # What is written out without escapes is the same text.
    assert validator.verdict(value) == validator.verdict_json(json.dumps(value, ensure_ascii=False).encode())


@lenient
@given(values)
def test_values_are_equal_to_themselves(value):
    validator = stanchion.Validator({"const": value})
    assert validator.is_valid(value)
    assert validator.is_valid_json(json.dumps(value))
    assert json.dumps(validator.schema) == json.dumps({"const": value})
    assert not stanchion.Validator({"const": [value]}).is_valid(value)


def has_large(value):
    """Whether there are numbers that jsonschema, which calculates with floats, takes for others."""
    if isinstance(value, dict):
        return any(has_large(inner) for inner in value.values())
    if isinstance(value, list):
        return any(has_large(inner) for inner in value)
    return isinstance(value, (int, float)) and (abs(value) >= 2**53 or 0 < abs(value) < 1e-6)


@lenient
@given(schemas, values)
def test_verdicts_of_jsonschema(schema, value):
    if has_large(value) or has_large(schema):
        return
    wanted = jsonschema.Draft202012Validator(schema).is_valid(value)
    assert stanchion.Validator(schema).is_valid(value) == wanted
    shaped = stanchion.jsonschema.Draft202012Validator(schema)
    assert shaped.is_valid(value) == wanted
    assert (not list(shaped.iter_errors(value))) == wanted


@pytest.mark.parametrize("junk", [object(), {1}, b"", 1j, float("nan")])
@lenient
@given(values, st.randoms())
def test_junk_anywhere_is_refused(junk, value, random):
    def bury(value):
        if isinstance(value, list) and value and random.random() < 0.8:
            at = random.randrange(len(value))
            value[at], steps = bury(value[at])
            return value, (at, *steps)
        if isinstance(value, dict) and value and random.random() < 0.8:
            at = random.choice(list(value))
            value[at], steps = bury(value[at])
            return value, (at, *steps)
        return junk, ()

    value, path = bury(value)
    with pytest.raises(stanchion.InstanceError) as raised:
        stanchion.Validator(True).is_valid(value)
    assert raised.value.path == path
