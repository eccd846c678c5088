/**
 * The part of Ajv's interface that the MCP SDK and most of its users call, on Stanchion. The README has a table of what is not there.
 *
 * @packageDocumentation
 */
import { SchemaError, StanchionError, type ErrorObject as StanchionErrorObject } from "./errors.js";
import { Validator, type Dialect, type JsonSchema, type ValidatorOptions } from "./validator.js";

/** An error as Ajv gives it. */
export interface ErrorObject {
  instancePath: string;
  schemaPath: string;
  keyword: string;
  params: { [name: string]: unknown };
  message?: string;
}

/** A compiled schema: a function that says whether a value is valid, and keeps the errors of its last call. */
export interface ValidateFunction<T = unknown> {
  (data: unknown): data is T;
  /** The errors of the last call, or null. */
  errors: ErrorObject[] | null;
  /** The schema that was compiled. */
  readonly schema: JsonSchema;
}

/** Options. Those of Ajv that are not named here are refused if they would change a verdict or a value, and else ignored. */
export interface Options {
  /** Whether all errors are collected, or the most helpful one. Default: false. */
  allErrors?: boolean;
  /** Whether `format` is an assertion. Default: true, with all formats of JSON Schema; `ajv-formats` is not needed. */
  validateFormats?: boolean;
  /** Schemas to add, as by `addSchema`. */
  schemas?: readonly JsonSchema[] | { readonly [key: string]: JsonSchema };
  /** Bounds on schemas and runs. */
  limits?: ValidatorOptions["limits"];
  [option: string]: unknown;
}

/** Options of Ajv that would change a verdict or a value. Those that are off mean nothing. */
const REFUSED = [
  "$data", "coerceTypes", "useDefaults", "removeAdditional", "discriminator", "unicodeRegExp", "keywords", "vocabularies", "formats",
  "loadSchema", "nullable", "next", "unevaluated", "dynamicRef", "passContext", "uriResolver", "schemaId", "multipleOfPrecision", "int32range",
] as const;
/** Of these, values under which Ajv does what Stanchion does. */
const HARMLESS: { readonly [option: string]: unknown } = {
  unicodeRegExp: true, nullable: true, next: true, unevaluated: true, dynamicRef: true, schemaId: "$id", int32range: true,
};

/** Ajv's class for draft-07, and for the other dialects by `$schema`. */
export class Ajv {
  /** The dialect of schemas that declare none. */
  protected readonly dialect: Dialect = "draft-07";
  /** The errors of the last call of {@link Ajv.validate}, or null. */
  errors: ErrorObject[] | null = null;
  readonly opts: Options;
  readonly #added = new Map<string, JsonSchema>();
  /** Compiled schemas, by the object itself, as Ajv has it. */
  readonly #compiled = new WeakMap<object, ValidateFunction>();
  readonly #byKey = new Map<string, ValidateFunction>();

  constructor(options: Options = {}) {
    for (const name of REFUSED) {
      const value = options[name];
      if (value === undefined || value === false || value === HARMLESS[name]) continue;
      throw new TypeError(`the option "${name}" of Ajv is not supported by stanchion/ajv`);
    }
    this.opts = options;
    const { schemas = [] } = options;
    if (Array.isArray(schemas)) this.addSchema(schemas);
    else for (const [key, schema] of Object.entries(schemas)) this.addSchema(schema as JsonSchema, key);
  }

  /**
   * Compiles a schema. One with an `$id` is also added under it, so that others can refer to it.
   *
   * @throws {@link SchemaError} if it is refused.
   */
  compile<T = unknown>(schema: JsonSchema): ValidateFunction<T> {
    const known = typeof schema === "object" ? this.#compiled.get(schema) : undefined;
    if (known !== undefined) return known as ValidateFunction<T>;
    const made = this.#make(schema);
    if (typeof schema === "object") {
      this.#compiled.set(schema, made);
      const id = idOf(schema);
      if (id !== undefined && !this.#added.has(id)) this.#added.set(id, schema);
    }
    return made as ValidateFunction<T>;
  }

  /** Checks a value against a schema, or against the one that was added under a key. */
  validate<T = unknown>(schemaOrKey: JsonSchema | string, data: unknown): data is T {
    const validate = typeof schemaOrKey === "string" ? this.getSchema(schemaOrKey) : this.compile(schemaOrKey);
    if (validate === undefined) throw new StanchionError(`there is no schema "${String(schemaOrKey)}"`);
    const isValid = validate(data);
    this.errors = validate.errors;
    return isValid;
  }

  /** Adds schemas, each under its `$id` or under the key. Nothing is compiled until it is used. */
  addSchema(schema: JsonSchema | readonly JsonSchema[], key?: string): this {
    if (Array.isArray(schema)) {
      for (const one of schema) this.addSchema(one as JsonSchema);
      return this;
    }
    const id = key ?? idOf(schema as JsonSchema);
    if (id === undefined) throw new TypeError("a schema that is added needs an $id or a key");
    if (this.#added.has(id)) throw new StanchionError(`there is already a schema "${id}"`);
    this.#added.set(id, schema as JsonSchema);
    const own = idOf(schema as JsonSchema);
    if (own !== undefined && own !== id) this.#added.set(own, schema as JsonSchema);
    return this;
  }

  /** The schema that was added under a key or has that `$id`, compiled; undefined if there is none. */
  getSchema<T = unknown>(key: string): ValidateFunction<T> | undefined {
    const schema = this.#added.get(key);
    if (schema === undefined) return undefined;
    if (typeof schema === "object") return this.compile<T>(schema);
    let made = this.#byKey.get(key);
    if (made === undefined) this.#byKey.set(key, (made = this.#make(schema)));
    return made as ValidateFunction<T>;
  }

  /** Removes a schema by key, `$id` or object, or all of them. */
  removeSchema(schemaOrKey?: JsonSchema | string): this {
    for (const [key, schema] of [...this.#added]) {
      if (schemaOrKey !== undefined && key !== schemaOrKey && schema !== schemaOrKey) continue;
      this.#added.delete(key);
      this.#byKey.delete(key);
      if (typeof schema === "object") this.#compiled.delete(schema);
    }
    if (typeof schemaOrKey === "object") this.#compiled.delete(schemaOrKey);
    return this;
  }

  /** Whether a schema is well-formed. The reasons are in {@link Ajv.errors}. */
  validateSchema(schema: JsonSchema): boolean {
    const { errors } = Validator.diagnose(schema, this.#options());
    this.errors = errors.length === 0 ? null : errors.map((error) => ({
      instancePath: error.schemaPath.slice(error.schemaPath.indexOf("#") + 1),
      schemaPath: error.schemaPath,
      keyword: error.keyword,
      params: error.params,
      message: error.message,
    }));
    return errors.length === 0;
  }

  /** Errors in one line. */
  errorsText(errors: readonly ErrorObject[] | null | undefined = this.errors, { separator = ", ", dataVar = "data" } = {}): string {
    if (!errors || errors.length === 0) return "No errors";
    return errors.map((error) => `${dataVar}${error.instancePath} ${error.message}`).join(separator);
  }

  /** Not supported, except for formats that are asserted anyway. */
  addFormat(name: string): this {
    const { warnings } = Validator.diagnose({ format: name }, { assertFormats: true });
    if (!warnings.some(({ kind }) => kind === "unknown_format")) return this;
    throw new TypeError(`stanchion/ajv does not support formats of one's own, such as "${name}"`);
  }

  /** Not supported. */
  addKeyword(keyword: string | { keyword?: unknown }): never {
    throw new TypeError(`stanchion/ajv does not support keywords of one's own, such as ${JSON.stringify(typeof keyword === "string" ? keyword : keyword.keyword)}`);
  }

  /** Not supported: nothing is ever fetched. */
  compileAsync(): never {
    throw new TypeError("stanchion/ajv does not load schemas; add them by addSchema, then call compile");
  }

  #options(): ValidatorOptions {
    return {
      dialect: this.dialect,
      references: "bundled",
      assertFormats: this.opts.validateFormats ?? true,
      ...(this.opts.limits && { limits: this.opts.limits }),
    };
  }

  #make(schema: JsonSchema): ValidateFunction {
    const resources: { [uri: string]: JsonSchema } = {};
    const own = idOf(schema);
    for (const [uri, other] of this.#added) {
      if (other !== schema && uri !== own) resources[uri] = other;
    }
    const options = this.#options();
    if (Object.keys(resources).length > 0) options.resources = resources;
    const validator = new Validator(schema, options);
    const all = this.opts.allErrors === true;
    const validate: ValidateFunction = Object.assign(
      (data: unknown): data is unknown => {
        const isValid = validator.isValid(data);
        validate.errors = isValid ? null : errorsOf(validator, data, all);
        return isValid;
      },
      { errors: null, schema },
    );
    return validate;
  }
}

/** Ajv's class for 2019-09. */
export class Ajv2019 extends Ajv {
  protected override readonly dialect: Dialect = "2019-09";
}

/** Ajv's class for 2020-12. */
export class Ajv2020 extends Ajv {
  protected override readonly dialect: Dialect = "2020-12";
}

export default Ajv;
export { SchemaError };

function idOf(schema: JsonSchema): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const { $id } = schema as { $id?: unknown };
  return typeof $id === "string" ? $id : undefined;
}

/** Errors in Ajv's words. One for each missing property, as Ajv has it. */
function errorsOf(validator: Validator, data: unknown, all: boolean): ErrorObject[] {
  const errors = validator.errors(data).flatMap((error): ErrorObject[] => {
    const missing = error.keyword === "required" ? (error.params["missing"] as string[] | undefined) : undefined;
    if (missing === undefined) return [{ ...error, message: words(error) }];
    return missing.map((missingProperty) => ({
      ...error,
      params: { ...error.params, missingProperty },
      message: `must have required property '${missingProperty}'`,
    }));
  });
  return all ? errors : errors.slice(0, 1);
}

/** The words that Ajv has for an error; our own where it has none. */
function words({ keyword, params, message }: StanchionErrorObject): string {
  const count = (what: string, few: boolean) => `must NOT have ${few ? "fewer" : "more"} than ${String(params["limit"])} ${what}`;
  switch (keyword) {
    case "type":
      return `must be ${[params["type"]].flat().join(",")}`;
    case "minimum":
    case "maximum":
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      return `must be ${String(params["comparison"])} ${String(params["limit"])}`;
    case "minLength":
    case "maxLength":
      return count("characters", keyword === "minLength");
    case "minItems":
    case "maxItems":
      return count("items", keyword === "minItems");
    case "minProperties":
    case "maxProperties":
      return count("properties", keyword === "minProperties");
    case "multipleOf":
      return `must be multiple of ${String(params["multipleOf"])}`;
    case "pattern":
      return `must match pattern "${String(params["pattern"])}"`;
    case "format":
      return `must match format "${String(params["format"])}"`;
    case "const":
      return "must be equal to constant";
    case "enum":
      return "must be equal to one of the allowed values";
    case "additionalProperties":
      return "must NOT have additional properties";
    case "unevaluatedProperties":
      return "must NOT have unevaluated properties";
    case "uniqueItems":
      return `must NOT have duplicate items (items ## ${String(params["j"])} and ${String(params["i"])} are identical)`;
    case "not":
      return "must NOT be valid";
    default:
      return message;
  }
}
