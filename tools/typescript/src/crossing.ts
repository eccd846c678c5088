// How a value gets into the module: as JSON text, written straight into its memory.
//
// The text is that of `JSON.stringify`. A walk over plain objects and arrays writes it without making a string first, which takes
// less time for short values and as much for long ones (`npm run bench crossing`). Everything that `JSON.stringify` treats in a way of its own (`toJSON`, boxed values, BigInt,
// classes, deep or circular values) is left to it.

import { tooLong, MOST_BYTES, type Engine } from "./engine.js";
import { InstanceError } from "./errors.js";

/** Deeper values go through `JSON.stringify`, which finds circles; the module refuses what is nested deeper. */
const DEPTH = 128;

/** Longer texts are encoded by the runtime. */
const LONG = 64;

/** What must be escaped in a string, or is half of a character. */
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;

const objectPrototype = Object.prototype;
const { getPrototypeOf, keys } = Object;
const isRawJson = (JSON as { isRawJSON?: (value: unknown) => boolean }).isRawJSON;
const encoder = new TextEncoder();

/** What a walk may write between two looks at the end: a short string, a number, and all brackets that close. */
const MARGIN = 6 * LONG + 2 * DEPTH + 64;

/** How a walk ended, if not with a length. */
const STRINGIFY = -1;
const FULL = -2;

// The state of a walk. One runs at a time: a getter that validates something, so that another begins within it, makes the outer one begin again.
let input: Uint8Array = new Uint8Array(0);
let end = 0;
let at = 0;
let walks = 0;

/** Writes a value into the input, and returns the length of its text. Throws `InstanceError` if it has none. */
export function write(engine: Engine, value: unknown): number {
  if (engine.input.length === 0) engine.reserve(1);
  for (;;) {
    input = engine.input;
    end = input.length - MARGIN;
    at = 0;
    const walk = ++walks;
    let outcome: number;
    try {
      outcome = put(value, 0);
    } catch (cause) {
      throw unreadable(cause);
    }
    const wasDisturbed = walk !== walks || engine.input !== input || input.length === 0;
    if (wasDisturbed || outcome === STRINGIFY) return writeText(engine, textOf(value));
    if (outcome === 0) return at;
    if (input.length >= MOST_BYTES) throw tooLong();
    engine.reserve(Math.min(4 * input.length, MOST_BYTES));
  }
}

/** The text of a value by `JSON.stringify`. Throws `InstanceError` if it has none. */
export function textOf(value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    throw unreadable(cause);
  }
  if (text === undefined) throw new InstanceError(`expected a JSON value, found ${value === undefined ? "undefined" : `a ${typeof value}`}`);
  return text;
}

/** Writes a text that is JSON, or should be. */
export function writeText(engine: Engine, text: string | Uint8Array): number {
  if (typeof text === "string") {
    if (engine.input.length === 0) engine.reserve(1);
    const written = engine.write(text);
    if (written >= 0) return written;
    text = encoder.encode(text);
  }
  if (!engine.reserve(text.length)) throw tooLong();
  engine.input.set(text);
  return text.length;
}

/** Writes a value: 0, or why not. */
function put(value: unknown, depth: number): number {
  if (at >= end) return FULL;
  switch (typeof value) {
    case "string":
      return putString(value);
    case "number":
      return putNumber(value);
    case "boolean":
      putAscii(value ? "true" : "false");
      return 0;
    case "object":
      if (value === null) {
        putAscii("null");
        return 0;
      }
      if (depth === DEPTH || typeof (value as { toJSON?: unknown }).toJSON === "function") return STRINGIFY;
      return Array.isArray(value) ? putArray(value, depth + 1) : putObject(value, depth + 1);
    default:
      // A root that is undefined, a function or a symbol, or a BigInt anywhere.
      return STRINGIFY;
  }
}

function putArray(array: unknown[], depth: number): number {
  input[at++] = 0x5b;
  for (let index = 0; index < array.length; index++) {
    if (index > 0) input[at++] = 0x2c;
    const item = array[index];
    const outcome = put(isOmitted(item) ? null : item, depth);
    if (outcome !== 0) return outcome;
  }
  input[at++] = 0x5d;
  return 0;
}

function putObject(object: object, depth: number): number {
  const prototype = getPrototypeOf(object);
  if (prototype !== objectPrototype && (prototype !== null || isRawJson?.(object) === true)) return STRINGIFY;
  input[at++] = 0x7b;
  const names = keys(object);
  let isFirst = true;
  for (let index = 0; index < names.length; index++) {
    const name = names[index]!;
    const member = (object as { [name: string]: unknown })[name];
    if (isOmitted(member)) continue;
    if (at >= end) return FULL;
    if (!isFirst) input[at++] = 0x2c;
    isFirst = false;
    let outcome = putString(name);
    if (outcome !== 0) return outcome;
    input[at++] = 0x3a;
    outcome = put(member, depth);
    if (outcome !== 0) return outcome;
  }
  input[at++] = 0x7d;
  return 0;
}

/** Whether `JSON.stringify` leaves a member out. */
function isOmitted(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

function putNumber(number: number): number {
  if ((number | 0) === number && number >= 0 && number < 100) {
    if (number >= 10) input[at++] = 0x30 + ((number / 10) | 0);
    input[at++] = 0x30 + (number % 10);
  } else if (Number.isFinite(number)) {
    putAscii(`${number}`);
  } else {
    putAscii("null");
  }
  return 0;
}

function putAscii(text: string): void {
  const bytes = input;
  let place = at;
  for (let index = 0; index < text.length; index++) bytes[place++] = text.charCodeAt(index);
  at = place;
}

/** Writes a string; the caller has seen that a short one fits. */
function putString(text: string): number {
  const { length } = text;
  if (length > LONG) return putLong(text);
  // Locals, since a loop over variables of the module takes twice the time.
  const bytes = input;
  let place = at;
  bytes[place++] = 0x22;
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80 || unit < 0x20 || unit === 0x22 || unit === 0x5c) return putSpecial(text);
    bytes[place++] = unit;
  }
  bytes[place++] = 0x22;
  at = place;
  return 0;
}

/** Writes a short string that is not plain ASCII. */
function putSpecial(text: string): number {
  input[at++] = 0x22;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      if (unit < 0x20 || unit === 0x22 || unit === 0x5c) putEscaped(unit);
      else input[at++] = unit;
    } else if (unit < 0x800) {
      input[at++] = 0xc0 | (unit >> 6);
      input[at++] = 0x80 | (unit & 0x3f);
    } else if (unit < 0xd800 || unit > 0xdfff) {
      input[at++] = 0xe0 | (unit >> 12);
      input[at++] = 0x80 | ((unit >> 6) & 0x3f);
      input[at++] = 0x80 | (unit & 0x3f);
    } else {
      const code = text.codePointAt(index)!;
      if (code < 0x10000) {
        putEscaped(unit);
      } else {
        index++;
        input[at++] = 0xf0 | (code >> 18);
        input[at++] = 0x80 | ((code >> 12) & 0x3f);
        input[at++] = 0x80 | ((code >> 6) & 0x3f);
        input[at++] = 0x80 | (code & 0x3f);
      }
    }
  }
  input[at++] = 0x22;
  return 0;
}

/** Writes a code unit that a JSON string cannot hold as it is. */
function putEscaped(unit: number): void {
  input[at++] = 0x5c;
  if (unit === 0x22 || unit === 0x5c) {
    input[at++] = unit;
    return;
  }
  input[at++] = 0x75;
  putAscii(unit.toString(16).padStart(4, "0"));
}

function putLong(text: string): number {
  const quoted = SPECIAL.test(text) ? JSON.stringify(text) : `"${text}"`;
  const { read, written } = encoder.encodeInto(quoted, input.subarray(at, end));
  if (read < quoted.length) return FULL;
  at += written;
  return 0;
}

/** An error for a value that threw while it was read. */
function unreadable(cause: unknown): InstanceError {
  const why = cause instanceof Error && typeof cause.message === "string" ? cause.message : "reading it failed";
  // The runtime's own words for a circle go over several lines.
  const isCircle = cause instanceof TypeError && /circular|cyclic/i.test(why);
  return new InstanceError(isCircle ? "the value contains itself, so it has no JSON text" : `the value has no JSON text: ${why}`, { cause });
}
