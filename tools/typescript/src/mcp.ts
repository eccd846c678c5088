/**
 * The validator of the MCP SDK for TypeScript, versions 1.x and 2.x, and toolboxes for gateways.
 *
 * @packageDocumentation
 */
import { SchemaError, type ErrorObject } from "./errors.js";
import { Validator, type Limits } from "./validator.js";

/** What a validator of the SDK answers. */
export type JsonSchemaValidatorResult<T> =
  | { valid: true; data: T; errorMessage: undefined }
  | { valid: false; data: undefined; errorMessage: string };

/** A validator of the SDK: a function of a value. */
export type JsonSchemaValidator<T> = (input: unknown) => JsonSchemaValidatorResult<T>;

/** Choices of {@link StanchionJsonSchemaValidator}. */
export interface StanchionJsonSchemaValidatorOptions {
  /**
   * What a schema does that is refused. `"throw"` (default) is what the SDK's interface says, and 2.x then fails that one tool. 1.x does not
   * catch it, so one bad `outputSchema` fails all of `listTools`: with `"fail"`, the validator is made and finds every value invalid, with the reason.
   */
  badSchema?: "throw" | "fail";
  /** Whether `format` is an assertion, as it is in the SDK's own validators. Default: true. */
  assertFormats?: boolean;
  /** The form of `errorMessage`: one line with all errors (default), or text for a language model with what would be right. */
  messages?: "line" | "model";
  /** The most characters of a message. Default: 4000. */
  messageChars?: number;
  /** Bounds on schemas and runs. */
  limits?: Limits;
}

/**
 * The SDK's `jsonSchemaValidator`. No eval, so it runs wherever the SDK does; schemas and values from strangers cannot hang it.
 *
 * Dialects and formats are those of the SDK's own validators: 2020-12 unless `$schema` says 2019-09, draft-07 or draft-06; others are
 * refused. References lead into the document itself, and are never fetched. Schemas are cached by their content, not by `$id`.
 *
 * @example
 * ```ts
 * import { StanchionJsonSchemaValidator } from "stanchion/mcp";
 * const client = new Client(info, { jsonSchemaValidator: new StanchionJsonSchemaValidator() });
 * const server = new McpServer(info, { jsonSchemaValidator: new StanchionJsonSchemaValidator() });
 * ```
 */
export class StanchionJsonSchemaValidator {
  readonly #options: Required<Omit<StanchionJsonSchemaValidatorOptions, "limits">> & { limits: Limits | undefined };

  constructor(options: StanchionJsonSchemaValidatorOptions = {}) {
    const { badSchema = "throw", assertFormats = true, messages = "line", messageChars = 4000, limits } = options;
    oneOf("badSchema", badSchema, ["throw", "fail"]);
    oneOf("messages", messages, ["line", "model"]);
    this.#options = { badSchema, assertFormats, messages, messageChars, limits };
  }

  /**
   * A validator of a schema.
   *
   * @throws {@link SchemaError} if the schema is refused, unless the option `badSchema` says otherwise.
   */
  getValidator<T>(schema: object | boolean): JsonSchemaValidator<T> {
    let validator: Validator<T>;
    try {
      validator = this.#compile<T>(schema);
    } catch (error) {
      if (this.#options.badSchema === "throw" || !(error instanceof SchemaError)) throw error;
      const errorMessage = `the schema is refused: ${error.message}`;
      return () => ({ valid: false, data: undefined, errorMessage });
    }
    return (input) =>
      validator.isValid(input)
        ? { valid: true, data: input, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: this.#message(validator, input) };
  }

  #compile<T>(schema: object | boolean): Validator<T> {
    const { assertFormats, limits } = this.#options;
    try {
      return new Validator<T>(schema, { preset: "typescript", references: "bundled", assertFormats, ...(limits && { limits }) });
    } catch (error) {
      const dialect = error instanceof SchemaError ? error.errors.find(({ kind }) => kind === "dialect") : undefined;
      if (dialect === undefined) throw error;
      // The SDK shows the first 200 characters of a message, and its tests look for these words among them.
      const uri = JSON.stringify(String(dialect.params["uri"]).slice(0, 60));
      const message = `unsupported dialect ${uri}; supported are JSON Schema 2020-12, 2019-09, draft-07, and draft-06`;
      throw new SchemaError(message, (error as SchemaError).errors, { cause: error });
    }
  }

  #message(validator: Validator, input: unknown): string {
    const { messages, messageChars } = this.#options;
    if (messages === "model") return validator.forModel(input, messageChars);
    const text = validator.errors(input).map(lineOf).join(", ");
    return text.length > messageChars ? `${text.slice(0, Math.max(0, messageChars - 1))}…` : text;
  }
}

/** An error in the form that users of the SDK know, `data/place words`. */
function lineOf(error: ErrorObject): string {
  return `data${error.instancePath} ${error.keyword === "required" ? requiredWords(error) : error.message}`;
}

/** The words for missing properties that the SDK's own tests look for, and our suggestion. */
function requiredWords({ params }: ErrorObject): string {
  const { missing, misspelled = [] } = params as { missing: string[]; misspelled?: { found: string; suggestion: string }[] };
  const words = missing.map((name) => `must have required property '${name}'`).join(", ");
  const found = misspelled.map(({ found, suggestion }) => `found '${found}', did you mean '${suggestion}'?`);
  return found.length === 0 ? words : `${words} (${found.join(" ")})`;
}

function oneOf(name: string, value: string, allowed: string[]): void {
  if (!allowed.includes(value)) throw new TypeError(`${name}: expected ${allowed.map((one) => `"${one}"`).join(" or ")}, found ${JSON.stringify(value)}`);
}

export { Toolbox, toolbox } from "./toolbox.js";
export type { Failure, Loaded, Outcome, Profile } from "./toolbox.js";
