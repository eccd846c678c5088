// The cases of the contract that all bindings share: suite/data/wire.
import { test } from "node:test";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { InstanceError, SchemaError, StanchionError, ValidationError, Validator } from "stanchion";
import { toolbox } from "stanchion/mcp";
import { parts } from "./lib/raw.mjs";

const folder = new URL("../../../suite/data/wire/", import.meta.url);

/** What each function of the contract is here, for text and for values. */
const CALLS = {
  check: (validator, text) => ({ status: statusOf(() => validator.verdictText(text)) }),
  explain: (validator, text) => ({ answer: validator.errorsText(text) }),
};
/** Functions that take values only. */
const VALUE_CALLS = {
  check: (validator, value) => ({ status: statusOf(() => validator.verdict(value)) }),
  explain: (validator, value) => ({ answer: validator.errors(value) }),
  explain_first: (validator, value) => ({ answer: [validator.firstError(value)].filter((error) => error !== undefined) }),
  explain_in_full: (validator, value) => ({ answer: validator.errorsInFull(value) }),
  for_model: (validator, value, { maxChars }) => ({ answerText: validator.forModel(value, maxChars) }),
  output: (validator, value, { format }) => ({ answer: validator.output(value, ["flag", "basic", "detailed", "verbose", "list", "hierarchical"][format] ?? format) }),
  annotations: (validator, value) => ({ answer: validator.annotations(value) }),
  measure: (validator, value) => ({ steps: validator.measure(value) }),
  cost: (validator, _, { nodes, bytes }) => ({ answer: validator.cost(nodes, bytes) }),
  size: (validator) => ({ answer: validator.size() }),
};

function statusOf(verdict) {
  try {
    return verdict();
  } catch (error) {
    assert.ok(error instanceof InstanceError, error);
    return "not_json";
  }
}

/** What each function of a toolbox is here. */
const TOOLBOX_CALLS = {
  toolbox_replace: (box, { tools }) => box.replace(tools),
  toolbox_extend: (box, { tools }) => box.extend(tools),
  toolbox_list: (box, { version }) => box.list(version),
  toolbox_definition: (box, { name, version }) => box.definitionFor(name, version),
  toolbox_check_call: (box, { params, paramsText, version }) => box.checkCall(params ?? JSON.parse(paramsText), version),
  toolbox_fill_call: (box, { params, paramsText, version }) => box.fillCall(params ?? JSON.parse(paramsText), version),
  toolbox_check_result: (box, { name, version, result, resultText }) => box.checkResult(name, version, result ?? JSON.parse(resultText)),
  toolbox_send_result: (box, { name, version, result, resultText }) => box.sendResult(name, version, result ?? JSON.parse(resultText)),
  toolbox_profile: (box) => box.profile(),
};

/** Functions of a toolbox that take text, and give it. */
const TOOLBOX_TEXT_CALLS = {
  toolbox_check_call: (box, { params, paramsText, version }) => box.checkCallText(paramsText ?? JSON.stringify(params), version),
  toolbox_fill_call: (box, { params, paramsText, version }) => box.fillCallText(paramsText ?? JSON.stringify(params), version),
  toolbox_check_result: (box, { name, version, result, resultText }) => box.checkResultText(name, version, resultText ?? JSON.stringify(result)),
  toolbox_send_result: (box, { name, version, result, resultText }) => box.sendResultText(name, version, resultText ?? JSON.stringify(result)),
};

/** Makes a call of a toolbox with text. */
function runText(box, call, run) {
  let found;
  try {
    found = run(box, call);
  } catch (error) {
    assert.equal(call.status, "misuse", error);
    assert.ok(error instanceof TypeError, error);
    return;
  }
  assert.equal(found.ok, call.status === "valid");
  if (found.ok && call.call === "toolbox_check_call") return;
  if (call.answerText) assert.equal(found.value, call.answerText);
  const answer = found.ok ? JSON.parse(found.value) : found.failure;
  if (call.answer) assert.deepEqual(answer, call.answer);
  for (const [name, value] of Object.entries(call.answerHas ?? {})) assert.deepEqual(answer[name], value);
}

/** Runs the calls of a toolbox. */
function runToolbox(one) {
  let box;
  try {
    box = toolbox(one.tools, one.profile);
  } catch (error) {
    assert.equal(one.status, error instanceof SchemaError ? "not_json" : "misuse", error);
    if (one.problem) assert.equal(error.message, one.problem.message);
    return;
  }
  assert.equal(one.status, "valid");
  if (one.loaded) assert.deepEqual(box.loaded, one.loaded);
  for (const call of one.calls) {
    calls++;
    if (TOOLBOX_TEXT_CALLS[call.call]) runText(box, call, TOOLBOX_TEXT_CALLS[call.call]);
    let found;
    try {
      found = TOOLBOX_CALLS[call.call](box, call);
    } catch (error) {
      // A text that is not JSON is no value, and is not passed.
      if (error instanceof SyntaxError && call.status === "not_json") continue;
      assert.ok(["misuse", "not_json"].includes(call.status), error);
      assert.ok(error instanceof (call.status === "misuse" ? TypeError : StanchionError), error);
      continue;
    }
    assert.notEqual(call.status, "misuse");
    if (found.ok === false) assert.notEqual(call.status, "valid");
    else assert.equal(call.status, "valid", JSON.stringify(found));
    let answer = found.ok === undefined ? found : found.ok ? found.value : found.failure;
    if (call.call === "toolbox_check_call" && found.ok) answer = { name: found.value };
    if (call.answer) assert.deepEqual(answer, call.answer);
    for (const [name, value] of Object.entries(call.answerHas ?? {})) assert.deepEqual(answer[name], value);
    // The mirror of a value has its numbers in JavaScript's spelling.
    if (call.answerText && isSame(call.resultText ?? "0")) assert.deepEqual(answer, JSON.parse(call.answerText));
  }
  box.dispose();
  assert.throws(() => box.list(""), /disposed/);
}

let calls = 0;
for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  const cases = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
  const raw = parts(readFileSync(new URL(file, folder), "utf8"));
  for (const [index, one] of cases.entries()) {
    // Options are an object here, so text that is not JSON cannot be passed.
    if (one.optionsText || one.profileText) continue;
    test(`${file}: ${one.description}`, () => {
      if (one.tools) return runToolbox(one);
      const rawCase = parts(raw[index]);
      const text = one.schemaText ?? rawCase.schema;
      const options = one.options;
      let validator;
      try {
        validator = Validator.fromText(text, options);
      } catch (error) {
        assert.ok(one.status === "misuse" ? error instanceof TypeError : error instanceof SchemaError, error);
        if (one.problem?.message) assert.equal(error.message, one.problem.message);
        if (one.problem?.errors && error instanceof SchemaError) assert.deepEqual(error.errors, one.problem.errors);
        for (const call of one.calls) {
          assert.equal(call.call, "diagnose");
          if (one.schema !== undefined) assert.deepEqual(Validator.diagnose(one.schema, options), call.answer);
        }
        calls++;
        return;
      }
      assert.equal("valid", one.status);
      const rawCalls = one.calls.length ? parts(rawCase.calls) : [];
      for (const [number, call] of one.calls.entries()) {
        calls++;
        if (call.call === "diagnose") {
          assert.deepEqual(Validator.diagnose(one.schema, options), call.answer);
          continue;
        }
        const rawText = call.text ?? parts(rawCalls[number]).json;
        if (rawText !== undefined && CALLS[call.call]) compare(CALLS[call.call](validator, rawText, call), call);
        // A value that JavaScript holds in another spelling is not the same instance.
        const hasValue = rawText === undefined || (isSame(rawText) && options?.textBytes === undefined);
        if (hasValue) compare(VALUE_CALLS[call.call](validator, rawText === undefined ? undefined : JSON.parse(rawText), call), call);
      }
      validator.dispose();
    });
  }
}

test("all calls were made", () => assert.ok(calls > 100, `only ${calls}`));

/** Whether a text is what `JSON.stringify` makes of its value, white space aside. */
function isSame(text) {
  try {
    return JSON.stringify(JSON.parse(text)) === text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, "$1");
  } catch {
    return false;
  }
}

function compare(found, call) {
  if (found.status !== undefined) assert.equal(found.status, call.status);
  if (found.steps !== undefined) assert.equal(found.steps, call.steps);
  if (call.answer !== undefined) assert.deepEqual(found.answer, call.answer);
  if (call.answerText !== undefined) assert.equal(found.answerText, call.answerText);
  if (call.answerHas !== undefined) for (const [name, value] of Object.entries(call.answerHas)) assert.deepEqual(found.answer[name], value);
}

test("errors have a common class", () => {
  for (const error of [InstanceError, SchemaError, ValidationError]) assert.ok(error.prototype instanceof StanchionError);
});
