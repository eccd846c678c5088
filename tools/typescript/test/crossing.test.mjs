// A value is checked as the text that JSON.stringify makes of it, though most values cross without one.
import { test } from "node:test";
import assert from "node:assert/strict";
import vm from "node:vm";
import { InstanceError, Validator } from "stanchion";

const any = new Validator({});

/** The text that the module got: with `const: X`, only X is valid. */
function assertCrosses(value, text = JSON.stringify(value), name = text.slice(0, 80)) {
  const exact = Validator.fromText(`{"const": ${text}}`, { cache: false });
  assert.deepEqual(exact.errors(value).map(({ message }) => message), [], name);
  assert.equal(exact.verdict(value), "valid", name);
  exact.dispose();
  const other = Validator.fromText(`{"not": {"const": ${text}}}`, { cache: false });
  assert.equal(other.verdict(value), "invalid", name);
  other.dispose();
  for (const validator of looks) assert.equal(validator.verdict(value), validator.verdictText(text), name);
}

/** Validators that look at what `const` does not tell apart, such as how a number is written. */
const looks = [
  { $schema: "http://json-schema.org/draft-04/schema#", type: ["integer", "string", "null"] },
  { type: ["integer", "array", "object", "boolean"], multipleOf: 0.01, items: { type: "integer", multipleOf: 3 }, additionalProperties: { exclusiveMinimum: 0.1, maxLength: 4 } },
  { minProperties: 2, maxProperties: 4, propertyNames: { pattern: "^.{0,3}$", minLength: 1 }, uniqueItems: true, minItems: 2, pattern: "é|a", maxLength: 60 },
  { required: ["a"], properties: { a: { type: "string" }, b: { type: "number" } }, patternProperties: { '"': false }, unevaluatedProperties: { type: ["number", "string"] } },
].map((schema) => new Validator(schema));

test("values that JSON has", () => {
  const values = [
    null, true, false, 0, -0, 1, -1, 9, 10, 99, 100, 2 ** 31, -(2 ** 31), 2 ** 53, 1e21, 1e-7, 1.5, Number.MAX_VALUE, Number.MIN_VALUE,
    "", "a", '"', "\\", "\u0000\u001f\b\f\n\r\t", "\u007f\u0080\u07ff\u0800\uffff", "😀", "a😀b", "\u2028\u2029", "x".repeat(63), "x".repeat(64), "x".repeat(65),
    "é".repeat(64), "é".repeat(65), "€".repeat(64), "😀".repeat(32), "😀".repeat(33), '"'.repeat(64), '"'.repeat(65), "\u0001".repeat(64), "\\".repeat(1000),
    [], {}, [[]], [{}], { a: [] }, [1, [2, [3, null]]], { a: { b: { c: "d" } } }, { "": 1, "é": 2, '"': 3, "😀": 4 }, Object.create(null),
    JSON.parse('{"__proto__": 1, "constructor": {"prototype": 2}, "toString": 3, "hasOwnProperty": null}'),
  ];
  for (const value of values) assertCrosses(value);
});

test("values that JSON does not have are treated as JSON.stringify does", () => {
  class Point {
    constructor() {
      this.x = 1;
    }
    get y() {
      return 2;
    }
  }
  const sparse = [1, , 3];
  const named = [1];
  named.name = 2;
  const values = [
    { a: undefined, b: () => 1, c: Symbol("c"), d: 1 }, [undefined, () => 1, Symbol("c")], NaN, Infinity, [-Infinity], { a: NaN }, new Date(0), { at: new Date(0) },
    new Map([[1, 2]]), new Set([1]), sparse, named, new Number(1), new String("s"), [new Boolean(false)], new Point(), /x/, new Error("e"), new Uint8Array([1, 2]),
    { toJSON: () => ({ a: 1 }) }, { a: { toJSON: (key) => key } }, { toJSON: 1 }, Object.assign([1], { toJSON: () => 2 }), Object.create({ inherited: 1 }),
    Object.defineProperty({ a: 1 }, "hidden", { value: 2, enumerable: false }), { get a() { return 1; } }, new Proxy({ a: 1 }, {}), new Proxy([1, 2], {}),
    vm.runInNewContext("({a: [1, {b: 2}]})"), { [Symbol("s")]: 1, a: 2 },
  ];
  for (const value of values) assertCrosses(value);
  if (JSON.rawJSON) assertCrosses({ a: JSON.rawJSON("1e1000") });
});

test("values that have no JSON text are refused, with the reason", () => {
  const ring = { a: [] };
  ring.a.push(ring);
  let deep = 1;
  for (let depth = 0; depth < 128; depth++) deep = [deep];
  let deeper = 1;
  for (let depth = 0; depth < 100_000; depth++) deeper = { deeper };
  const cases = [
    [undefined, /found undefined/], [() => 1, /found a function/], [Symbol("s"), /found a symbol/], [1n, /BigInt/], [{ a: 1n }, /BigInt/], [ring, /contains itself/],
    [deep, /nested deeper than 127/], [deeper, /./], [{ get a() { throw new Error("no entry"); } }, /no entry/], [{ get a() { throw null; } }, /./], [{ toJSON() { throw new Error("not me"); } }, /not me/],
    ["\ud800", /surrogate/], [{ "\udc00": 1 }, /surrogate/], ["\ud800".padEnd(100, "x"), /surrogate/], [{ toJSON: () => undefined }, /./],
    [new Proxy({}, { ownKeys() { throw new Error("sealed"); } }), /sealed/], [Proxy.revocable({}, {}).proxy, undefined],
  ];
  for (const [value, reason] of cases) {
    if (reason === undefined) continue;
    assert.throws(() => any.verdict(value), (error) => error instanceof InstanceError && reason.test(error.message), String(reason));
    assert.equal(any.isValid(value), false);
    assert.match(any.errors(value)[0].message, reason);
    assert.match(any.forModel(value), reason);
    assert.throws(() => any.validate(value), reason);
  }
  assert.equal(any.verdict([[1]]), "valid");
});

test("escaped backslashes are not taken for surrogates", () => {
  assert.equal(any.verdict("\\ud800"), "valid");
  let deep = "\\ud800";
  for (let depth = 0; depth < 128; depth++) deep = [deep];
  assert.throws(() => any.verdict(deep), /nested/);
});

test("prototypes are left alone, and are no way in", () => {
  const validator = new Validator({ properties: { polluted: false }, required: ["own"] });
  const value = JSON.parse('{"__proto__": {"own": 1, "polluted": 1}}');
  assert.equal(validator.isValid(value), false);
  assert.equal({}.polluted, undefined);
  assert.deepEqual(validator.errors(value).map(({ keyword }) => keyword), ["required"]);
});

test("a polluted Object.prototype.toJSON is treated as JSON.stringify treats it", () => {
  Object.prototype.toJSON = () => "polluted";
  try {
    assert.equal(new Validator({ const: "x" }).isValid, Validator.prototype.isValid);
  } catch {
    // The schema itself becomes a string then, and is refused.
  } finally {
    delete Object.prototype.toJSON;
  }
  const validator = new Validator({ const: "polluted" });
  Object.prototype.toJSON = () => "polluted";
  try {
    assert.equal(validator.isValid({ a: 1 }), true);
    assert.equal(validator.isValid([1]), true);
  } finally {
    delete Object.prototype.toJSON;
  }
});

test("a getter that validates something itself", () => {
  const inner = new Validator({ type: "string" });
  const outer = new Validator({ const: { a: 1, b: true, c: [3] } });
  const value = { a: 1, get b() { return inner.isValid("x".repeat(200)) && !inner.isValid({ y: [1, 2, 3] }); }, c: [3] };
  assert.equal(outer.verdict(value), "valid");
  const disposing = new Validator({ const: { a: 1 } });
  const self = { get a() { disposing.dispose(); return 1; } };
  assert.throws(() => disposing.verdict(self), /disposed/);
  // Enough validators within a getter to free the outer one.
  const many = { a: 1, get b() { for (let i = 0; i < 9000; i++) new Validator({ minimum: i }).isValid(i); return true; }, c: [3] };
  assert.equal(outer.verdict(many), "valid");
});

test("a getter that only compiles something", () => {
  const outer = new Validator({ const: { a: "first", b: true, c: ["last"] } });
  const value = { a: "first", get b() { return new Validator({ title: "x".repeat(500) }, { cache: false }).size().subschemas === 1; }, c: ["last"] };
  assert.equal(outer.verdict(value), "valid");
});

test("names that the prototype has are no members", () => {
  const exact = new Validator({ const: { a: 1, b: [{}] } });
  Object.prototype.polluted = 1;
  try {
    assert.equal(exact.verdict({ a: 1, b: [{}] }), "valid");
    assert.equal(exact.verdict(Object.assign(Object.create(null), { a: 1, b: [{}] })), "valid");
  } finally {
    delete Object.prototype.polluted;
  }
});

test("whole numbers that a double has other digits of", () => {
  for (const number of [2 ** 53, 2 ** 53 + 2, -(2 ** 53) - 2, 2 ** 60, 2 ** 63, 2 ** 64, 1e20, 123456789012345680000, 1e21, 1.5e300, -1e21, 2 ** 26, 2 ** 26 - 1, -(2 ** 26), 2 ** 31 + 0.5, 5e-324]) {
    assertCrosses(number);
    // A text behind it starts with a digit.
    assertCrosses([number, "0e9", number]);
  }
});

test("more names than the module keeps", () => {
  const record = new Validator({ type: "object", required: ["id"], properties: { id: { type: "integer" } }, additionalProperties: { type: "string" } });
  for (let round = 0; round < 300; round++) {
    const value = { id: round };
    for (let index = 0; index < 100; index++) value[`name ${round} ${index}`] = "x";
    assert.equal(record.verdict(value), "valid");
    assert.equal(record.verdict({ ...value, "name 0 0": 1 }), "invalid");
    assert.equal(record.verdict({ ...value, id: "x" }), "invalid");
  }
  const names = ["", "a".repeat(32), "a".repeat(33), "a".repeat(64), "a".repeat(65), "a".repeat(70_000), "é", "a b", 'q"', "b\\", "\u0001", "constructor", "__proto__", "1", "-1", "01"];
  const all = JSON.parse(`{${names.map((name, index) => `${JSON.stringify(name)}: ${index}`).join(", ")}}`);
  for (let round = 0; round < 3; round++) assertCrosses([all, { ...all, more: all }, [all]], undefined, "names");
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`n${index}`, index]));
  assertCrosses(wide, undefined, "an object with many members");
});

test("memory that grows when a name is kept", async () => {
  const { engine } = await import(new URL("../dist/esm/engine.js", import.meta.url));
  const value = { "a new name": 1, text: "long ".repeat(100), list: [1, "two"] };
  const exact = new Validator({ const: value });
  assert.equal(exact.verdict([]), "invalid");
  const { keepName } = engine();
  engine().keepName = function (at, length) {
    this.exports.memory.grow(1);
    return keepName.call(this, at, length);
  };
  try {
    for (let round = 0; round < 4; round++) assert.equal(exact.verdict(value), "valid");
  } finally {
    delete engine().keepName;
  }
  assert.equal(exact.verdict(value), "valid");
});

test("the option textBytes counts bytes of JSON", () => {
  const short = new Validator({}, { textBytes: 20 });
  assert.equal(short.verdict(["123456789012345"]), "valid");
  assert.throws(() => short.verdict(["12345678901234567"]), /textBytes/);
});

test("long values", () => {
  const strings = new Validator({ items: { type: "string" } });
  for (const size of [1000, 65_000, 65_536, 70_000, 300_000, 2_000_000]) {
    assert.equal(strings.verdict(["x".repeat(size)]), "valid");
    assert.equal(strings.verdict(Array.from({ length: size / 10 }, (_, index) => `item ${index} é`)), "valid");
    assert.equal(strings.verdict(["x".repeat(size), 1]), "invalid");
  }
  assertCrosses(Array.from({ length: 20_000 }, (_, index) => ({ index, name: `n${index}`, on: index % 2 === 0, ratio: index / 7 })), undefined, "objects");
  assert.throws(() => strings.verdict(["x".repeat(40_000_000)]), /longer than/);
  assert.throws(() => strings.verdict(new Array(1e9)), /longer than/);
  // A few objects, of which each contains the next twice.
  let doubled = { text: "x" };
  for (let level = 0; level < 60; level++) doubled = { a: doubled, b: doubled };
  for (const call of [() => strings.verdict(doubled), () => strings.validate([doubled, 1])]) assert.throws(call, /longer than/);
  const large = Array.from({ length: 3000 }, (_, index) => "\u0001é".repeat(1000) + index);
  assert.equal(strings.verdict(large), "valid");
  assert.equal(strings.verdict([...large, 1]), "invalid");
  assert.equal(strings.isValidText(`["${"x".repeat(40_000_000)}"]`), false);
  assert.equal(strings.verdict(["x"]), "valid");
});

test("random values, by both crossings", () => {
  let state = 20201207;
  const random = (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const alphabet = ['"', "\\", "a", "é", "€", "😀", "\n", "\u0000", "/", " ", "\u2028"];
  const text = () => Array.from({ length: random(3) === 0 ? random(120) : random(8) }, () => alphabet[random(alphabet.length)]).join("");
  const make = (depth) => {
    switch (random(depth > 4 ? 6 : 8)) {
      case 0: return null;
      case 1: return random(2) === 0;
      case 2: return random(200) - 100;
      case 3: return (random(2 ** 31) - 2 ** 30) * 10 ** (random(40) - 20);
      case 4: return [undefined, NaN, new Date(random(1e9)), new Map(), () => 1, -0][random(6)] ?? null;
      case 5: return text();
      case 6: return Array.from({ length: random(6) }, () => make(depth + 1));
      default: return Object.fromEntries(Array.from({ length: random(6) }, () => [text(), random(9) === 0 ? undefined : make(depth + 1)]));
    }
  };
  for (let round = 0; round < 3000; round++) {
    const value = make(0);
    if (typeof value !== "function") assertCrosses(value);
  }
});
