// Tools that the servers of the SDK tests offer: name, schemas, and what each answers.

const city = { type: "object", properties: { city: { type: "string", minLength: 1 }, hours: { type: "integer", minimum: 1, maximum: 24 } }, required: ["city"], additionalProperties: false };

/** Good tools, with results of every type. The first three have the shapes of SEP-2106's examples. */
export const GOOD = [
  { name: "forecast", inputSchema: city, outputSchema: { type: "array", items: { type: "object", properties: { hour: { type: "integer" }, celsius: { type: "number" } }, required: ["hour", "celsius"] } },
    answer: ({ hours = 1 }) => Array.from({ length: hours }, (_, hour) => ({ hour, celsius: 20.5 })) },
  { name: "count", inputSchema: { type: "object" }, outputSchema: { type: "integer", minimum: 0 }, answer: () => 2 },
  { name: "find", inputSchema: { type: "object", properties: { key: { type: ["string", "integer"] } }, required: ["key"] },
    outputSchema: { oneOf: [{ type: "object", properties: { id: { type: "integer" } }, required: ["id"] }, { type: "string" }, { type: "null" }] },
    answer: ({ key }) => (typeof key === "string" ? { id: 7 } : "seven") },
  { name: "text", inputSchema: { type: "object" }, outputSchema: { type: "string", format: "email" }, answer: () => "a@example.com" },
  { name: "old", inputSchema: { $schema: "http://json-schema.org/draft-07/schema#", type: "object", properties: { pair: { type: "array", items: [{ type: "number" }, { type: "string" }] } } },
    outputSchema: { $schema: "http://json-schema.org/draft-07/schema#", type: "object", definitions: { n: { type: "number" } }, properties: { n: { $ref: "#/definitions/n" } }, required: ["n"] }, answer: () => ({ n: 1 }) },
];

/** References that double at every level, and one pattern that backtracks. */
function doubling(levels) {
  const $defs = { [`d${levels}`]: { type: "object", properties: { s: { pattern: "^(a+)+$" } } } };
  for (let level = 0; level < levels; level++) $defs[`d${level}`] = { allOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] };
  return { type: "object", $defs, $ref: "#/$defs/d0" };
}

const object = { type: "object" };
/** Tools as a careless or hostile server lists them; its results are not checked before they are sent. */
export const RAW = [
  { name: "good", inputSchema: object, outputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] }, answer: () => ({ n: 1 }) },
  { name: "bad-result", inputSchema: object, outputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] }, answer: () => ({ n: "one" }) },
  { name: "bad-format", inputSchema: object, outputSchema: { type: "object", properties: { at: { type: "string", format: "date-time" } } }, answer: () => ({ at: "noon" }) },
  { name: "bad-schema", inputSchema: object, outputSchema: { type: "object", properties: { n: { type: "nmber" } } }, answer: () => ({ n: 1 }) },
  { name: "network", inputSchema: object, outputSchema: { type: "object", properties: { n: { $ref: "https://example.com/n.json" } } }, answer: () => ({ n: 1 }) },
  { name: "dialect", inputSchema: object, outputSchema: { $schema: "https://example.com/dialect", type: "object" }, answer: () => ({ n: 1 }) },
  { name: "doubling", inputSchema: object, outputSchema: doubling(50), answer: () => ({ s: `${"a".repeat(5000)}b` }) },
  { name: "ring", inputSchema: object, outputSchema: { type: "object", $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }, answer: () => ({}) },
];
