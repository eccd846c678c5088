// The wasm module: one instance for all validators, and what they hold in it.
//
// A validator is its texts, the schema and the options. The handle in the module is only made from them, so it may go at any time:
// when there are too many, when memory runs out, or with an instance that trapped. The next use makes it again.

import { load } from "#load";
import { InstanceError, SchemaError, StanchionError, type SchemaErrorObject } from "./errors.js";

/** Statuses of the contract, `tools/wire`. */
export const VALID = 0;
export const INVALID = 1;
export const REFUSED = 2;
export const UNDECIDED = 3;
export const NOT_JSON = 4;
export const MISUSE = 5;

/** Numbers below it are statuses, others handles. */
const FIRST_HANDLE = 8;

const ABI_VERSION = 1;

/** How many handles an instance holds; the one that was not used for longest goes first. */
const MOST_HANDLES = 4096;

/** What the input has at first, and goes back to after a longer text. */
const INPUT = 64 * 1024;
const KEPT_INPUT = 1024 * 1024;

/** How long a text may be: what the module can take. */
export const MOST_BYTES = 32 * 1024 * 1024;

/** JSON text, as a string or in UTF-8. */
export type Text = string | Uint8Array;

/** The functions of the module. */
export interface Exports {
  readonly memory: WebAssembly.Memory;
  stanchion_abi_version(): number;
  stanchion_seed(a: bigint, b: bigint, c: bigint, d: bigint): number;
  stanchion_input(length: number): number;
  stanchion_answer(): number;
  stanchion_answer_len(): number;
  stanchion_validator_new(schema: number, options: number): number;
  stanchion_validator_free(validator: number): number;
  stanchion_diagnose(schema: number, options: number): number;
  stanchion_check(validator: number, length: number): number;
  stanchion_check_encoded(validator: number, words: number, textAt: number, text: number): number;
  stanchion_keep_name(at: number, length: number): number;
  stanchion_forget_names(): void;
  stanchion_measure(validator: number, length: number): number;
  stanchion_explain(validator: number, length: number): number;
  stanchion_explain_first(validator: number, length: number): number;
  stanchion_explain_in_full(validator: number, length: number): number;
  stanchion_annotations(validator: number, length: number): number;
  stanchion_for_model(validator: number, length: number, chars: number): number;
  stanchion_output(validator: number, length: number, format: number): number;
  stanchion_cost(validator: number, nodes: bigint, bytes: bigint): number;
  stanchion_size(validator: number): number;
  stanchion_program(validator: number): number;
  stanchion_toolbox_new(list: number, profile: number): number;
  stanchion_toolbox_free(toolbox: number): number;
  stanchion_toolbox_replace(toolbox: number, list: number): number;
  stanchion_toolbox_extend(toolbox: number, list: number): number;
  stanchion_toolbox_list(toolbox: number, version: number): number;
  stanchion_toolbox_definition(toolbox: number, name: number, version: number): number;
  stanchion_toolbox_check_call(toolbox: number, params: number, version: number): number;
  stanchion_toolbox_fill_call(toolbox: number, params: number, version: number): number;
  stanchion_toolbox_check_result(toolbox: number, name: number, version: number, result: number): number;
  stanchion_toolbox_send_result(toolbox: number, name: number, version: number, result: number): number;
  stanchion_toolbox_profile(toolbox: number): number;
  stanchion_cache_len(): number;
  stanchion_cache_clear(): void;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** What a validator holds: its texts, and a handle while it has one. */
export class Slot {
  handle = 0;
  /** The instance in which the handle is. */
  engine: Engine | undefined;
  /** Its place among the slots of the instance. */
  index = 0;
  /** Whether it was used since the last look for one to free. */
  isUsed = false;

  constructor(
    readonly schema: string,
    readonly options: string,
  ) {}
}

/** The names that the module keeps, so that they cross as a number. Each is found by the one that came before it the last time, and else by its text. */
export class KeptNames {
  readonly numbers = new Map<string, number>();
  readonly names: string[] = [];
  /** By a name's number plus one: the number of the name that came behind it. First, the one at the start. */
  readonly next: number[] = [0];
  /** Whether the module takes no more. */
  isFull = false;

  /** Adds a name with the number that the module gave it; -1 if it gave none. */
  add(name: string, number: number): void {
    if (number < 0) {
      this.isFull = true;
      return;
    }
    this.numbers.set(name, number);
    this.names.push(name);
    this.next.push(0);
  }
}

/** An instance of the module. */
export class Engine {
  readonly exports: Exports;
  /** Whether calls go on to use this instance: not once it stopped or was replaced, or while it has no random seeds. */
  isCurrent: boolean;
  isDead = false;
  /** The input of the module. Its length is 0 once the memory has grown. */
  input: Uint8Array;
  /** The first half of it, where the words of an encoded value go. */
  words: Int32Array;
  /** Where the second half starts, for the texts of an encoded value. */
  textAt = 0;
  /** How often something was written to the input. */
  uses = 0;
  kept = new KeptNames();
  #address = 0;
  #capacity = 0;
  readonly #slots: Slot[] = [];
  #hand = 0;

  constructor(module: WebAssembly.Module) {
    // Nothing is imported.
    this.exports = new WebAssembly.Instance(module, {}).exports as unknown as Exports;
    const version = this.exports.stanchion_abi_version();
    if (version !== ABI_VERSION) throw new StanchionError(`stanchion.wasm is of version ${version}, expected version ${ABI_VERSION}`);
    const seeds = randomSeeds();
    this.isCurrent = seeds !== undefined;
    if (seeds) this.exports.stanchion_seed(seeds[0]!, seeds[1]!, seeds[2]!, seeds[3]!);
    this.input = new Uint8Array(0);
    this.words = new Int32Array(0);
    this.#makeRoom(INPUT);
  }

  /** Makes the input at least so long. What was in it is gone if it had to grow. */
  #makeRoom(length: number): void {
    if (length > this.#capacity) {
      this.#address = this.call(() => this.exports.stanchion_input(length));
      this.#capacity = this.#address === 0 ? 0 : length;
      if (this.#address === 0) throw new StanchionError(`there is no memory left for a text of ${length} bytes`);
    }
    const { buffer } = this.exports.memory;
    const half = this.#capacity >> 3;
    this.input = new Uint8Array(buffer, this.#address, this.#capacity);
    this.words = new Int32Array(buffer, this.#address, half);
    this.textAt = 4 * half;
  }

  /** Makes the input ready for a text of so many bytes at most; false if it is too long. */
  reserve(length: number): boolean {
    if (length > MOST_BYTES) return false;
    if (this.input.length < length) this.#makeRoom(Math.max(length, INPUT));
    return true;
  }

  /** Gives memory of a long input back. */
  trim(): void {
    if (this.#capacity <= KEPT_INPUT) return;
    this.exports.stanchion_input(0);
    this.#capacity = 0;
    this.#makeRoom(INPUT);
  }

  /** Writes a text to the input, from a place on, and returns its length in bytes; -1 if it does not fit. */
  write(text: Text, at = 0): number {
    this.uses++;
    if (typeof text !== "string") {
      if (text.length > this.input.length - at) return -1;
      this.input.set(text, at);
      return text.length;
    }
    const { read, written } = encoder.encodeInto(text, at === 0 ? this.input : this.input.subarray(at));
    return read === text.length ? written : -1;
  }

  /** The verdict on an encoded value of so many words, whose texts end at that place in the input: a status. */
  checkEncoded(handle: number, words: number, textEnd: number): number {
    let status: number;
    try {
      status = this.exports.stanchion_check_encoded(handle, 4 * words, this.textAt, textEnd - this.textAt);
    } catch (cause) {
      throw this.trapped(cause);
    }
    if (this.#capacity > KEPT_INPUT) this.trim();
    return status;
  }

  /** Lets the module keep a name that is in the input, and returns its number; -1 if it keeps no more. */
  keepName(at: number, length: number): number {
    return this.call(() => this.exports.stanchion_keep_name(at, length));
  }

  /** Begins anew with kept names. */
  forgetNames(): void {
    this.exports.stanchion_forget_names();
    this.kept = new KeptNames();
  }

  /** The answer of the last call. */
  answer(): string {
    const { memory, stanchion_answer, stanchion_answer_len } = this.exports;
    return decoder.decode(new Uint8Array(memory.buffer, stanchion_answer(), stanchion_answer_len()));
  }

  /** Calls the module. If it traps, this instance is given up. */
  call(run: () => number): number {
    try {
      return run();
    } catch (cause) {
      throw this.trapped(cause);
    }
  }

  /** Gives this instance up after a trap. */
  trapped(cause: unknown): StanchionError {
    this.isDead = true;
    this.isCurrent = false;
    return new StanchionError("the validator's module stopped; the next call gets a new one", { cause });
  }

  /** Makes a handle of texts. Throws if it is refused. */
  make(texts: readonly Text[], run: (lengths: readonly number[]) => number): number {
    const lengths = this.writeAll(texts);
    let handle = this.call(() => run(lengths));
    if (handle === UNDECIDED) {
      // There is no memory left. All that can be made again may go; the input stays as it is.
      for (const other of this.#slots.slice()) this.release(other);
      this.exports.stanchion_cache_clear();
      handle = this.call(() => run(lengths));
    }
    if (handle >= 0 && handle < FIRST_HANDLE) {
      const answer = this.answer();
      this.trim();
      throw refusal(handle, answer);
    }
    return handle;
  }

  /** Makes a handle for a slot. */
  compile(slot: Slot): void {
    slot.handle = this.make([slot.schema, slot.options], ([schema = 0, options = 0]) => this.exports.stanchion_validator_new(schema, options));
    slot.engine = this;
    slot.isUsed = true;
    this.#keep(slot);
    this.trim();
  }

  /** What is wrong with a schema, and what it probably did not mean: the answer of `diagnose`. */
  diagnose(schema: string, options: string): string {
    const [schemaLength = 0, optionsLength = 0] = this.writeAll([schema, options]);
    const status = this.call(() => this.exports.stanchion_diagnose(schemaLength, optionsLength));
    const answer = this.answer();
    this.trim();
    if (status === MISUSE || status === NOT_JSON || status === UNDECIDED) throw refusal(status, answer);
    return answer;
  }

  /** Writes texts to the input, one behind the other, and returns their lengths. */
  writeAll(texts: readonly Text[]): number[] {
    // A character is three bytes at most.
    let most = 0;
    for (const text of texts) most += typeof text === "string" ? 3 * text.length : text.length;
    this.reserve(Math.min(Math.max(most, 1), MOST_BYTES));
    let at = 0;
    return texts.map((text) => {
      if (text.length === 0) return 0;
      const length = this.write(text, at);
      if (length < 0) throw new StanchionError(`texts of more than ${MOST_BYTES} bytes cannot be passed`);
      at += length;
      return length;
    });
  }

  /** Puts a slot among the others, in the place of another if there are many. */
  #keep(slot: Slot): void {
    const slots = this.#slots;
    if (slots.length < MOST_HANDLES) {
      slot.index = slots.push(slot) - 1;
      return;
    }
    for (;;) {
      const at = this.#hand;
      this.#hand = (at + 1) % MOST_HANDLES;
      const other = slots[at]!;
      if (other.isUsed) {
        other.isUsed = false;
        continue;
      }
      this.exports.stanchion_validator_free(other.handle);
      other.engine = undefined;
      slots[at] = slot;
      slot.index = at;
      return;
    }
  }

  /** Frees the handle of a slot. */
  release(slot: Slot): void {
    if (slot.engine !== this) return;
    slot.engine = undefined;
    const last = this.#slots.pop()!;
    if (last !== slot) {
      this.#slots[slot.index] = last;
      last.index = slot.index;
    }
    if (this.#hand >= this.#slots.length) this.#hand = 0;
    if (!this.isDead) this.exports.stanchion_validator_free(slot.handle);
  }

  /** How many handles there are. */
  get handles(): number {
    return this.#slots.length;
  }
}

/** An error for a status that is not a handle. */
export function refusal(status: number, answer: string): Error {
  const problem = JSON.parse(answer) as { message: string; errors?: SchemaErrorObject[] };
  switch (status) {
    case MISUSE:
      return new TypeError(problem.message);
    case UNDECIDED:
      return new StanchionError(problem.message);
    default:
      return new SchemaError(problem.message, problem.errors);
  }
}

/** Random numbers, or none where a runtime has none yet: workerd gives them only within a request. */
function randomSeeds(): BigUint64Array | undefined {
  try {
    return crypto.getRandomValues(new BigUint64Array(4));
  } catch {
    return undefined;
  }
}

let compiled: WebAssembly.Module | undefined;
let current: Engine | undefined;

/** The instance to use now. */
export function engine(): Engine {
  if (current?.isCurrent === true) return current;
  if (current === undefined || current.isDead || randomSeeds() !== undefined) {
    compiled ??= load();
    current = new Engine(compiled);
  }
  return current;
}

/** A slot that has a handle, in the instance that is returned. */
export function ready(slot: Slot): Engine {
  const now = engine();
  if (slot.engine !== now) now.compile(slot);
  slot.isUsed = true;
  return now;
}

/** Gives up the instance of the module that is used now. */
function drop(): void {
  if (current !== undefined) current.isCurrent = false;
  current = undefined;
}

/**
 * Hands over the module, where the package cannot load it by itself, for example in one file made by a bundler.
 *
 * @param module - `stanchion.wasm`, compiled or as bytes.
 */
export function provide(module: WebAssembly.Module | BufferSource): void {
  compiled = module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module);
  drop();
}

/**
 * Drops the instance of the module and all its memory. Validators stay good: each is compiled again at its next use.
 */
export function reset(): void {
  drop();
}

/** What the module holds now. */
export interface Usage {
  /** The size of its memory, which never shrinks until {@link reset}. */
  readonly bytes: number;
  /** How many validators are compiled in it. */
  readonly validators: number;
}

/** What the module holds now. */
export function usage(): Usage {
  if (current === undefined) return { bytes: 0, validators: 0 };
  return { bytes: current.exports.memory.buffer.byteLength, validators: current.handles };
}

/** An error for a value that is too long. */
export function tooLong(): InstanceError {
  return new InstanceError(`the value is longer than ${MOST_BYTES} bytes of JSON`);
}
