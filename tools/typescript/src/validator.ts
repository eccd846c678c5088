import { encode, textEnd, textOf, writeText } from "./crossing.js";
import { engine, ready, Slot, MISUSE, NOT_JSON, UNDECIDED, VALID, type Engine } from "./engine.js";
import { InstanceError, line, SchemaError, StanchionError, ValidationError, type ErrorObject, type SchemaErrorObject } from "./errors.js";

/** A JSON Schema. Written as an object, since schemas come in many types of their own. */
export type JsonSchema = boolean | object;

/** The dialects that have names. */
export type Dialect = "2020-12" | "2019-09" | "draft-07" | "draft-06" | "draft-04";

/** The MCP SDKs whose ways are known; `default` and `lenient` are those of the specification. */
export type Preset = "default" | "lenient" | "typescript" | "python" | "ruby" | "csharp" | "java" | "go";

/** How a schema is read and how values are checked. Every member may be absent. */
export interface ValidatorOptions {
  /** An MCP SDK whose ways are taken: its dialects, its formats, and the words in which it refuses a schema. */
  preset?: Preset;
  /** The dialect of schemas that declare none, or the URI of a metaschema. Default: 2020-12. */
  dialect?: Dialect | (string & {});
  /** The dialect to take where `$schema` names one that is not known. Without it, such a schema is refused. */
  unknownDialect?: Dialect | (string & {});
  /** `"local"` (default): references start with `#`. `"bundled"`: also to `$id`s in the document, and to `resources`. Nothing is ever fetched. */
  references?: "local" | "bundled";
  /** Schemas by URI, for references to find. Needs `references: "bundled"`. */
  resources?: { readonly [uri: string]: JsonSchema };
  /** Whether `format` is an assertion. Default: false. */
  assertFormats?: boolean;
  /** Formats that are not asserted all the same. */
  ignoreFormats?: readonly string[];
  /** Whether `items` may be an array in schemas that declare no dialect. Default: false. */
  arrayItems?: boolean;
  /** Bounds on schemas and runs. */
  limits?: Limits;
  /** How long a text may be, in bytes. Default and most: 32 MiB. */
  textBytes?: number;
  /** What messages show. */
  messages?: {
    /** Whether values of the instance are kept out of messages and params. Default: false. */
    maskValues?: boolean;
    /** How many characters of a value are shown. Default: 100. */
    valueLength?: number;
  };
  /** Whether the compiled schema may come from the module's cache, and be kept there. Default: true. */
  cache?: boolean;
  /** For tests: false runs the program as it was compiled. */
  optimize?: boolean;
}

/** Bounds on schemas and runs. A schema beyond them is refused; a run beyond them is undecided. */
export interface Limits {
  /** Nesting of subschemas. Default: 64. */
  depth?: number;
  /** Number of subschemas. Default: 10,000. */
  subschemas?: number;
  /** Size of the schema. Default: 4 MiB. */
  documentBytes?: number;
  /** Size of all patterns. Default: 80,000. */
  patternSize?: number;
  /** Work of one run, besides what grows with the value. Default: 2,000,000. */
  steps?: number;
  /** Nesting of a run. Default: 256. */
  instanceDepth?: number;
  /** Bytes that one run may hold. Default: 16 MiB. */
  memory?: number;
  /** Errors that one run collects. Default: 100. */
  errors?: number;
}

/** Undecided: the run reached a limit. Such a value is neither valid nor invalid. */
export type Verdict = "valid" | "invalid" | "undecided";

/** A bound on the steps of any run; null where there is none. */
export interface Cost {
  readonly growth: unknown;
  readonly steps: number | null;
  readonly places: unknown;
}

/** What a schema measures. */
export interface Size {
  readonly depth: number;
  readonly subschemas: number;
  readonly documentBytes: number;
  readonly patternSize: number;
  readonly patterns: number;
  readonly references: number;
}

/** All that is wrong with a schema, and what it probably did not mean. */
export interface Diagnosis {
  readonly errors: readonly SchemaErrorObject[];
  readonly warnings: readonly SchemaErrorObject[];
  /** Whether there is more. */
  readonly isCut: boolean;
}

/** An annotation of the schema that applies to a value. */
export interface Annotation {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly absoluteLocation: string;
  readonly evaluationPath: string;
  readonly value: unknown;
}

/** Output formats of the specification. */
export type OutputFormat = "flag" | "basic" | "detailed" | "verbose" | "list" | "hierarchical";

const OUTPUT_FORMATS: readonly OutputFormat[] = ["flag", "basic", "detailed", "verbose", "list", "hierarchical"];
const VERDICTS: readonly Verdict[] = ["valid", "invalid"];

/** Frees what validators hold that nobody can reach any more. */
const registry = new FinalizationRegistry<Slot>((slot) => slot.engine?.release(slot));

/** What a call of the module is about. */
type Call = (engine: Engine, handle: number, length: number) => number;

const check: Call = ({ exports }, handle, length) => exports.stanchion_check(handle, length);
const explain: Call = ({ exports }, handle, length) => exports.stanchion_explain(handle, length);
const explainFirst: Call = ({ exports }, handle, length) => exports.stanchion_explain_first(handle, length);
const explainInFull: Call = ({ exports }, handle, length) => exports.stanchion_explain_in_full(handle, length);
const annotate: Call = ({ exports }, handle, length) => exports.stanchion_annotations(handle, length);
const measure: Call = ({ exports }, handle, length) => exports.stanchion_measure(handle, length);

/**
 * A compiled JSON Schema.
 *
 * It is immutable and synchronous. What it holds in the memory of the module is freed when it is collected, or at once by
 * {@link Validator.dispose} or `using`.
 *
 * @typeParam T - What a valid value is, for the type guard {@link Validator.isValid}.
 *
 * @example
 * ```ts
 * const validator = new Validator<{ city: string }>({
 *   type: "object",
 *   properties: { city: { type: "string" } },
 *   required: ["city"],
 * });
 * if (validator.isValid(value)) console.log(value.city);
 * else console.log(validator.errors(value)[0].message);
 * ```
 */
export class Validator<T = unknown> {
  readonly #slot: Slot;
  /** Whether values may cross without their text. The option `textBytes` counts its bytes. */
  readonly #isEncoded: boolean;
  #isDisposed = false;

  /**
   * @param schema - A JSON Schema. It is read once; later changes of the object have no effect.
   * @throws {@link SchemaError} with all problems, if the schema is refused.
   * @throws TypeError if the options are wrong.
   */
  constructor(schema: JsonSchema, options?: ValidatorOptions) {
    this.#slot = new Slot(schemaText(schema), optionsText(options));
    this.#isEncoded = options?.textBytes === undefined;
    engine().compile(this.#slot);
    registry.register(this, this.#slot, this.#slot);
  }

  /** A validator of a schema that is text, in which whole numbers up to 64 bits keep all their digits. */
  static fromText<T = unknown>(schema: string, options?: ValidatorOptions): Validator<T> {
    return new Validator<T>(new SchemaText(schema), options);
  }

  /** What is wrong with a schema, and what it probably did not mean, such as misspelled keywords. */
  static diagnose(schema: JsonSchema, options?: ValidatorOptions): Diagnosis {
    return JSON.parse(engine().diagnose(schemaText(schema), optionsText(options))) as Diagnosis;
  }

  /** Whether a value was proven valid. False also for values that have no JSON text, and where the run reached a limit. Never throws for a value. */
  isValid(value: unknown): value is T {
    try {
      return this.#check(value) === VALID;
    } catch (error) {
      if (error instanceof InstanceError) return false;
      throw error;
    }
  }

  /** As {@link Validator.isValid}, for JSON text. False if it is not JSON. */
  isValidText(text: string | Uint8Array): boolean {
    try {
      return this.#run(check, text, true) === VALID;
    } catch (error) {
      if (error instanceof InstanceError) return false;
      throw error;
    }
  }

  /**
   * The verdict on a value.
   *
   * @throws {@link InstanceError} if the value has no JSON text, or one that is too long or nested too deep.
   */
  verdict(value: unknown): Verdict {
    return this.#verdict(value, false);
  }

  /** As {@link Validator.verdict}, for JSON text. */
  verdictText(text: string | Uint8Array): Verdict {
    return this.#verdict(text, true);
  }

  /**
   * Returns the value itself if it is valid.
   *
   * @throws {@link ValidationError} if it is not, or was not proven to be.
   */
  validate(value: unknown): T {
    if (this.isValid(value)) return value;
    throw new ValidationError(this.errors(value));
  }

  /** What is wrong with a value, most helpful first; empty if it is valid. */
  errors(value: unknown): ErrorObject[] {
    return this.#errors(explain, value, false);
  }

  /** As {@link Validator.errors}, for JSON text. */
  errorsText(text: string | Uint8Array): ErrorObject[] {
    return this.#errors(explain, text, true);
  }

  /** The most helpful error, or undefined if the value is valid. */
  firstError(value: unknown): ErrorObject | undefined {
    return this.#errors(explainFirst, value, false)[0];
  }

  /** Errors with `evaluationPath`, `absoluteLocation` and `union` as well. */
  errorsInFull(value: unknown): (ErrorObject & { readonly [name: string]: unknown })[] {
    return this.#errors(explainInFull, value, false) as (ErrorObject & { [name: string]: unknown })[];
  }

  /** What is wrong, and what would be right, as text for a language model, of at most so many characters. Empty if the value is valid. */
  forModel(value: unknown, chars = 1000): string {
    const most = count("chars", chars);
    try {
      return this.#answer(({ exports }, handle, length) => exports.stanchion_for_model(handle, length, most), value, false);
    } catch (error) {
      if (error instanceof InstanceError) return error.message.slice(0, most);
      throw error;
    }
  }

  /** The annotations of a valid value; none for another. */
  annotations(value: unknown): Annotation[] {
    return JSON.parse(this.#answer(annotate, value, false)) as Annotation[];
  }

  /** The verdict in an output format of the specification. */
  output(value: unknown, format: OutputFormat): unknown {
    const number = OUTPUT_FORMATS.indexOf(format);
    if (number < 0) throw new TypeError(`format: expected one of ${OUTPUT_FORMATS.join(", ")}, found ${format}`);
    return JSON.parse(this.#answer(({ exports }, handle, length) => exports.stanchion_output(handle, length, number), value, false));
  }

  /** The steps that the verdict on a value takes, the same on every machine. */
  measure(value: unknown): number {
    return Number(this.#answer(measure, value, false));
  }

  /** A bound on the steps for any value of so many values in so many bytes of JSON. */
  cost(nodes = 1000, bytes = 100_000): Cost {
    const [most, long] = [BigInt(count("nodes", nodes)), BigInt(count("bytes", bytes))];
    return JSON.parse(this.#about(({ exports }, handle) => exports.stanchion_cost(handle, most, long))) as Cost;
  }

  /** What the schema measures, in the terms of {@link Limits}. */
  size(): Size {
    return JSON.parse(this.#about(({ exports }, handle) => exports.stanchion_size(handle))) as Size;
  }

  /** The listing of the compiled schema, for people. */
  program(): string {
    return this.#about(({ exports }, handle) => exports.stanchion_program(handle));
  }

  /** Frees what the validator holds. It is not to be used again. */
  dispose(): void {
    if (this.#isDisposed) return;
    this.#isDisposed = true;
    registry.unregister(this.#slot);
    this.#slot.engine?.release(this.#slot);
  }

  /** The schema and the verdict through the Standard Schema interface. */
  get "~standard"(): StandardSchema<T> {
    return {
      version: 1,
      vendor: "stanchion",
      validate: (value) => {
        if (this.isValid(value)) return { value };
        return { issues: this.errors(value).map((error) => ({ message: error.message, path: pointerParts(error.instancePath) })) };
      },
    };
  }

  #verdict(value: unknown, isText: boolean): Verdict {
    const status = isText ? this.#run(check, value, true) : this.#check(value);
    const verdict = VERDICTS[status];
    if (verdict !== undefined) return verdict;
    if (status === UNDECIDED) return "undecided";
    throw new InstanceError(this.#errors(explainFirst, value, isText).map(line).join("; "));
  }

  #errors(call: Call, value: unknown, isText: boolean): ErrorObject[] {
    try {
      return JSON.parse(this.#answer(call, value, isText)) as ErrorObject[];
    } catch (error) {
      if (!(error instanceof InstanceError)) throw error;
      return [{ instancePath: "", schemaPath: "#", keyword: "", params: {}, message: error.message }];
    }
  }

  /** The status of the verdict on a value. */
  #check(value: unknown): number {
    const slot = this.#slot;
    let { engine } = slot;
    if (engine === undefined || !engine.isCurrent) engine = this.#ready();
    else slot.isUsed = true;
    const words = this.#isEncoded ? encode(engine, value) : -1;
    // Code of the value, such as a getter, may have used up what was ready.
    if (words >= 0 && slot.engine === engine && !engine.isDead) {
      const status = engine.checkEncoded(slot.handle, words, textEnd());
      if (status <= UNDECIDED) return status;
    }
    return this.#run(check, value, false);
  }

  /** Writes a value as text and makes a call about it: its status. */
  #run(call: Call, value: unknown, isText: boolean): number {
    const slot = this.#slot;
    // Code of the value, such as a getter, has run before `textOf` ends.
    const text = isText ? (value as string | Uint8Array) : textOf(value);
    const engine = this.#ready();
    const length = writeText(engine, text);
    let status: number;
    try {
      status = call(engine, slot.handle, length);
    } catch (cause) {
      throw engine.trapped(cause);
    }
    if (status === MISUSE) throw new StanchionError("the validator's module does not know a call that this package makes of it");
    if (length > 1_000_000) engine.trim();
    if (status === NOT_JSON && !isText) throw new InstanceError(whyNotJson(value));
    return status;
  }

  /** The instance of the module in which this validator has a handle. */
  #ready(): Engine {
    if (this.#isDisposed) throw new TypeError("the validator was disposed of");
    return ready(this.#slot);
  }

  /** As `#run`, with the text that the call answers. */
  #answer(call: Call, value: unknown, isText: boolean): string {
    let text = "";
    this.#run(
      (engine, handle, length) => {
        const status = call(engine, handle, length);
        text = engine.answer();
        return status;
      },
      value,
      isText,
    );
    return text;
  }

  /** Makes a call about the schema alone. */
  #about(call: (engine: Engine, handle: number) => number): string {
    const engine = this.#ready();
    engine.call(() => call(engine, this.#slot.handle));
    return engine.answer();
  }
}

/** What `using` calls, in runtimes that have it. */
export interface Validator<T> extends Disposable {}
const dispose: symbol = Symbol.dispose ?? Symbol.for("Symbol.dispose");
Object.defineProperty(Validator.prototype, dispose, {
  value: Validator.prototype.dispose,
  writable: true,
  configurable: true,
});

/** The part of the Standard Schema interface that a validator has. */
export interface StandardSchema<T> {
  readonly version: 1;
  readonly vendor: "stanchion";
  readonly validate: (value: unknown) => { readonly value: T } | { readonly issues: readonly { readonly message: string; readonly path: string[] }[] };
}

/** A schema that is text already. */
class SchemaText {
  constructor(readonly text: string) {}
}

function schemaText(schema: unknown): string {
  if (schema instanceof SchemaText) return schema.text;
  if (typeof schema !== "boolean" && (typeof schema !== "object" || schema === null)) {
    const found = schema === null ? "null" : `a ${typeof schema}`;
    const help = typeof schema === "string" ? "; for JSON text use Validator.fromText" : "";
    throw new SchemaError(`expected a schema, which is an object or a boolean, found ${found}${help}`);
  }
  let text: string | undefined;
  try {
    text = JSON.stringify(schema);
  } catch (cause) {
    throw new SchemaError(`the schema has no JSON text: ${cause instanceof Error ? cause.message : "reading it failed"}`, [], { cause });
  }
  if (text === undefined) throw new SchemaError("the schema has no JSON text");
  return text;
}

function optionsText(options: ValidatorOptions | undefined): string {
  return options === undefined ? "" : JSON.stringify(options);
}

/** A number that counts something. */
function count(name: string, number: number): number {
  if (!Number.isInteger(number) || number < 0) throw new TypeError(`${name}: expected a whole number from 0 on, found ${number}`);
  return Math.min(number, 0x7fffffff);
}

/** Why the text that `JSON.stringify` makes of a value is not taken for JSON. */
function whyNotJson(value: unknown): string {
  const hasHalf = /(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(JSON.stringify(value));
  return hasHalf
    ? "a string of the value has half of a surrogate pair, which is not a character"
    : "the value is nested deeper than 127 arrays and objects, or longer than the option textBytes";
}

function pointerParts(pointer: string): string[] {
  return pointer.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}
