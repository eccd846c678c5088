import { test } from "node:test";
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { Validator, reset, usage } from "stanchion";

const make = (index) => new Validator({ properties: { [`name ${index}`]: { type: "string", pattern: `^a${index}+b` } } });
const gc = globalThis.gc ?? (() => assert.fail("run node with --expose-gc"));

test("200,000 compiles of distinct schemas, nothing disposed of", async () => {
  reset();
  for (let index = 0; index < 20_000; index++) assert.equal(make(index).isValid({ [`name ${index}`]: 1 }), false);
  await sleep(10);
  gc();
  const before = { wasm: usage().bytes, heap: process.memoryUsage().heapUsed };
  for (let index = 20_000; index < 200_000; index++) {
    make(index);
    // Validators are collected between turns of the event loop.
    if (index % 10_000 === 0) await sleep(0);
  }
  await sleep(10);
  gc();
  await sleep(10);
  gc();
  const after = { wasm: usage().bytes, heap: process.memoryUsage().heapUsed };
  assert.ok(after.wasm <= 1.2 * before.wasm, `wasm: ${before.wasm}, then ${after.wasm}`);
  assert.ok(after.heap <= before.heap + 4e6, `heap: ${before.heap}, then ${after.heap}`);
});

test("validators that are collected are freed", async () => {
  reset();
  const kept = new Validator({ type: "string" });
  for (let index = 0; index < 1000; index++) make(index);
  assert.ok(usage().validators > 500);
  for (let round = 0; round < 20 && usage().validators > 100; round++) {
    gc();
    await sleep(10);
  }
  assert.ok(usage().validators <= 100, `${usage().validators} validators`);
  assert.equal(kept.isValid("a"), true);
});

test("more validators than the module holds, all in use", () => {
  reset();
  const all = Array.from({ length: 10_000 }, (_, index) => new Validator({ const: index }));
  for (let round = 0; round < 2; round++) {
    for (const [index, validator] of all.entries()) {
      assert.equal(validator.isValid(index), true);
      assert.equal(validator.isValid(index + 1), false);
    }
  }
  assert.ok(usage().validators <= 4096);
  for (const validator of all) validator.dispose();
  assert.equal(usage().validators, 0);
});

test("dispose frees at once", () => {
  reset();
  for (let index = 0; index < 10_000; index++) make(index).dispose();
  assert.equal(usage().validators, 0);
});

test("memory that runs out makes room, and is no dead module", async () => {
  // What the module answers when it is full; its own tests fill it.
  const { Engine, engine } = await import(new URL("../dist/esm/engine.js", import.meta.url));
  reset();
  const before = [new Validator({ type: "string" }), new Validator({ type: "number" })];
  const full = engine();
  assert.ok(full instanceof Engine);
  const { exports } = full;
  let calls = 0;
  Object.defineProperty(full, "exports", {
    value: { ...exports, stanchion_validator_new: (...lengths) => (calls++ === 0 ? 3 : exports.stanchion_validator_new(...lengths)) },
  });
  const made = new Validator({ type: "boolean" });
  assert.equal(usage().validators, 1);
  assert.equal(made.isValid(true), true);
  assert.equal(before[0].isValid("a"), true);
  assert.equal(before[1].isValid("a"), false);
  assert.equal(usage().validators, 3);
  assert.equal(engine(), full);
  reset();
});

test("validators outlive the instance of the module", () => {
  const validator = new Validator({ type: "string" });
  reset();
  assert.deepEqual(usage(), { bytes: 0, validators: 0 });
  assert.equal(validator.isValid("a"), true);
  assert.equal(usage().validators, 1);
  validator.dispose();
  assert.equal(usage().validators, 0);
});

test("a trap is an error, and the next call has a new instance", async () => {
  const { engine } = await import(new URL("../dist/esm/engine.js", import.meta.url));
  const validator = new Validator({ type: "string" });
  assert.equal(validator.isValid("a"), true);
  const broken = engine();
  const { exports } = broken;
  Object.defineProperty(broken, "exports", {
    value: { ...exports, stanchion_check_encoded: () => { throw new WebAssembly.RuntimeError("unreachable"); } },
  });
  assert.throws(() => validator.isValid("a"), { name: "StanchionError", message: /module stopped/ });
  assert.equal(validator.isValid("a"), true);
  assert.equal(validator.isValid(1), false);
  assert.notEqual(engine(), broken);
  validator.dispose();
});
