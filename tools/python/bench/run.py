"""Stanchion beside other validators for Python, in one process.

    python bench/run.py [--corpus FOLDER] [--tools FILE] [--rounds N] [--json FILE]

FOLDER has a folder for each set, with `schema.json` and `instances.jsonl`, one instance a line; sets of the public benchmark of JSON Schema validators are laid out
so. FILE has a tool a line, with `inputSchema`. Without them, only the built-in tool call is measured. Those of corvus-json-schema-rs, jsonschema-rs,
fastjsonschema and jsonschema that are installed are peers.

Each figure is the least processor time of all rounds; peers take turns within a round, so that all see the same machine. Verdicts are compared first, and formats
are annotations for everybody.
"""

import argparse
import importlib
import json
import math
import pathlib
import subprocess
import sys
import time

CALL = {
    "schema": {
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 1},
            "days": {"type": "integer", "minimum": 1, "maximum": 14},
            "unit": {"enum": ["celsius", "fahrenheit"]},
            "tags": {"type": "array", "items": {"type": "string"}},
        },
        "required": ["city"],
        "additionalProperties": False,
    },
    "instances": [{"city": "Turin", "days": 3, "unit": "celsius", "tags": ["work", "rail", "a longer tag of words"]}],
}


def peers():
    """A function from a schema to a function from an instance to a bool, for each validator."""
    import stanchion

    found = {"stanchion": lambda schema: stanchion.Validator(schema, references="bundled").is_valid}
    try:
        corvus = importlib.import_module("corvus_json_schema_rs")
        found["corvus"] = lambda schema: corvus.compile(schema, assert_format=False).is_valid
    except ImportError:
        pass
    try:
        rust = importlib.import_module("jsonschema_rs")
        found["jsonschema-rs"] = lambda schema: rust.validator_for(schema, validate_formats=False).is_valid
    except ImportError:
        pass
    try:
        fast = importlib.import_module("fastjsonschema")

        def compile_fast(schema):
            validate = fast.compile(schema, use_formats=False)

            def is_valid(instance):
                try:
                    validate(instance)
                except fast.JsonSchemaValueException:
                    return False
                return True

            return is_valid

        found["fastjsonschema"] = compile_fast
    except ImportError:
        pass
    try:
        plain = importlib.import_module("jsonschema")
        found["jsonschema"] = lambda schema: plain.validators.validator_for(schema, default=plain.Draft202012Validator)(schema).is_valid
    except ImportError:
        pass
    return found


def clock(work, least=0.004):
    """Seconds of processor time for one run of the work."""
    times = 1
    while True:
        start = time.thread_time()
        for _ in range(times):
            work()
        spent = time.thread_time() - start
        if spent >= least:
            return spent / times
        times = max(times * 2, int(times * least / max(spent, 1e-9)) + 1)


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def sets(corpus):
    yield "tool_call", CALL["schema"], CALL["instances"]
    for folder in sorted(pathlib.Path(corpus).iterdir()) if corpus else ():
        if (folder / "schema.json").exists():
            lines = (folder / "instances.jsonl").read_text().splitlines()
            yield folder.name, json.loads((folder / "schema.json").read_text()), [json.loads(line) for line in lines if line.strip()]


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--corpus")
    arguments.add_argument("--tools")
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--slow", action="store_true", help="also measure those in pure Python")
    arguments.add_argument("--json")
    given = arguments.parse_args()
    makers = peers()
    if not given.slow:
        makers = {name: make for name, make in makers.items() if name in ("stanchion", "corvus", "jsonschema-rs")}
    figures = {"in place": {}, "compile": {}}
    for name, schema, instances in sets(given.corpus):
        ready = {}
        for peer, make in makers.items():
            try:
                ready[peer] = make(schema)
                answers = [ready[peer](instance) for instance in instances]
            except Exception as error:
                print(f"{name}: {peer} does not take it: {type(error).__name__}: {str(error)[:80]}", file=sys.stderr)
                ready.pop(peer, None)
                continue
            if peer == "stanchion":
                wanted = answers
            elif answers != wanted:
                print(f"{name}: {peer} has other verdicts on {sum(a != b for a, b in zip(answers, wanted))} instances", file=sys.stderr)
                ready.pop(peer)

        def run(is_valid):
            def work():
                for instance in instances:
                    is_valid(instance)

            return work

        best, compiled = {}, {}
        for _ in range(given.rounds):
            for peer, is_valid in ready.items():
                best[peer] = min(best.get(peer, math.inf), clock(run(is_valid)))
                compiled[peer] = min(compiled.get(peer, math.inf), clock(lambda: makers[peer](schema)))
        figures["in place"][name] = best
        figures["compile"][name] = compiled
        row = "  ".join(f"{peer} {best[peer] / len(instances) * 1e6:9.3f} µs ({compiled[peer] * 1e6:8.1f})" for peer in ready)
        print(f"{name:24} {len(instances):5} instances  {row}", flush=True)
    if given.tools:
        tools = [json.loads(line)["inputSchema"] for line in open(given.tools) if line.strip()]
        figures["compile"].update(compile_tools(makers, tools, given.rounds))
    for stage, rows in figures.items():
        for peer in makers:
            ratios = [row[peer] / row["stanchion"] for row in rows.values() if peer in row and "stanchion" in row]
            if peer != "stanchion" and ratios:
                print(f"{stage}: {peer} takes {mean(ratios):.2f} times as long, in the geometric mean of {len(ratios)} sets")
    print(f"import: {importing():.1f} ms")
    if given.json:
        pathlib.Path(given.json).write_text(json.dumps(figures, indent=1))


def compile_tools(makers, tools, rounds):
    """What it takes to compile all tools, of those that everybody takes."""

    def takes(make, schema):
        try:
            make(schema)
        except Exception:
            return False
        return True

    tools = [schema for schema in tools if all(takes(make, schema) for make in makers.values())]
    best = {}
    for _ in range(rounds if tools else 0):
        for peer, make in makers.items():
            spent = clock(lambda: [make(schema) for schema in tools])
            best[peer] = min(best.get(peer, math.inf), spent)
    print(f"{len(tools)} MCP tools, compile: " + "  ".join(f"{peer} {spent / len(tools) * 1e6:.1f} µs" for peer, spent in best.items()))
    return {"MCP tools": best}


def importing(tries=15):
    """Milliseconds to import the package, beyond what Python takes by itself."""

    def spent(code):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-S", "-c", code], check=True)
        return time.perf_counter() - start

    folder = str(pathlib.Path(importlib.import_module("stanchion").__file__).parent.parent)
    alone = min(spent("import sys") for _ in range(tries))
    return (min(spent(f"import sys; sys.path.append({folder!r}); import stanchion") for _ in range(tries)) - alone) * 1000


if __name__ == "__main__":
    main()
