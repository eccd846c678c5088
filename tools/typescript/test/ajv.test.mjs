// stanchion/ajv beside Ajv itself.
import { test } from "node:test";
import assert from "node:assert/strict";
import { Ajv as RealAjv } from "ajv";
import addFormats from "ajv-formats";
import Ajv, { Ajv2019, Ajv2020, SchemaError } from "stanchion/ajv";

const schema = {
  type: "object",
  properties: {
    a: { type: "integer", minimum: 1, exclusiveMaximum: 10, multipleOf: 2 },
    s: { type: "string", minLength: 2, maxLength: 3, pattern: "^x" },
    l: { type: "array", minItems: 1, maxItems: 2, items: { type: ["null", "string"] } },
    u: { uniqueItems: true },
    e: { enum: ["p", "q"] },
    c: { const: 1 },
    f: { format: "email" },
    n: { not: { type: "string" } },
    o: { minProperties: 1, maxProperties: 1 },
  },
  required: ["a", "s"],
  additionalProperties: false,
};
const values = [
  { a: 2, s: "xx" }, {}, { a: 2 }, { a: 0, s: "xx" }, { a: 3, s: "xx" }, { a: 10, s: "xx" }, { a: 2, s: "x" }, { a: 2, s: "xxxx" }, { a: 2, s: "yy" }, { a: 2, s: "xx", l: [] },
  { a: 2, s: "xx", l: ["a", "b", "c"] }, { a: 2, s: "xx", u: [{}, {}] }, { a: 2, s: "xx", l: [1] }, { a: 2, s: "xx", e: "r" }, { a: 2, s: "xx", c: 2 }, { a: 2, s: "xx", f: "no" },
  { a: 2, s: "xx", n: "s" }, { a: 2, s: "xx", o: {} }, { a: 2, s: "xx", o: { a: 1, b: 2 } }, { a: 2, s: "xx", more: 1 }, { a: "2", s: "xx" }, null, 1, [],
];

test("verdicts and errors are those of Ajv", () => {
  const real = new RealAjv({ allErrors: true });
  addFormats(real);
  const ours = new Ajv({ allErrors: true });
  const [theirs, mine] = [real.compile(schema), ours.compile(schema)];
  for (const value of values) {
    assert.equal(mine(value), theirs(value), JSON.stringify(value));
    const order = (errors) => (errors ?? []).map(({ instancePath, schemaPath, keyword, message }) => ({ instancePath, schemaPath, keyword, message }))
      .sort((a, b) => (`${a.schemaPath}${a.message}` < `${b.schemaPath}${b.message}` ? -1 : 1));
    assert.deepEqual(order(mine.errors), order(theirs.errors), JSON.stringify(value));
    if (theirs.errors) {
      for (const [name, param] of Object.entries(theirs.errors[0].params)) {
        const same = mine.errors.find(({ schemaPath }) => schemaPath === theirs.errors[0].schemaPath);
        assert.deepEqual(same.params[name], param, `${JSON.stringify(value)}: ${name}`);
      }
    }
  }
});

test("validate, errors and errorsText", () => {
  const ajv = new Ajv();
  assert.equal(ajv.errorsText(), "No errors");
  assert.equal(ajv.validate({ type: "string" }, 1), false);
  assert.equal(ajv.errorsText(), "data must be string");
  assert.equal(ajv.errorsText(ajv.errors, { dataVar: "body", separator: "\n" }), "body must be string");
  assert.equal(ajv.errors.length, 1);
  assert.equal(ajv.validate({ type: "string" }, "a"), true);
  assert.equal(ajv.errors, null);
  assert.equal(new Ajv().compile(schema)({ a: 0, s: 1 }), false);
});

test("schemas that were added are found by references and keys", () => {
  const ajv = new Ajv2020();
  ajv.addSchema({ $id: "https://example.com/name", type: "string" });
  ajv.addSchema({ type: "number" }, "age");
  assert.equal(ajv.compile({ properties: { n: { $ref: "https://example.com/name" } } })({ n: 1 }), false);
  assert.equal(ajv.validate("age", 1), true);
  assert.equal(ajv.validate("https://example.com/name", 1), false);
  assert.equal(ajv.getSchema("nobody"), undefined);
  assert.throws(() => ajv.validate("nobody", 1), /nobody/);
  assert.throws(() => ajv.addSchema({ type: "number" }, "age"), /already/);
  ajv.removeSchema("age");
  assert.equal(ajv.getSchema("age"), undefined);
  const again = { $id: "https://example.com/again", type: "string" };
  assert.equal(ajv.compile(again), ajv.compile(again));
  assert.equal(ajv.getSchema("https://example.com/again"), ajv.compile(again));
  assert.equal(new Ajv({ schemas: [again] }).validate("https://example.com/again", "a"), true);
});

test("the classes differ in the dialect of schemas that declare none", () => {
  const tuple = { items: [{ type: "string" }] };
  assert.equal(new Ajv().validate(tuple, [1]), false);
  assert.equal(new Ajv2019().validate(tuple, [1]), false);
  assert.throws(() => new Ajv2020().compile(tuple), SchemaError);
  assert.equal(new Ajv2020().validate({ prefixItems: [{ type: "string" }] }, [1]), false);
});

test("schemas are checked", () => {
  const ajv = new Ajv();
  assert.equal(ajv.validateSchema({ type: "objetc" }), false);
  assert.equal(ajv.errors[0].instancePath, "/type");
  assert.equal(ajv.validateSchema({ type: "object" }), true);
  assert.throws(() => ajv.compile({ type: "objetc" }), SchemaError);
});

test("what is not supported says so", () => {
  for (const option of [{ coerceTypes: true }, { useDefaults: true }, { removeAdditional: "all" }, { $data: true }, { formats: { x: /x/ } }, { discriminator: true }]) {
    assert.throws(() => new Ajv(option), /not supported/);
  }
  new Ajv({ strict: false, allErrors: true, validateSchema: false, coerceTypes: false, logger: false, unicodeRegExp: true });
  const ajv = new Ajv();
  ajv.addFormat("email", /./);
  assert.throws(() => ajv.addFormat("my-format", /./), /my-format/);
  assert.throws(() => ajv.addKeyword("my-keyword"), /my-keyword/);
  assert.throws(() => ajv.compileAsync({}), /addSchema/);
});
