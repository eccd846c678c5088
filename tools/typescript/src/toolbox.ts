import { textOf } from "./crossing.js";
import { engine, refusal, MISUSE, VALID, type Engine, type Exports, type Text } from "./engine.js";
import type { ErrorObject } from "./errors.js";
import type { Limits, Preset } from "./validator.js";

/** The choices of a toolbox. Those of the MCP profile (`tools/mcp`) that are not named here are taken as well. */
export interface Profile {
  /** The SDK whose ways are taken. Default: those of the specification. */
  preset?: Preset;
  assertFormats?: boolean;
  limits?: Limits;
  [choice: string]: unknown;
}

/** What became of a list of tools. */
export interface Loaded {
  /** How many can be used. */
  readonly tools: number;
  /** How many of them are as they were. */
  readonly unchanged: number;
  readonly isChanged: boolean;
  /** Tools that cannot be used, and why. They do not fail the others. */
  readonly refused: readonly { readonly [member: string]: unknown }[];
  readonly warnings: readonly { readonly [member: string]: unknown }[];
}

/** Why a call or a result does not go through. */
export interface Failure {
  readonly kind: "arguments" | "result" | "malformed" | "tool" | "json";
  readonly message: string;
  /** Where a value broke its schema. */
  readonly errors?: readonly ErrorObject[];
  /** Where the run reached a limit. */
  readonly undecided?: unknown;
  /** The result to answer with, which has `isError` and a text for the model. */
  readonly result?: { readonly [member: string]: unknown };
  /** The error to answer with, for JSON-RPC. */
  readonly error?: { readonly [member: string]: unknown };
}

/** What goes through, or why not. */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

/** A call of the module about a toolbox and texts of those lengths. */
type Run = (exports: Exports, handle: number, lengths: readonly number[]) => number;

const checkCall: Run = (exports, handle, [params = 0, version = 0]) => exports.stanchion_toolbox_check_call(handle, params, version);
const fillCall: Run = (exports, handle, [params = 0, version = 0]) => exports.stanchion_toolbox_fill_call(handle, params, version);
const checkResult: Run = (exports, handle, [name = 0, version = 0, result = 0]) => exports.stanchion_toolbox_check_result(handle, name, version, result);
const sendResult: Run = (exports, handle, [name = 0, version = 0, result = 0]) => exports.stanchion_toolbox_send_result(handle, name, version, result);

/** A handle, and the instance of the module that has it. */
interface Held {
  engine: Engine | undefined;
  handle: number;
}

const registry = new FinalizationRegistry<Held>(free);

function free(held: Held): void {
  if (held.engine !== undefined && !held.engine.isDead) held.engine.exports.stanchion_toolbox_free(held.handle);
  held.engine = undefined;
}

/**
 * The tools of an MCP server, as a gateway holds them: checks calls and results, and says how a client of a protocol version sees a tool.
 *
 * @example
 * ```ts
 * const tools = toolbox(await client.listTools(), { preset: "typescript" });
 * const checked = tools.checkCall({ name: "sum", arguments: { a: 1 } }, "2026-07-28");
 * if (!checked.ok) return checked.failure.result ?? checked.failure.error;
 * ```
 */
export class Toolbox {
  /** What became of the list that came last. */
  loaded!: Loaded;
  readonly #held: Held = { engine: undefined, handle: 0 };
  readonly #profile: string;
  /** The pages of the list, from which it is made again in a new instance of the module. */
  #pages: string[];
  #isDisposed = false;

  /**
   * @param list - An array of tools, or the result of `tools/list`.
   * @throws `SchemaError` if it is no list, TypeError if the profile is wrong. A bad tool is in `loaded.refused`.
   */
  constructor(list: unknown, profile?: Profile) {
    this.#profile = profile === undefined ? "" : textOf(profile);
    this.#pages = [textOf(list)];
    this.#ready();
    registry.register(this, this.#held, this.#held);
  }

  /** Takes another list in the place of this one. Tools that are the same stay compiled. */
  replace(list: unknown): Loaded {
    const page = textOf(list);
    this.loaded = this.#load(({ stanchion_toolbox_replace }) => stanchion_toolbox_replace, page);
    this.#pages = [page];
    return this.loaded;
  }

  /** Adds the next page of a list. */
  extend(list: unknown): Loaded {
    const page = textOf(list);
    this.loaded = this.#load(({ stanchion_toolbox_extend }) => stanchion_toolbox_extend, page);
    this.#pages.push(page);
    return this.loaded;
  }

  /** The result of `tools/list` for a client with that protocol version. */
  list(version: string): { tools: { [member: string]: unknown }[] } {
    return JSON.parse(this.#ask((exports, handle, [version = 0]) => exports.stanchion_toolbox_list(handle, version), [version])) as { tools: { [member: string]: unknown }[] };
  }

  /**
   * The definition of a tool for a client with that protocol version. For one from before 2026-07-28 it has an output schema that such a client can read.
   *
   * @throws TypeError if there is no such tool, with the reason if it was refused.
   */
  definitionFor(name: string, version: string): Outcome<{ [member: string]: unknown }> {
    return parsed(this.#call((exports, handle, [name = 0, version = 0]) => exports.stanchion_toolbox_definition(handle, name, version), [name, version]));
  }

  /** Checks the params of `tools/call`. The value is the name of the tool. */
  checkCall(params: unknown, version: string): Outcome<string> {
    return this.checkCallText(textOf(params), version);
  }

  /** As {@link Toolbox.checkCall}, for params that are JSON text. They are not parsed by JavaScript, so numbers keep their digits. */
  checkCallText(params: string | Uint8Array, version: string): Outcome<string> {
    const outcome = parsed<{ name: string }>(this.#call(checkCall, [params, version]));
    return outcome.ok ? { ok: true, value: outcome.value.name } : outcome;
  }

  /** Checks the params of `tools/call`. The value is the arguments, with defaults of the schema filled in. */
  fillCall(params: unknown, version: string): Outcome<{ [name: string]: unknown }> {
    return parsed(this.#call(fillCall, [textOf(params), version]));
  }

  /** As {@link Toolbox.fillCall}, for params that are JSON text. The value is JSON text too, in which numbers have all their digits. */
  fillCallText(params: string | Uint8Array, version: string): Outcome<string> {
    return this.#call(fillCall, [params, version]);
  }

  /** For a client: checks the result of a tool. The value is the result, out of the envelope that an older server may have used. */
  checkResult(name: string, version: string, result: unknown): Outcome<{ [member: string]: unknown }> {
    return parsed(this.#call(checkResult, [name, version, textOf(result)]));
  }

  /** As {@link Toolbox.checkResult}, for a result that is JSON text. The value is JSON text too. */
  checkResultText(name: string, version: string, result: string | Uint8Array): Outcome<string> {
    return this.#call(checkResult, [name, version, result]);
  }

  /** For a server: checks the result of a tool. The value is the result to send: with a text mirror where one is needed, in an envelope for older clients. */
  sendResult(name: string, version: string, result: unknown): Outcome<{ [member: string]: unknown }> {
    return parsed(this.#call(sendResult, [name, version, textOf(result)]));
  }

  /** As {@link Toolbox.sendResult}, for a result that is JSON text. The value is JSON text too. */
  sendResultText(name: string, version: string, result: string | Uint8Array): Outcome<string> {
    return this.#call(sendResult, [name, version, result]);
  }

  /** All choices of the profile. */
  profile(): Profile {
    return JSON.parse(this.#ask((exports, handle) => exports.stanchion_toolbox_profile(handle), [])) as Profile;
  }

  /** Frees what the toolbox holds. It is not to be used again. */
  dispose(): void {
    this.#isDisposed = true;
    registry.unregister(this.#held);
    free(this.#held);
  }

  /** The instance of the module in which this toolbox is, made anew if need be. */
  #ready(): Engine {
    if (this.#isDisposed) throw new TypeError("the toolbox was disposed of");
    const now = engine();
    const held = this.#held;
    if (held.engine === now) return now;
    const [first = "", ...others] = this.#pages;
    held.handle = now.make([first, this.#profile], ([list = 0, profile = 0]) => now.exports.stanchion_toolbox_new(list, profile));
    this.loaded = JSON.parse(now.answer()) as Loaded;
    held.engine = now;
    for (const page of others) this.loaded = this.#load(({ stanchion_toolbox_extend }) => stanchion_toolbox_extend, page);
    now.trim();
    return now;
  }

  #load(pick: (exports: Exports) => (toolbox: number, list: number) => number, page: string): Loaded {
    return JSON.parse(this.#ask((exports, handle, [list = 0]) => pick(exports)(handle, list), [page])) as Loaded;
  }

  /** Makes a call that is expected to succeed: its answer. */
  #ask(run: Run, texts: readonly Text[]): string {
    const [status, answer] = this.#run(run, texts);
    if (status !== VALID) throw refusal(status, answer);
    return answer;
  }

  /** Makes a call that checks something. The value is its answer, which is JSON text. */
  #call(run: Run, texts: readonly Text[]): Outcome<string> {
    const [status, answer] = this.#run(run, texts);
    if (status === VALID) return { ok: true, value: answer };
    if (status === MISUSE) throw refusal(status, answer);
    const failure = JSON.parse(answer) as Failure;
    // Without a kind it is not about the call: there is no memory left.
    if (failure.kind === undefined) throw refusal(status, answer);
    return { ok: false, failure };
  }

  #run(run: Run, texts: readonly Text[]): [number, string] {
    const now = this.#ready();
    const lengths = now.writeAll(texts);
    const status = now.call(() => run(now.exports, this.#held.handle, lengths));
    const answer = now.answer();
    now.trim();
    return [status, answer];
  }
}

/** What `using` calls, in runtimes that have it. */
export interface Toolbox extends Disposable {}
const dispose: symbol = Symbol.dispose ?? Symbol.for("Symbol.dispose");
Object.defineProperty(Toolbox.prototype, dispose, { value: Toolbox.prototype.dispose, writable: true, configurable: true });

/** A toolbox of a list of tools. See {@link Toolbox}. */
export function toolbox(list: unknown, profile?: Profile): Toolbox {
  return new Toolbox(list, profile);
}

/** What goes through, parsed. */
function parsed<T>(outcome: Outcome<string>): Outcome<T> {
  return outcome.ok ? { ok: true, value: JSON.parse(outcome.value) as T } : outcome;
}
