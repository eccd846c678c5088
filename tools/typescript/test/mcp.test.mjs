import { test } from "node:test";
import assert from "node:assert/strict";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { SchemaError, reset } from "stanchion";
import { StanchionJsonSchemaValidator, toolbox } from "stanchion/mcp";
import { Ajv2020 } from "stanchion/ajv";

const provider = new StanchionJsonSchemaValidator();

test("results are those of the SDK's interface", () => {
  const validate = provider.getValidator({ type: "object", properties: { a: { type: "number" } }, required: ["a"] });
  const value = { a: 1 };
  const good = validate(value);
  assert.deepEqual(good, { valid: true, data: value, errorMessage: undefined });
  assert.equal(good.data, value);
  assert.deepEqual(validate({}), { valid: false, data: undefined, errorMessage: "data must have required property 'a'" });
  assert.deepEqual(validate({ a: "x" }).errorMessage, 'data/a expected a number, found the string "x"');
  assert.equal(validate(undefined).valid, false);
  assert.match(validate(undefined).errorMessage, /undefined/);
  assert.equal(validate({ a: 1n }).valid, false);
});

test("dialects", () => {
  const tuple = ($schema) => ({ $schema, type: "array", items: [{ type: "number" }, { type: "string" }] });
  for (const uri of [
    "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft-07/schema", "http://json-schema.org/draft-06/schema#", "https://json-schema.org/draft-06/schema",
    "https://json-schema.org/draft/2019-09/schema#", "http://json-schema.org/draft/2019-09/schema",
  ]) {
    const validate = provider.getValidator(tuple(uri));
    assert.equal(validate([1, "x"]).valid, true, uri);
    assert.equal(validate(["x", 1]).valid, false, uri);
  }
  for (const uri of [undefined, "https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft/2020-12/schema#"]) {
    const validate = provider.getValidator({ ...(uri && { $schema: uri }), prefixItems: [{ type: "number" }] });
    assert.equal(validate(["x"]).valid, false);
  }
  for (const uri of ["http://json-schema.org/draft-04/schema#", "http://json-schema.org/schema#", "https://example.com/my-dialect", ""]) {
    assert.throws(() => provider.getValidator({ $schema: uri }), (error) =>
      error instanceof SchemaError && /unsupported dialect.*2020-12, 2019-09, draft-07, and draft-06/s.test(error.message) && error.errors[0].kind === "dialect");
  }
});

test("formats are asserted, unless told otherwise", () => {
  for (const [format, good, bad] of [["email", "user@example.com", "invalid-email"], ["uri", "https://example.com", "not-a-uri"], ["date-time", "2025-10-17T12:00:00Z", "not-a-date"]]) {
    assert.equal(provider.getValidator({ type: "string", format })(good).valid, true);
    assert.equal(provider.getValidator({ type: "string", format })(bad).valid, false);
    assert.equal(new StanchionJsonSchemaValidator({ assertFormats: false }).getValidator({ format })(bad).valid, true);
  }
});

test("references stay in the document", () => {
  const local = provider.getValidator({ $id: "https://example.com/root", $defs: { name: { $id: "name", type: "string" } }, $ref: "name" });
  assert.equal(local("a").valid, true);
  assert.equal(local(1).valid, false);
  assert.throws(() => provider.getValidator({ $ref: "https://example.com/other" }), SchemaError);
});

test("schemas are told apart by content, not by $id", () => {
  assert.equal(provider.getValidator({ $id: "https://example.com/same", type: "string" })("a").valid, true);
  assert.equal(provider.getValidator({ $id: "https://example.com/same", type: "number" })("a").valid, false);
});

test("a bad schema can fail its own calls only", () => {
  const lenient = new StanchionJsonSchemaValidator({ badSchema: "fail" });
  assert.match(lenient.getValidator({ type: "objetc" })({}).errorMessage, /the schema is refused: .*did you mean "object"/);
  assert.equal(lenient.getValidator({ type: "object" })({}).valid, true);
  assert.throws(() => provider.getValidator({ type: "objetc" }), SchemaError);
  assert.throws(() => new StanchionJsonSchemaValidator({ badSchema: "ignore" }), TypeError);
});

test("messages for a model, of bounded length", () => {
  const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false };
  const { errorMessage } = new StanchionJsonSchemaValidator({ messages: "model", messageChars: 300 }).getValidator(schema)({ citty: "Turin" });
  assert.match(errorMessage, /did you mean "city"/);
  assert.match(errorMessage, /Expected at/);
  assert.ok(errorMessage.length <= 300);
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`unknown ${index}`, 1]));
  assert.ok(provider.getValidator(schema)(many).errorMessage.length <= 4000);
});

test("hostile schemas end", () => {
  const deep = { $defs: {} };
  for (let level = 0; level < 60; level++) deep.$defs[`d${level}`] = { anyOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] };
  deep.$defs.d60 = { type: "string" };
  deep.$ref = "#/$defs/d0";
  assert.equal(provider.getValidator(deep)("a").valid, true);
  assert.equal(provider.getValidator(deep)(1).valid, false);
  assert.equal(provider.getValidator({ pattern: "^(a+)+$" })(`${"a".repeat(50_000)}b`).valid, false);
});

test("the SDK's own Ajv validator takes stanchion/ajv", () => {
  const bridged = new AjvJsonSchemaValidator(new Ajv2020({ allErrors: true }));
  const validate = bridged.getValidator({ type: "object", required: ["a", "b"], $id: "https://example.com/bridged" });
  assert.equal(validate({ a: 1, b: 2 }).valid, true);
  assert.equal(validate({}).errorMessage, "data must have required property 'a', data must have required property 'b'");
});

test("a toolbox, also after the module was dropped", () => {
  const tools = [
    { name: "sum", inputSchema: { type: "object", properties: { a: { type: "number", default: 2 } }, required: ["b"] }, outputSchema: { type: "number" } },
    { name: "bad", inputSchema: { type: "objetc" } },
  ];
  const box = toolbox({ tools }, { preset: "typescript" });
  for (let round = 0; round < 2; round++) {
    assert.equal(box.loaded.tools, round === 0 ? 1 : 2);
    assert.equal(box.list("2026-07-28").tools.length, round === 0 ? 1 : 2);
    assert.deepEqual(box.checkCall({ name: "sum", arguments: { b: 1 } }, "2026-07-28"), { ok: true, value: "sum" });
    const refused = box.checkCall({ name: "sum", arguments: { a: "x" } }, "2026-07-28");
    assert.equal(refused.ok, false);
    assert.equal(refused.failure.kind, "arguments");
    assert.equal(refused.failure.result.isError, true);
    assert.deepEqual(box.fillCall({ name: "sum", arguments: { b: 1 } }, "2026-07-28").value, { b: 1, a: 2 });
    assert.deepEqual(box.checkResult("sum", "2026-07-28", { content: [], structuredContent: 3 }).value.structuredContent, 3);
    assert.equal(box.checkResult("sum", "2026-07-28", { content: [], structuredContent: "3" }).failure.kind, "result");
    assert.equal(box.definitionFor("sum", "2026-07-28").value.outputSchema.type, "number");
    assert.equal(box.definitionFor("sum", "2025-06-18").value.outputSchema.type, "object");
    assert.deepEqual(box.sendResult("sum", "2025-06-18", { structuredContent: 3 }).value.structuredContent, { result: 3 });
    for (const text of [(value) => value, (value) => new TextEncoder().encode(value)]) {
      assert.deepEqual(box.checkCallText(text('{"name": "sum", "arguments": {"b": 1}}'), "2026-07-28"), { ok: true, value: "sum" });
      assert.equal(box.checkCallText(text('{"name": "sum", "arguments": {"a": "x"}}'), "2026-07-28").failure.kind, "arguments");
      assert.equal(box.checkCallText(text('{"name": "sum"'), "2026-07-28").failure.kind, "json");
      // Numbers keep the digits that JavaScript would drop.
      assert.deepEqual(box.fillCallText(text('{"name": "sum", "arguments": {"b": 12345678901234567890}}'), "2026-07-28"), { ok: true, value: '{"b":12345678901234567890,"a":2}' });
      const result = '{"content":[],"structuredContent":12345678901234567890}';
      assert.deepEqual(box.checkResultText("sum", "2026-07-28", text(result)), { ok: true, value: result });
      assert.equal(box.checkResultText("sum", "2026-07-28", text('{"content":[],"structuredContent":"3"}')).failure.kind, "result");
      assert.match(box.sendResultText("sum", "2025-06-18", text('{"structuredContent":12345678901234567890}')).value, /"structuredContent":\{"result":12345678901234567890\}/);
      assert.throws(() => box.checkResultText("nobody", "2026-07-28", text(result)), TypeError);
    }
    assert.throws(() => box.definitionFor("bad", "2026-07-28"), /bad/);
    assert.throws(() => box.definitionFor("nobody", "2026-07-28"), TypeError);
    assert.equal(box.profile().words, "typescript");
    if (round === 0) {
      assert.equal(box.extend([{ name: "more", inputSchema: { type: "object" } }]).tools, 2);
      reset();
    }
  }
  assert.throws(() => toolbox(1), SchemaError);
  assert.throws(() => toolbox([], { preset: "perl" }), TypeError);
});
