"""How Python objects are read."""

import collections
import dataclasses
import decimal
import enum
import sys
import types
import typing

import pytest

import stanchion
from stanchion import Validator



def equals(instance, value):
    """Whether an object is read as a value of the json module."""
    return Validator({"const": value}).is_valid(instance)


class Color(enum.Enum):
    RED = "red"
    NESTED = {"a": [1]}


class Word(str, enum.Enum):
    ONE = "one"


class Level(enum.IntEnum):
    HIGH = 3


class Text(str):
    def __str__(self):
        raise AssertionError("what it holds counts")

    __repr__ = __iter__ = __str__


class Whole(int):
    def __repr__(self):
        raise AssertionError("what it holds counts")

    __str__ = __int__ = __index__ = __repr__


class Loud(dict):
    def items(self):
        raise AssertionError("what it holds counts")

    keys = __iter__ = __getitem__ = items


class Row(typing.NamedTuple):
    a: int
    b: str


@dataclasses.dataclass
class Point:
    x: int
    label: "str | None" = None
    inner: list = dataclasses.field(default_factory=list)
    shared: typing.ClassVar[int] = 7


class Lazy(collections.abc.Mapping):
    def __init__(self, data):
        self.data = data

    def __getitem__(self, key):
        return self.data[key]

    def __iter__(self):
        return iter(self.data)

    def __len__(self):
        return len(self.data)


@pytest.mark.parametrize(
    "instance, value",
    [
        (None, None),
        (True, True),
        (0, 0),
        (-1, -1),
        (2**63 - 1, 2**63 - 1),
        (2**63, 2**63),
        (2**64 - 1, 2**64 - 1),
        (2**64, 2**64),
        (-(2**63), -(2**63)),
        (-(2**63) - 1, -(2**63) - 1),
        (10**400 + 1, 10**400 + 1),
        (1.5, 1.5),
        (-0.0, 0),
        (1e308, 1e308),
        (5e-324, 5e-324),
        ("", ""),
        ("\0é\U0001f600", "\0é\U0001f600"),
        ((1, (2,)), [1, [2]]),
        (Row(1, "x"), [1, "x"]),
        (Color.RED, "red"),
        (Color.NESTED, {"a": [1]}),
        (Word.ONE, "one"),
        ({Word.ONE: Level.HIGH}, {"one": 3}),
        (Text("abc"), "abc"),
        ({Text("abc"): 1}, {"abc": 1}),
        (Whole(10**30), 10**30),
        (Whole(7), 7),
        (Loud(a=1), {"a": 1}),
        (collections.OrderedDict(a=1), {"a": 1}),
        (collections.defaultdict(list, a=[1]), {"a": [1]}),
        (collections.Counter("aab"), {"a": 2, "b": 1}),
        (types.MappingProxyType({"a": 1}), {"a": 1}),
        (collections.ChainMap({"a": 1}, {"b": 2}), {"a": 1, "b": 2}),
        (Lazy({"a": (1,)}), {"a": [1]}),
        (Point(1, "p", [Point(2)]), {"x": 1, "label": "p", "inner": [{"x": 2, "label": None, "inner": []}]}),
        (decimal.Decimal("1.10"), 1.1),
        (decimal.Decimal("1E+2"), 100),
        (decimal.Decimal(10) ** 30, 10**30),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_is_read(instance, value):
    assert equals(instance, value)
    assert equals([instance, {"a": instance}], [value, {"a": value}])
    assert not equals([instance], [value, value])


def test_numbers_are_exact():
    assert not equals(10**30, 10**30 + 1)
    assert not equals(2**53, 2**53 + 1)
    assert not equals(10**400, 10**400 + 1)
    assert not equals(decimal.Decimal("0.1000000000000000000000001"), 0.1)
    assert Validator({"multipleOf": 0.0001}).is_valid(0.0075)
    assert Validator({"type": "integer"}).is_valid(1.0)
    assert not Validator({"type": "integer"}, dialect="draft-04").is_valid(1.0)
    assert not Validator({"type": "integer"}, dialect="draft-04").is_valid(1e300)
    assert Validator({"type": "integer"}, dialect="draft-04").is_valid(10**300)
    assert not Validator({"type": "integer"}).is_valid(True)
    assert not equals(True, 1) and not equals(1, True)


def cycle():
    one, other = [], {}
    one.append(other)
    other["back"] = one
    return one


def deep(levels):
    value = 1
    for _ in range(levels):
        value = [value]
    return value


@pytest.mark.parametrize(
    "instance, path, message",
    [
        (float("nan"), (), "NaN"),
        ([1, {"a": float("inf")}], (1, "a"), "NaN and infinities"),
        ({"a": {1: 2}}, ("a",), "the key 1 is of type int"),
        ({"a": {None: 2}}, ("a",), "NoneType"),
        ({"a": {b"b": 2}}, ("a",), "bytes"),
        ({"a": [{1, 2}]}, ("a", 0), r"type set .* list\("),
        ([b"x"], (0,), r"\.decode\(\)"),
        ([complex(1, 2)], (0,), "complex"),
        (["\ud800"], (0,), "lone surrogate"),
        ({"\udfff": 1}, (), "lone surrogate"),
        (deep(128), (0,) * 127, "more than 127 levels"),
        (cycle(), (0, "back") * 4, "contains itself"),
        ([decimal.Decimal("NaN")], (0,), "NaN"),
        ([decimal.Decimal("-Infinity")], (0,), "Infinity"),
        ([Point(1, inner=[object()])], (0, "inner", 0), "type object"),
        (Lazy({"a": Lazy({2: 3})}), ("a",), "the key 2"),
        (int, (), "type type"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_what_is_none_that_json_has(instance, path, message):
    validator = Validator(True)
    with pytest.raises(stanchion.InstanceError, match=message) as raised:
        validator.is_valid(instance)
    assert raised.value.path == path
    for door in (validator.verdict, validator.validate, validator.iter_errors, validator.evaluate, validator.for_model):
        with pytest.raises(stanchion.InstanceError, match=message):
            door(instance)
    assert validator.is_valid([1, 2])


def test_as_deep_as_text():
    assert Validator(True).is_valid(deep(127))
    assert Validator(True).is_valid_json("[" * 127 + "]" * 127)


def test_integers_that_python_does_not_write():
    assert sys.get_int_max_str_digits() == 4300
    with pytest.raises(stanchion.InstanceError, match="set_int_max_str_digits"):
        Validator(True).is_valid([10**5000])
    sys.set_int_max_str_digits(6000)
    try:
        assert equals(10**5000, 10**5000)
    finally:
        sys.set_int_max_str_digits(4300)


def test_few_objects_that_make_many():
    laughs = ["x"]
    for _ in range(60):
        laughs = [laughs, laughs]
    with pytest.raises(stanchion.InstanceError, match="more than 16777216 values"):
        Validator(True).is_valid(laughs)
    with pytest.raises(stanchion.InstanceError, match="bytes of text"):
        Validator(True).is_valid(["x" * (1 << 20)] * 300)


class Raising(collections.abc.Mapping):
    def __getitem__(self, key):
        raise LookupError("gone")

    def __iter__(self):
        return iter(["a"])

    def __len__(self):
        return 1


def test_objects_that_raise():
    validator = Validator(True)
    with pytest.raises(LookupError, match="gone"):
        validator.is_valid([Raising()])
    assert validator.is_valid([1])

    class Interrupted(enum.Enum):
        A = 1

        @property
        def value(self):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        validator.is_valid([Interrupted.A])


class Meddling(collections.abc.Mapping):
    """Runs code while it is read."""

    def __init__(self, meddle):
        self.meddle = meddle

    def __getitem__(self, key):
        return 1

    def __iter__(self):
        self.meddle()
        return iter(["a"])

    def __len__(self):
        return 1


def test_objects_that_change_while_they_are_read():
    validator = Validator({"additionalProperties": True})
    outer = {f"key {number}": [number] for number in range(50)}
    outer["inner"] = {"list": [Meddling(outer.clear), "x" * 100]}
    with pytest.raises(RuntimeError, match="changed its size"):
        validator.is_valid(outer)

    items = [[Meddling(lambda: items.clear())], ["x"] * 5, "y"]
    with pytest.raises(RuntimeError, match="changed its size"):
        validator.is_valid(items)

    # What is replaced by something as large goes unnoticed, and does no harm.
    same = {"a": Meddling(lambda: same.update(b=["other"] * 9)), "b": ["first"]}
    assert validator.is_valid(same)

    growing = {"a": Meddling(lambda: growing.update({str(number): number for number in range(1000)}))}
    with pytest.raises(RuntimeError, match="changed its size"):
        validator.is_valid(growing)


def test_validating_while_an_object_is_read():
    validator = Validator({"type": "array"})
    answers = []

    class Curious(Meddling):
        def __init__(self):
            super().__init__(lambda: answers.append(validator.is_valid([1, [2]])))

    assert validator.is_valid([1, Curious(), {"a": [Curious()]}])
    assert answers == [True, True]


def test_the_last_of_a_name_counts():
    class Other(str):
        def __eq__(self, other):
            return self is other

        def __hash__(self):
            return id(self)

    twice = {Other("a"): 1, Other("a"): 2, "b": 3}
    assert len(twice) == 3
    assert equals(twice, {"a": 2, "b": 3})


def test_an_enum_of_enums_ends():
    class Endless(enum.Enum):
        A = 1

        @property
        def value(self):
            return self

    with pytest.raises(stanchion.InstanceError, match="enum itself"):
        Validator(True).is_valid(Endless.A)
