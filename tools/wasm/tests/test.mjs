// Tests of the module under Node: MODULE=stanchion.wasm SCRIPTS=folder node --test tests/test.mjs
import { test } from "node:test";
import assert from "node:assert/strict";
import { join } from "node:path";
import { STATUSES, Stanchion, load } from "./module.mjs";
import { run } from "./script.mjs";

const module = load(process.env.MODULE);
const [VALID, INVALID, REFUSED, UNDECIDED, NOT_JSON, MISUSE] = STATUSES.keys();

test("nothing is imported, and only the memory and functions of the contract are exported", () => {
  assert.deepEqual(WebAssembly.Module.imports(module), []);
  for (const { name, kind } of WebAssembly.Module.exports(module)) {
    assert.ok(name === "memory" ? kind === "memory" : name.startsWith("stanchion_") && kind === "function", name);
  }
});

for (const [set, least] of [["vectors", 150], ["official", 7000], ["hostile", 500]]) {
  test(`all calls of ${set}`, () => {
    const { calls, wrong } = run(module, join(process.env.SCRIPTS, set));
    assert.ok(calls >= least, `there are only ${calls} calls`);
    assert.deepEqual(wrong, []);
  });
}

test("misuse is a status", () => {
  const stanchion = new Stanchion(module);
  const { exports } = stanchion;
  assert.equal(exports.stanchion_check(0, 0), MISUSE);
  // No input yet.
  assert.equal(exports.stanchion_validator_new(2, 0), MISUSE);
  const validator = stanchion.validator('{"type": "integer"}');
  assert.ok(validator >= 8);
  assert.equal(stanchion.check(validator, "5"), VALID);
  assert.equal(stanchion.check(validator, "5.5"), INVALID);
  assert.equal(stanchion.check(validator, ""), NOT_JSON);
  assert.equal(stanchion.check(validator, new Uint8Array([0x22, 0xff, 0x22])), NOT_JSON);
  for (const length of [0x7fffffff, -1, 1 << 30]) {
    assert.equal(exports.stanchion_check(validator, length), MISUSE);
    assert.equal(exports.stanchion_explain(validator, length), MISUSE);
    assert.equal(exports.stanchion_validator_new(length, length), MISUSE);
    assert.equal(exports.stanchion_diagnose(1, length), MISUSE);
  }
  for (const made of [1, 8, 9, validator + 4, validator ^ 1, -1]) {
    assert.equal(exports.stanchion_check(made, 1), MISUSE);
    assert.equal(exports.stanchion_validator_free(made), MISUSE);
  }
  assert.equal(exports.stanchion_output(validator, 1, 6), MISUSE);
  assert.equal(exports.stanchion_validator_free(validator), VALID);
  assert.equal(exports.stanchion_validator_free(validator), MISUSE);
  assert.equal(stanchion.check(validator, "5"), MISUSE);
  // Seeds are given before anything is hashed.
  assert.equal(exports.stanchion_seed(1n, 2n, 3n, 4n), MISUSE);
  assert.equal(stanchion.validator('{"type": "objetc"}'), REFUSED);
  assert.match(stanchion.text(), /did you mean \\"object\\"/);
});

test("encoded instances", () => {
  const stanchion = new Stanchion(module);
  const { exports } = stanchion;
  const validator = stanchion.validator('{"properties": {"days": {"minimum": 1}}, "required": ["days"]}');
  const input = exports.stanchion_input(65536);
  assert.equal(input % 8, 0);
  const bytes = new Uint8Array(exports.memory.buffer, input, 65536);
  bytes.set(Buffer.from("days"), 1000);
  assert.equal(exports.stanchion_keep_name(1000, 4), 0);
  assert.equal(exports.stanchion_keep_name(65530, 7), -1);
  assert.equal(exports.stanchion_keep_name(1000, 65), -1);
  const check = (words, at = 1000, length = 0) => {
    const { buffer } = exports.memory;
    new Int32Array(buffer, input, words.length).set(words);
    return exports.stanchion_check_encoded(validator, 4 * words.length, at, length);
  };
  // By the kept name, and by its text.
  for (const [name, length] of [[9, 0], [(4 << 4) | 10, 4]]) {
    assert.equal(check([7, name, (1 << 4) | 3, 8], 1000, length), VALID);
    assert.equal(check([7, name, (0 << 4) | 3, 8], 1000, length), INVALID);
    assert.equal(check([7, name, 8], 1000, length), NOT_JSON);
  }
  assert.equal(check([7, 8]), INVALID);
  assert.equal(check([7, (1 << 4) | 9, 0, 8]), NOT_JSON);
  assert.equal(check([]), NOT_JSON);
  for (const [at, length] of [[65536, 1], [65537, 0], [-1, 1], [0, -1], [1000, 65536]]) assert.equal(check([0], at, length), MISUSE);
  assert.equal(exports.stanchion_check_encoded(validator, 1 << 30, 0, 0), MISUSE);
  assert.equal(exports.stanchion_check_encoded(validator + 4, 4, 0, 0), MISUSE);
  exports.stanchion_forget_names();
  assert.equal(check([7, 9, (1 << 4) | 3, 8]), NOT_JSON);
});

test("the input is as long as was asked for, or null", () => {
  const stanchion = new Stanchion(module);
  const { exports } = stanchion;
  const first = exports.stanchion_input(1);
  assert.notEqual(first, 0);
  assert.equal(exports.stanchion_input(1000), first);
  assert.notEqual(exports.stanchion_input(1 << 20), 0);
  assert.equal(exports.stanchion_input(0), 0);
  assert.equal(exports.stanchion_input(-1), 0);
  assert.equal(exports.stanchion_input(0x7fffffff), 0);
  // It goes on.
  assert.equal(stanchion.check(stanchion.validator("{}"), "1"), VALID);
});

test("memory that runs out is a status, and the instance goes on", () => {
  const stanchion = new Stanchion(module);
  const { exports } = stanchion;
  const small = stanchion.validator('{"type": "array"}');
  const held = [];
  let status = 8;
  const long = "x".repeat(1 << 21);
  for (let round = 0; status >= 8 && round < 10_000; round++) {
    status = stanchion.validator(JSON.stringify({ const: `${round} ${long}` }), '{"cache": false}');
    if (status >= 8) held.push(status);
  }
  assert.equal(status, UNDECIDED);
  assert.match(stanchion.text(), /there is no memory left/);
  assert.ok(exports.memory.buffer.byteLength <= 1 << 30);
  assert.equal(stanchion.check(small, "[1]"), VALID);
  assert.equal(exports.stanchion_explain(small, ...stanchion.write("1")), INVALID);
  for (const validator of held) assert.equal(exports.stanchion_validator_free(validator), VALID);
  assert.ok(stanchion.validator('{"type": "string"}') >= 8);
});

test("after a trap every call is misuse, the answer says why, and a new instance works", () => {
  const stanchion = new Stanchion(module);
  const schema = '{"$defs": {"list": {"items": {"$ref": "#/$defs/list"}, "minItems": 1}}, "$ref": "#/$defs/list"}';
  const validator = stanchion.validator(schema);
  const [length] = stanchion.write("[".repeat(120) + "]".repeat(120));
  const { stanchion_explain } = stanchion.exports;
  let error, status;
  // Fills the stack, and calls the module from the end of it, with a little more room each time, until a call returns.
  const dive = () => {
    try {
      dive();
      if (status === undefined) status = stanchion_explain(validator, length);
    } catch (cause) {
      error = cause;
    }
  };
  dive();
  assert.ok(error instanceof RangeError, `${error}`);
  assert.equal(status, MISUSE);
  assert.equal(stanchion.exports.stanchion_check(validator, length), MISUSE);
  assert.match(JSON.parse(stanchion.text()).message, /trapped.*take a new instance/);
  assert.equal(stanchion.exports.stanchion_input(1), 0);
  const next = new Stanchion(module);
  assert.equal(next.check(next.validator(schema), "[[1]]"), VALID);
});

test("memory does not grow with the number of validators that were made and freed", () => {
  const stanchion = new Stanchion(module);
  const make = (from, to) => {
    for (let index = from; index < to; index++) {
      const validator = stanchion.validator(`{"properties": {"name ${index}": {"type": "string", "pattern": "^a${index}+b"}}}`);
      assert.equal(stanchion.check(validator, `{"name ${index}": "a${index}b"}`), VALID);
      stanchion.exports.stanchion_validator_free(validator);
    }
  };
  make(0, 10_000);
  const before = stanchion.exports.memory.buffer.byteLength;
  make(10_000, 40_000);
  const after = stanchion.exports.memory.buffer.byteLength;
  assert.ok(after <= 1.1 * before, `${before} bytes, then ${after}`);
});

test("long texts", () => {
  const stanchion = new Stanchion(module);
  const validator = stanchion.validator('{"items": {"type": "integer"}}');
  assert.equal(stanchion.check(validator, `[${"1,".repeat(1 << 23)}1]`), VALID);
  assert.equal(stanchion.check(validator, `[${"1,".repeat(1 << 24)}1]`), NOT_JSON);
  assert.equal(stanchion.exports.stanchion_explain(validator, stanchion.write(`[${"1,".repeat(1 << 24)}1]`)[0]), NOT_JSON);
  assert.match(stanchion.text(), /33554432/);
});
