// The module for tests: loads it, and makes calls by the names of the contract.
import { readFileSync } from "node:fs";
import { randomBytes } from "node:crypto";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The names of statuses, in the order of their numbers. */
export const STATUSES = ["valid", "invalid", "refused", "undecided", "not_json", "misuse"];

/** Compiles the module in a file. */
export function load(file) {
  return new WebAssembly.Module(readFileSync(file));
}

/** An instance of the module. */
export class Stanchion {
  constructor(module) {
    // Nothing is imported.
    this.exports = new WebAssembly.Instance(module, {}).exports;
    this.exports.stanchion_seed(...new BigUint64Array(new Uint8Array(randomBytes(32)).buffer));
    this.address = 0;
    this.capacity = 0;
  }

  /** Writes texts into the input, one behind the other, and returns their lengths. */
  write(...texts) {
    const bytes = texts.map((text) => (typeof text === "string" ? encoder.encode(text) : text));
    const total = bytes.reduce((sum, text) => sum + text.length, 0);
    if (total > this.capacity) {
      this.address = this.exports.stanchion_input(total);
      this.capacity = this.address === 0 ? 0 : total;
      if (this.address === 0) throw new Error(`no memory for a text of ${total} bytes`);
    }
    const input = new Uint8Array(this.exports.memory.buffer, this.address, total);
    let at = 0;
    for (const text of bytes) {
      input.set(text, at);
      at += text.length;
    }
    return bytes.map((text) => text.length);
  }

  /** The answer of the last call, as bytes that stay as they are. */
  answer() {
    const { memory, stanchion_answer, stanchion_answer_len } = this.exports;
    return new Uint8Array(memory.buffer, stanchion_answer(), stanchion_answer_len()).slice();
  }

  /** The answer of the last call, as text. */
  text() {
    return decoder.decode(this.answer());
  }

  /** A handle, or a status, which is below 8. */
  validator(schema, options = "") {
    return this.exports.stanchion_validator_new(...this.write(schema, options));
  }

  /** The status of an instance. */
  check(validator, text) {
    return this.exports.stanchion_check(validator, ...this.write(text));
  }
}
