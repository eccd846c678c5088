import { test } from "node:test";
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { InstanceError, SchemaError, StanchionError, ValidationError, Validator } from "stanchion";

const schema = {
  type: "object",
  properties: { city: { type: "string", minLength: 1 }, days: { type: "integer", minimum: 1 } },
  required: ["city"],
  additionalProperties: false,
};

test("verdicts", () => {
  const validator = new Validator(schema);
  assert.equal(validator.isValid({ city: "Turin", days: 3 }), true);
  assert.equal(validator.isValid({ city: "" }), false);
  assert.equal(validator.verdict({ city: "Turin" }), "valid");
  assert.equal(validator.verdict(3), "invalid");
  const value = { city: "Turin" };
  assert.equal(validator.validate(value), value);
  assert.throws(() => validator.validate({ city: "Turin", days: 0 }), (error) => {
    assert.ok(error instanceof ValidationError && error instanceof StanchionError && error instanceof Error);
    assert.equal(error.message, "/days: 0 is less than the minimum 1");
    assert.equal(error.errors[0].keyword, "minimum");
    return true;
  });
  assert.equal(validator.isValidText('{"city": "Turin"}'), true);
  assert.equal(validator.isValidText(new TextEncoder().encode('{"city": ""}')), false);
  assert.equal(validator.isValidText("{"), false);
  assert.throws(() => validator.verdictText("{"), InstanceError);
  assert.equal(validator.errorsText("{")[0].params.line, 1);
  assert.deepEqual(validator.errors({ city: "Turin" }), []);
  assert.equal(validator.firstError({ city: "Turin" }), undefined);
  assert.equal(validator.firstError({ citty: "Turin", city: "" }).params.suggestion, undefined);
});

test("a limit that is reached is undecided, and not valid", () => {
  const validator = new Validator({ items: { type: "string" } }, { limits: { steps: 1000 } });
  const many = Array.from({ length: 10_000 }, () => "x");
  assert.equal(validator.verdict(many), "undecided");
  assert.equal(validator.isValid(many), false);
  assert.throws(() => validator.validate(many), /steps/);
  assert.equal(validator.errors(many)[0].params.exhausted, "steps");
});

test("a schema that is refused has all its problems", () => {
  assert.throws(() => new Validator({ type: "objetc", minimum: "1" }), (error) => {
    assert.ok(error instanceof SchemaError);
    assert.match(error.message, /did you mean "object"/);
    assert.deepEqual(error.errors.map(({ schemaPath }) => schemaPath), ["#/type", "#/minimum"]);
    return true;
  });
  assert.throws(() => new Validator({ $ref: "https://example.com/x" }), SchemaError);
  assert.throws(() => new Validator("{}"), /Validator\.fromText/);
  assert.throws(() => new Validator(null), SchemaError);
  assert.throws(() => Validator.fromText("{"), SchemaError);
  const ring = {};
  ring.properties = { ring };
  assert.throws(() => new Validator(ring), SchemaError);
  assert.throws(() => new Validator({}, { limit: 1 }), { name: "TypeError", message: /did you mean "limits"/ });
  assert.deepEqual(Validator.diagnose({ propertis: {} }).warnings.map(({ kind }) => kind), ["misspelled_keyword"]);
});

test("reports", () => {
  const validator = new Validator(schema);
  assert.match(validator.forModel({ days: 0 }), /missing required property "city"/);
  assert.ok(validator.forModel({ days: 0 }, 30).length <= 30);
  assert.equal(validator.forModel({ city: "Turin" }), "");
  assert.match(validator.program(), /Required \["city"\]/);
  assert.equal(validator.cost().growth, "linear");
  assert.equal(validator.size().subschemas, 4);
  assert.ok(validator.measure({ city: "Turin" }) > 0);
  assert.deepEqual(validator.output({ city: "Turin" }, "flag"), { valid: true });
  assert.throws(() => validator.output({}, "flags"), TypeError);
  assert.throws(() => validator.forModel({}, -1), TypeError);
  assert.deepEqual(new Validator({ title: "T" }).annotations(1).map(({ value }) => value), ["T"]);
});

test("numbers of a schema that is text keep their digits", () => {
  const validator = Validator.fromText('{"const": 9007199254740993}');
  assert.equal(validator.isValidText("9007199254740993"), true);
  assert.equal(validator.isValidText("9007199254740992"), false);
});

test("it is a Standard Schema", () => {
  const standard = new Validator(schema)["~standard"];
  assert.deepEqual(standard.validate({ city: "Turin" }), { value: { city: "Turin" } });
  const { issues } = standard.validate({ city: "Turin", days: 0 });
  assert.deepEqual(issues, [{ message: "0 is less than the minimum 1", path: ["days"] }]);
});

test("later changes of a schema have no effect", () => {
  const changing = { type: "string" };
  const validator = new Validator(changing);
  changing.type = "number";
  assert.equal(validator.isValid("a"), true);
});

test("a validator that was disposed of is not used again", () => {
  const validator = new Validator(schema);
  validator.dispose();
  validator.dispose();
  for (const use of [() => validator.isValid(1), () => validator.errors(1), () => validator.program()]) assert.throws(use, /disposed/);
  const other = new Validator(schema);
  other[Symbol.dispose ?? Symbol.for("Symbol.dispose")]();
  assert.throws(() => other.isValid(1), /disposed/);
});

test("CommonJS", () => {
  const require = createRequire(import.meta.url);
  const { Validator: Required } = require("stanchion");
  assert.equal(new Required(schema).isValid({ city: "Turin" }), true);
  assert.equal(typeof require("stanchion/mcp").StanchionJsonSchemaValidator, "function");
  assert.equal(require("stanchion/ajv").default, require("stanchion/ajv").Ajv);
});

test("code from strings is not needed", async () => {
  const { execFileSync } = await import("node:child_process");
  const code = 'import { Validator } from "stanchion"; console.log(new Validator({ type: "string", pattern: "^a+$" }).isValid("aa"))';
  const run = execFileSync(process.execPath, ["--disallow-code-generation-from-strings", "--input-type=module", "-e", code], {
    cwd: new URL("..", import.meta.url),
    encoding: "utf8",
  });
  assert.equal(run, "true\n");
});
