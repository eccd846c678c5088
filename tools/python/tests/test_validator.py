"""The class Validator, and what is around it."""

import copy
import doctest
import gc
import json
import pickle
import sys
import threading
import weakref

import pytest

import stanchion
from stanchion import Cache, Validator

TRIP = {
    "type": "object",
    "properties": {
        "city": {"type": "string"},
        "days": {"type": "integer", "minimum": 1},
        "stops": {"type": "array", "items": {"type": "object", "required": ["name"]}},
    },
    "required": ["city"],
    "additionalProperties": False,
}


def test_verdicts():
    validator = Validator(TRIP)
    assert validator.is_valid({"city": "Turin", "days": 3})
    assert not validator.is_valid({"city": "Turin", "days": 0})
    assert validator.verdict({"city": "Turin"}) == "valid"
    assert validator.verdict([]) == "invalid"
    assert validator.validate({"city": "Turin"}) is None


@pytest.mark.parametrize("schema", [TRIP, json.dumps(TRIP), json.dumps(TRIP).encode()])
def test_schemas_are_objects_or_text(schema):
    assert Validator(schema).is_valid({"city": "Turin"})
    assert Validator(schema).schema == TRIP


def test_boolean_schemas():
    assert Validator(True).is_valid(None)
    assert not Validator(False).is_valid(None)


def test_error():
    with pytest.raises(stanchion.ValidationError) as raised:
        Validator(TRIP).validate({"city": "Turin", "stops": [{"name": "a"}, {}]})
    error = raised.value
    assert error.message == 'missing required property "name"'
    assert str(error) == '/stops/1: missing required property "name"'
    assert error.path == ("stops", 1)
    assert error.pointer == "/stops/1"
    assert error.schema_path == ("properties", "stops", "items", "required")
    assert (error.keyword, error.kind) == ("required", "required")
    assert error.params == {"missingProperty": "name", "missing": ["name"]}
    assert error.for_model().startswith(str(error))
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is stanchion.ValidationError
    assert (str(again), again.path, again.params, again.for_model()) == (str(error), error.path, error.params, error.for_model())


def test_a_step_of_digits_is_an_index_only_in_an_array():
    schema = {"additionalProperties": {"items": {"maximum": 1}, "properties": {"0": {"maximum": 1}}}}
    validator = Validator(schema)
    paths = sorted((error.path for error in validator.iter_errors({"0": {"0": 2}, "1": [2], "a/b~": [0, 2]})), key=str)
    assert paths == [("0", "0"), ("1", 0), ("a/b~", 1)]
    [error] = Validator({"properties": {"0": {"anyOf": [{"type": "string"}]}}}).iter_errors({"0": 1})
    assert error.schema_path[:2] == ("properties", "0")


def test_all_errors_are_bounded():
    schema = {"items": {"type": "string"}}
    assert len(list(Validator(schema).iter_errors([1] * 500))) == 100
    assert len(list(Validator(schema, limits={"errors": 3}).iter_errors([1] * 500))) == 3


def test_undecided():
    validator = Validator({"items": {"type": "string"}}, limits={"steps": 10})
    many = ["x"] * 10_000
    assert validator.verdict(many) == "undecided"
    assert not validator.is_valid(many)
    with pytest.raises(stanchion.UndecidedError, match="budget of steps"):
        validator.validate(many)


def test_refused_schemas():
    with pytest.raises(stanchion.SchemaError) as raised:
        Validator({"properties": {"a": {"type": "objetc"}}})
    assert raised.value.path == ("properties", "a", "type")
    assert 'did you mean "object"?' in str(raised.value)
    with pytest.raises(stanchion.SchemaError) as raised:
        Validator('{"type": ')
    assert (raised.value.line, raised.value.column) == (1, 9)
    with pytest.raises(stanchion.SchemaError, match="leaves the document"):
        Validator({"$ref": "http://169.254.169.254/"})
    with pytest.raises(stanchion.InstanceError):
        Validator({"const": {1, 2}})


def test_options():
    with pytest.raises(stanchion.OptionError, match='did you mean "steps"'):
        Validator({}, limits={"stepz": 1})
    with pytest.raises(stanchion.OptionError, match="dialect"):
        Validator({}, dialect="draft-03")
    with pytest.raises(TypeError, match="unexpected keyword argument"):
        Validator({}, dialct="draft-07")
    with pytest.raises(stanchion.OptionError, match="preset"):
        Validator({}, preset="perl")
    assert Validator({}, preset="typescript").is_valid(1)
    assert not Validator({"items": [{"type": "string"}]}, dialect="draft-07").is_valid([1])
    assert not Validator({"format": "date"}, assert_formats=True).is_valid("tomorrow")
    assert not Validator({"format": "date"}, preset="typescript").is_valid("tomorrow")
    assert Validator({"format": "date"}).is_valid("tomorrow")
    validator = Validator({"$ref": "urn:x"}, resources={"urn:x": {"type": "string"}})
    assert validator.is_valid("a") and not validator.is_valid(1)


def test_formats_of_ones_own():
    calls = []

    def is_currency(text):
        calls.append(text)
        if text == "?":
            raise KeyError(text)
        return len(text) == 3

    validator = Validator({"format": "currency"}, assert_formats=True, formats={"currency": is_currency})
    assert validator.is_valid("EUR") and not validator.is_valid("EURO")
    assert validator.is_valid_json('"EUR"')
    assert calls[:2] == ["EUR", "EURO"]
    with pytest.raises(KeyError):
        validator.is_valid("?")
    assert validator.is_valid("EUR")
    with pytest.raises(TypeError):
        Validator({}, formats={"currency": 3})


def test_text():
    validator = Validator(TRIP)
    for text in ['{"city": "Turin"}', b'{"city": "Turin"}', bytearray(b'{"city": "Turin"}'), memoryview(b'{"city": "Turin"}')]:
        assert validator.is_valid_json(text)
        assert validator.verdict_json(text) == "valid"
        assert validator.validate_json(text) is None
        assert list(validator.iter_errors_json(text)) == []
        assert validator.evaluate_json(text).valid
    with pytest.raises(stanchion.ValidationError, match="/days"):
        validator.validate_json('{"city": "Turin", "days": 0}')
    with pytest.raises(stanchion.NotJSONError) as raised:
        validator.is_valid_json('{"city":\n Turin}')
    assert (raised.value.line, raised.value.column) == (2, 2)
    for wrong in (b"\xff", "\ud800"):
        with pytest.raises(stanchion.NotJSONError):
            validator.is_valid_json(wrong)
    for wrong in (3, None, ["{}"], {}):
        with pytest.raises(TypeError, match="str or bytes"):
            validator.is_valid_json(wrong)


def test_evaluate():
    evaluation = Validator({"title": "a", "properties": {"b": {"maximum": 1}}}).evaluate({"b": 1})
    assert evaluation.valid and evaluation.verdict == "valid"
    assert {"title", "properties"} == {annotation["keyword"] for annotation in evaluation.annotations}
    assert evaluation.output("flag") == {"valid": True}
    assert evaluation.errors() == []
    evaluation = Validator({"properties": {"b": {"maximum": 1}}}).evaluate({"b": 2})
    assert [error.path for error in evaluation.errors()] == [("b",)]
    assert evaluation.output("basic")["valid"] is False
    with pytest.raises(ValueError, match="hierarchical"):
        evaluation.output("full")


def test_copies_and_pickles():
    validator = Validator({**TRIP, "examples": [10**30]}, limits={"errors": 2}, dialect="draft-07")
    assert copy.copy(validator) is validator and copy.deepcopy(validator) is validator
    again = pickle.loads(pickle.dumps(validator))
    assert again.schema == validator.schema and again.options == validator.options
    assert len(list(again.iter_errors({"a": 1, "b": 2, "c": 3}))) == 2
    assert weakref.ref(validator)() is validator


def test_cache():
    cache = Cache(entries=2, assert_formats=True)
    one = {"$id": "urn:x", "format": "date"}
    other = {"$id": "urn:x", "type": "string"}
    assert not cache.get(one).is_valid("tomorrow")
    assert cache.get(other).is_valid("tomorrow")
    assert len(cache) == 2
    cache.get({"type": "null"})
    assert len(cache) == 2
    cache.clear()
    assert len(cache) == 0
    with pytest.raises(stanchion.SchemaError):
        cache.get({"type": 3})


def test_threads():
    validator = Validator(TRIP)
    big = {"city": "Turin", "stops": [{"name": str(number)} for number in range(5_000)]}
    text = json.dumps(big)
    wrong = []

    def run():
        for _ in range(20):
            if not (validator.is_valid(big) and validator.is_valid_json(text) and not validator.is_valid({"city": 1})):
                wrong.append(1)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_nothing_leaks():
    validator = Validator(TRIP)
    good = {"city": "Turin", "days": 3, "stops": [{"name": "a"}]}
    key = "a key that is no other's"
    bad = {"city": "Turin", "stops": [{}], key: (1, 2)}
    unreadable = {"city": [{"x": {1}}], key: 1}

    def run():
        for _ in range(200):
            validator.is_valid(good)
            for error in validator.iter_errors(bad):
                error.facts, error.path, str(error)
            validator.evaluate(bad).output("verbose")
            try:
                validator.is_valid(unreadable)
            except stanchion.InstanceError:
                pass
            try:
                validator.validate_json('{"city": 1}')
            except stanchion.ValidationError:
                pass
            Validator(TRIP)

    run()
    counts = sys.getrefcount(key), sys.getrefcount(good["stops"]), sys.getrefcount(bad["stops"][0]), sys.getrefcount(validator)
    gc.collect()
    before = len(gc.get_objects())
    for _ in range(3):
        run()
    gc.collect()
    assert len(gc.get_objects()) - before < 50
    assert counts == (sys.getrefcount(key), sys.getrefcount(good["stops"]), sys.getrefcount(bad["stops"][0]), sys.getrefcount(validator))


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_does_not_grow():
    validator = Validator({"items": {"type": "string"}})
    many = ["x" * 50] * 20_000

    def run(times):
        for _ in range(times):
            validator.is_valid(many)
            list(validator.iter_errors([1, 2, 3]))
            Validator({"properties": {str(number): {"pattern": "^a+$"} for number in range(50)}}).is_valid({"1": "aa"})

    run(50)
    before = resident()
    run(300)
    assert resident() - before < 8 << 20


def test_help():
    assert "Raises InstanceError" in Validator.is_valid.__doc__
    assert "preset" in Validator.__doc__
    for name in dir(Validator):
        if not name.startswith("_"):
            assert getattr(Validator, name).__doc__, name


def test_examples():
    import stanchion.jsonschema

    for module in (stanchion, stanchion.jsonschema):
        failed, attempted = doctest.testmod(module, optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL)
        assert attempted and not failed
