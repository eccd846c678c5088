// Validators of npm, all behind one function: `compile(schema)` gives a function that says whether a value is valid.
import Module, { createRequire } from "node:module";
import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { Validator as CfWorker } from "@cfworker/json-schema";
import { Validator } from "stanchion";

const require = createRequire(import.meta.url);

/** A copy of ata for which `new Function` is forbidden, as on an edge runtime: the name `Function` is another in its files. */
function ataWithoutEval() {
  const [head, tail] = Module.wrapper;
  globalThis.forbiddenFunction = function Function() {
    throw new EvalError("code from strings is forbidden");
  };
  Module.wrapper[0] = `${head} const Function = globalThis.forbiddenFunction;`;
  try {
    return require("ata-validator").Validator;
  } finally {
    Module.wrapper[0] = head;
    Module.wrapper[1] = tail;
    for (const path of Object.keys(require.cache)) if (path.includes("ata-validator")) delete require.cache[path];
  }
}

const Interpreted = ataWithoutEval();
const { Validator: Ata } = require("ata-validator");
const isDraft7 = (schema) => /draft-0[67]/.test(schema.$schema ?? "");

export const PEERS = {
  // Without the cache, which would make the second compile of a schema a look-up.
  stanchion(schema) {
    const validator = new Validator(schema, { cache: false });
    return (value) => validator.isValid(value);
  },
  ajv(schema) {
    const options = { strict: false, validateFormats: false, validateSchema: false, logger: false };
    return (isDraft7(schema) ? new Ajv(options) : new Ajv2020(options)).compile(schema);
  },
  ata(schema) {
    const validator = new Ata(schema);
    return (value) => validator.isValidObject(value);
  },
  "ata without eval"(schema) {
    const validator = new Interpreted(schema);
    return (value) => validator.isValidObject(value);
  },
  cfworker(schema) {
    const validator = new CfWorker(schema, isDraft7(schema) ? "7" : "2020-12");
    return (value) => validator.validate(value).valid;
  },
};

let schemas = 0;
/** Hyperjump compiles asynchronously, so its compile has a column of its own. */
export async function hyperjump(schema) {
  const draft = isDraft7(schema) ? "draft-07" : "draft-2020-12";
  const { registerSchema, validate } = await import(`@hyperjump/json-schema/${draft}`);
  const uri = `https://bench.example/${schemas++}`;
  const { $id, ...rest } = schema;
  registerSchema(rest, uri, isDraft7(schema) ? "http://json-schema.org/draft-07/schema#" : "https://json-schema.org/draft/2020-12/schema");
  const check = await validate(uri);
  return (value) => check(value).valid;
}
