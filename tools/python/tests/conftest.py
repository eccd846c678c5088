"""Where the cases are."""

import json
import pathlib
import re
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]

DIALECTS = {
    "draft4": "draft-04",
    "draft6": "draft-06",
    "draft7": "draft-07",
    "draft2019-09": "2019-09",
    "draft2020-12": "2020-12",
}


def official_suite():
    """The official suite lies inside a package that suite/official pins. Cargo fetches it if it is not there."""
    manifest = ROOT / "suite" / "official" / "Cargo.toml"
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", str(manifest)]
    metadata = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    for package in metadata["packages"]:
        if package["name"] == "jsonschema":
            return pathlib.Path(package["manifest_path"]).parent / "tests" / "suite"
    raise LookupError("suite/official names no package with the suite")


@pytest.fixture(scope="session")
def official():
    return official_suite()


@pytest.fixture(scope="session")
def remotes(official):
    """The remote schemas by URI. Those of other dialects than ours declare what nobody knows."""
    folder = official / "remotes"
    found = {}
    for path in sorted(folder.rglob("*.json")):
        name = path.relative_to(folder).as_posix()
        if name.startswith(("draft3/", "v1/", "draft-next/")):
            continue
        found[f"http://localhost:1234/{name}"] = json.loads(path.read_text())
    return found


def summary(errors):
    """What errors say. Text shows a number as it is written, 1e+16, and a Python float has no text: it is shown as 1e16."""

    def plain(message):
        return re.sub(r"(?<=\d)e\+?(-?)0*(?=\d)", r"e\1", message)

    return [(error.path, error.schema_pointer, error.kind, plain(error.message)) for error in errors]
