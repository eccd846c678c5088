"""The official suite, through Python objects and through text."""

import json

import pytest

import stanchion
from conftest import DIALECTS, summary


def sections(folder):
    """Files, and whether formats are asserted in them."""
    for path in sorted(folder.glob("*.json")):
        yield path, False
    for path in sorted((folder / "optional").glob("*.json")):
        yield path, False
    for path in sorted((folder / "optional" / "format").glob("*.json")):
        yield path, True


@pytest.mark.parametrize("folder", DIALECTS)
def test_official(folder, official, remotes):
    count = 0
    failures = []
    for path, assert_formats in sections(official / "tests" / folder):
        for group in json.loads(path.read_text()):
            validator = stanchion.Validator(
                group["schema"],
                dialect=DIALECTS[folder],
                resources=remotes,
                assert_formats=assert_formats,
            )
            for test in group["tests"]:
                data = test["data"]
                text = json.dumps(data)
                want = "valid" if test["valid"] else "invalid"
                objects = validator.verdict(data)
                texts = validator.verdict_json(text.encode())
                if (objects, texts) != (want, want):
                    failures.append((path.name, group["description"], test["description"], objects, texts))
                # Errors agree with the verdict and with each other.
                in_place = summary(validator.iter_errors(data))
                of_text = summary(validator.iter_errors_json(text))
                assert in_place == of_text, (path.name, group["description"], test["description"])
                assert bool(in_place) != test["valid"]
                count += 1
    assert not failures
    assert count > 500
