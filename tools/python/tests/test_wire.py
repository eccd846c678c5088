"""The cases of the wire contract, through the contract itself and through the methods of Validator."""

import json

import pytest

import stanchion
from stanchion import _stanchion
from stanchion.mcp import Toolbox
from conftest import ROOT

STATUSES = ["valid", "invalid", "refused", "undecided", "not_json", "misuse"]
FORMATS = ["flag", "basic", "detailed", "verbose", "list", "hierarchical"]

# This binding keeps all digits of a schema's numbers, where the contract shows the float next to them.
EXACT = ["a number of many digits"]

FILES = sorted((ROOT / "suite" / "data" / "wire").glob("*.json"))


def cases(path, of="schema"):
    """The cases of validators, or those of tools."""
    return [case for case in json.loads(path.read_text()) if of in case or f"{of}Text" in case]


def text_of(case, name):
    if f"{name}Text" in case:
        return case[f"{name}Text"].encode()
    return json.dumps(case[name]).encode() if name in case else b""


def instance_of(call):
    if "text" in call:
        return call["text"].encode()
    return json.dumps(call["json"]).encode() if "json" in call else b""


def has(answer, wanted):
    return all(name in answer and answer[name] == value for name, value in wanted.items())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_contract(path):
    for case in cases(path):
        schema, options = text_of(case, "schema"), text_of(case, "options")
        status, answer = _stanchion.wire("new", schema, options, b"", (0, 0))
        assert STATUSES[status] == case["status"], case["description"]
        if "problem" in case:
            assert json.loads(bytes(answer)) == case["problem"]
        for call in case.get("calls", ()):
            if call["call"] not in ("check", "measure", "explain", "explain_first", "explain_in_full", "for_model",
                                    "output", "annotations", "cost", "size", "program", "diagnose"):  # fmt: skip
                continue
            numbers = (call.get("maxChars", call.get("nodes", 0)), call.get("bytes", 0))
            if call["call"] == "output":
                form = call["format"]
                numbers = (form if isinstance(form, int) else FORMATS.index(form), 0)
            status, answer = _stanchion.wire(call["call"], schema, options, instance_of(call), numbers)
            answer = bytes(answer)
            assert STATUSES[status] == call["status"], (case["description"], call)
            if "answer" in call and case["description"] not in EXACT:
                assert json.loads(answer) == call["answer"], (case["description"], call)
            if "answerText" in call:
                assert answer.decode() == call["answerText"]
            if "answerHas" in call:
                assert has(json.loads(answer), call["answerHas"])


def usual(facts):
    return {name: facts[name] for name in ("instancePath", "schemaPath", "keyword", "params", "message")}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_methods(path):
    """The same answers from the methods, in place and by text. An option that Validator does not name goes by ``options``."""
    count = 0
    for case in cases(path):
        if case["status"] != "valid" or "optionsText" in case or "schemaText" in case:
            continue
        options = {name: value for name, value in case.get("options", {}).items() if name not in ("cache",)}
        validator = stanchion.Validator(case["schema"], options=options)
        for call in case.get("calls", ()):
            if "json" not in call or call["status"] in ("not_json", "misuse"):
                continue
            instance, text = call["json"], json.dumps(call["json"])
            if call["call"] == "check":
                assert validator.verdict(instance) == validator.verdict_json(text) == call["status"]
            elif call["call"] == "explain" and call["status"] == "invalid":
                wanted = [error for error in call["answer"] if error["keyword"]]
                found = [usual(error.facts) for error in validator.iter_errors(instance)]
                assert found == [usual(error.facts) for error in validator.iter_errors_json(text)]
                assert found == wanted
            elif call["call"] == "for_model" and "answerText" in call:
                assert validator.for_model(instance, call["maxChars"]) == call["answerText"]
                assert validator.for_model_json(text, call["maxChars"]) == call["answerText"]
            else:
                continue
            count += 1
    assert count or path.stem in ("refused", "misuse")


def called(toolbox, call):
    """The answer of a call of the contract by the methods of Toolbox; None where no method can be given what the call has."""
    name, version = call["call"].removeprefix("toolbox_"), call.get("version", "")
    result = call.get("resultText", call.get("result"))
    if name in ("check_call", "fill_call"):
        params = call.get("params")
        if params is None:
            try:
                params = json.loads(call["paramsText"])
            except ValueError:
                return None  # The name of a tool is an argument, and not a part of a text.
        answer = getattr(toolbox, name)(params["name"], params.get("arguments"), protocol_version=version)
        return answer if name == "fill_call" else {"name": params["name"]}
    if name == "send_result":
        return toolbox.send_result(call["name"], result, protocol_version=version)
    if name == "check_result":
        return toolbox.receive_result(call["name"], result, protocol_version=version)
    if name == "definition":
        named = [tool for tool in toolbox.definitions(protocol_version=version) if tool["name"] == call["name"]]
        return named[0] if named else {"status": "misuse"}
    if name == "list":
        return {"tools": toolbox.definitions(protocol_version=version)}
    if name in ("replace", "extend"):
        return getattr(toolbox, name)(call.get("toolsText", call.get("tools")))
    assert name == "profile", name
    return None  # It was given by the caller.


def test_tools():
    counts = {}
    for case in cases(ROOT / "suite" / "data" / "wire" / "mcp.json", of="tools"):
        if "profileText" in case:
            continue  # A profile is a dict.
        if case["status"] != "valid":
            with pytest.raises((stanchion.OptionError, stanchion.ToolError)) as raised:
                Toolbox(case["tools"], profile=case.get("profile"))
            assert case["problem"]["message"].partition(": ")[2] in str(raised.value)
            continue
        toolbox = Toolbox(profile=case.get("profile"))
        loaded = toolbox.replace(case["tools"])
        assert loaded == case.get("loaded", loaded)
        for call in case["calls"]:
            status = call["status"]
            try:
                answer = called(toolbox, call)
            except stanchion.ToolError as error:
                assert status in ("invalid", "undecided", "not_json", "misuse"), (call, error)
                # The contract calls a tool that is not there a misuse; here it is a kind of failure like others.
                kind = call["answerHas"]["kind"] if status != "misuse" else "malformed"
                assert error.kind == kind, call
            else:
                if answer is None:
                    continue
                if answer != {"status": "misuse"}:
                    assert status == "valid", (call, answer)
                if "answer" in call:
                    assert answer == call["answer"], call
                if "answerText" in call:
                    assert answer == json.loads(call["answerText"]), call
                if "answerHas" in call and call["call"] != "toolbox_list":
                    assert has(answer, call["answerHas"]), (call, answer)
            counts[call["call"]] = counts.get(call["call"], 0) + 1
    assert set(counts) == {
        f"toolbox_{name}" for name in ("check_call", "fill_call", "send_result", "check_result", "definition", "list", "extend", "replace")
    }  # fmt: skip
    assert sum(counts.values()) >= 25
