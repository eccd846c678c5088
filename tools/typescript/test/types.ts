// What a user writes, for the compiler alone: `tsc -p test/tsconfig.json`.
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { Server as Server1 } from "@modelcontextprotocol/sdk/server/index.js";
import { Client } from "@modelcontextprotocol/client";
import { fromJsonSchema, McpServer } from "@modelcontextprotocol/server";
import { SchemaError, Validator, type ErrorObject, type Verdict } from "stanchion";
import { StanchionJsonSchemaValidator } from "stanchion/mcp";
import Ajv from "stanchion/ajv";

interface City {
  city: string;
}

export function guard(value: unknown): string {
  using validator = new Validator<City>({ type: "object" }, { assertFormats: true, limits: { steps: 1000 } });
  if (validator.isValid(value)) return value.city;
  const errors: ErrorObject[] = validator.errors(value);
  const verdict: Verdict = validator.verdict(value);
  return verdict === "undecided" ? "" : validator.validate(value).city + errors[0]?.message;
}

// @ts-expect-error: there is no such option.
export const wrong = () => new Validator({}, { limit: 1 });
// @ts-expect-error: a schema is no text.
export const text = () => new Validator("{}");

const info = { name: "a", version: "1" };
export const jsonSchemaValidator = new StanchionJsonSchemaValidator();
export const client1 = new Client1(info, { jsonSchemaValidator });
export const server1 = new Server1(info, { jsonSchemaValidator });
export const client2 = new Client(info, { jsonSchemaValidator });
export const server2 = new McpServer(info, { jsonSchemaValidator });
export const tool = fromJsonSchema<City>({ type: "object" }, jsonSchemaValidator);

export const validate = new Ajv({ allErrors: true }).compile<City>({ type: "object" });
export const city = (value: unknown) => (validate(value) ? value.city : validate.errors?.[0]?.message);
export const problems = (error: unknown) => (error instanceof SchemaError ? error.errors.map(({ kind }) => kind) : []);
