// How a value gets into the module: encoded, by a walk that writes straight into the module's memory, or as JSON text.
//
// A verdict needs only the encoding, which `tools/wire` describes: a word for each value, and the bytes of all strings. The walk is over plain objects and
// arrays. Everything that `JSON.stringify` treats in a way of its own (`toJSON`, boxed values, BigInt, classes, deep or circular values, half of a
// surrogate pair) and every long value goes as the text that `JSON.stringify` makes of it, and so does a value whose errors are asked for.

import { tooLong, KeptNames, MOST_BYTES, type Engine, type Text } from "./engine.js";
import { InstanceError } from "./errors.js";

/** Deeper values go through `JSON.stringify`, which finds circles; the module refuses what is nested deeper. */
const DEPTH = 127;

/** Longer strings are encoded by the runtime. */
const LONG = 40;

/** Names that may be kept by the module, so that they cross as a number: plain ones up to a length, and so many new ones of a value. */
const KEPT_NAME = 32;
const NEW_NAMES = 64;

/**
 * Longer encodings go as text. The text of a value has less than six times the bytes of its encoding, so whatever is encoded has a text that the
 * module would take.
 */
const MOST_ENCODED = 4 * 1024 * 1024;

/** What the lowest four bits of a word say. The others are a number. */
const NULL = 0;
const FALSE = 1;
const TRUE = 2;
const INTEGER = 3;
const DOUBLE = 4;
const STRING = 5;
const ARRAY = 6;
const OBJECT = 7;
const END = 8;
const KEPT = 9;
const NAME = 10;
const NUMBER = 11;

/** Numbers below it, of either sign, fit a word. */
const SMALL = 1 << 26;

/** Whole numbers beyond it have zeros in their text that they do not have as a double. */
const EXACT = 2 ** 53;

const objectPrototype = Object.prototype;
const { hasOwnProperty } = objectPrototype;
const { getPrototypeOf } = Object;
const isRawJson = (JSON as { isRawJSON?: (value: unknown) => boolean }).isRawJSON;
const encoder = new TextEncoder();

/** Half of a surrogate pair. */
const HALF = /\p{Surrogate}/u;

/** What a JSON string holds as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** What a walk may write between two looks at the ends: a short text, and the ends of all that is open. */
const MARGIN = 3 * LONG + DEPTH + 8;

/** How a walk ended, if not with a place. */
const AS_TEXT = -1;
const FULL = -2;

// The state of a walk. One runs at a time: where another begins within it, as by a getter that validates something, the outer value goes as text.
// The place of the next word goes from call to call, since a variable of the module costs a load and a store for each word.
let words: Int32Array = new Int32Array(0);
let bytes: Uint8Array = new Uint8Array(0);
/** Where the next byte of a text goes. */
let at = 0;
/** Where the walk ends, since there may be no room any more. */
let lastPlace = 0;
let lastAt = 0;
let kept = new KeptNames();
/** The number of the kept name that came last, plus one; 0 at the start. */
let before = 0;
let newNames = 0;
let current: Engine | undefined;

/** What a double looks like in words. */
const double = new Float64Array(1);
const halves = new Int32Array(double.buffer);

/**
 * Encodes a value into the input, and returns how many words it has; -1 if it is to go as text. Its texts end at {@link textEnd}. Throws `InstanceError` if
 * reading it throws.
 */
export function encode(engine: Engine, value: unknown): number {
  for (;;) {
    if (engine !== current || engine.input !== bytes || bytes.length === 0 || kept.isFull) prepare(engine);
    const input = bytes;
    at = engine.textAt;
    before = 0;
    newNames = 0;
    const use = ++engine.uses;
    let outcome: number;
    try {
      outcome = put(value, 0, 0);
    } catch (cause) {
      throw engine.isDead ? cause : unreadable(cause);
    }
    // Code of the value, such as a getter, wrote something else to the input, or the memory has grown.
    if (use !== engine.uses || engine.input !== input || input.length === 0) return -1;
    if (outcome !== FULL) return outcome;
    if (input.length >= MOST_ENCODED) return -1;
    engine.reserve(4 * input.length);
  }
}

/** Where the texts of the value that was encoded last end. */
export function textEnd(): number {
  return at;
}

/** Makes the state of walks that of an engine. */
function prepare(engine: Engine): void {
  if (engine.input.length === 0) engine.reserve(1);
  if (engine.kept.isFull) engine.forgetNames();
  current = engine;
  kept = engine.kept;
  words = engine.words;
  bytes = engine.input;
  lastPlace = words.length - MARGIN;
  lastAt = bytes.length - MARGIN;
}

/** Encodes a value, from a place on: the place behind it, or why not. */
function put(value: unknown, place: number, depth: number): number {
  if (typeof value === "string") return putText(value, STRING, place);
  if (typeof value === "number") return putNumber(value, place);
  if (typeof value === "object") {
    if (value === null) {
      words[place] = NULL;
      return place + 1;
    }
    if (depth === DEPTH || typeof (value as { toJSON?: unknown }).toJSON === "function") return AS_TEXT;
    return Array.isArray(value) ? putArray(value, place, depth + 1) : putObject(value, place, depth + 1);
  }
  // A root that is undefined, a function or a symbol, or a BigInt anywhere.
  if (typeof value !== "boolean") return AS_TEXT;
  words[place] = value ? TRUE : FALSE;
  return place + 1;
}

function putArray(array: unknown[], place: number, depth: number): number {
  words[place++] = ARRAY;
  const { length } = array;
  for (let index = 0; index < length; index++) {
    if (place >= lastPlace) return FULL;
    const item = array[index];
    place = put(isOmitted(item) ? null : item, place, depth);
    if (place < 0) return place;
  }
  words[place] = END;
  return place + 1;
}

function putObject(object: object, place: number, depth: number): number {
  const prototype = getPrototypeOf(object);
  if (prototype !== objectPrototype && (prototype !== null || isRawJson?.(object) === true)) return AS_TEXT;
  words[place++] = OBJECT;
  // Three times as fast as a loop over Object.keys. The prototype has names only if somebody gave it some.
  for (const name in object) {
    if (!hasOwnProperty.call(object, name)) continue;
    const member = (object as { [name: string]: unknown })[name];
    if (isOmitted(member)) continue;
    if (place >= lastPlace) return FULL;
    const guess = kept.next[before]!;
    if (kept.names[guess] === name) {
      before = guess + 1;
      words[place++] = (guess << 4) | KEPT;
    } else {
      place = putName(name, place);
      if (place < 0) return place;
    }
    place = put(member, place, depth);
    if (place < 0) return place;
  }
  words[place] = END;
  return place + 1;
}

/** Whether `JSON.stringify` leaves a member out. */
function isOmitted(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

/** Writes a name that is not the one which came at this point the last time. */
function putName(name: string, place: number): number {
  const number = kept.numbers.get(name) ?? keepName(name);
  if (number < 0) return putText(name, NAME, place);
  kept.next[before] = number;
  before = number + 1;
  words[place] = (number << 4) | KEPT;
  return place + 1;
}

/** Lets the module keep a name, and returns its number; -1 if it is not kept. */
function keepName(name: string): number {
  // Where the memory has grown, nothing can be written any more, and the value goes as text.
  if (name.length > KEPT_NAME || newNames === NEW_NAMES || at >= lastAt || bytes.length === 0 || !PLAIN.test(name)) return -1;
  newNames++;
  for (let index = 0; index < name.length; index++) bytes[at + index] = name.charCodeAt(index);
  const number = current!.keepName(at, name.length);
  kept.add(name, number);
  return number;
}

function putNumber(number: number, place: number): number {
  if ((number | 0) === number && number < SMALL && number > -SMALL) {
    words[place] = (number << 4) | INTEGER;
    return place + 1;
  }
  if (number <= EXACT && number >= -EXACT) {
    double[0] = number;
    words[place] = DOUBLE;
    words[place + 1] = halves[0]!;
    words[place + 2] = halves[1]!;
    return place + 3;
  }
  if (Number.isFinite(number)) return putText(`${number}`, NUMBER, place);
  words[place] = NULL;
  return place + 1;
}

/** Writes a text, with a word of that kind. */
function putText(text: string, kind: number, place: number): number {
  const { length } = text;
  if (length > LONG) return putLong(text, kind, place);
  // Locals, since a loop over variables of the module takes twice the time.
  const to = bytes;
  let end = at;
  if (end >= lastAt) return FULL;
  for (let index = 0; index < length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x80) return putUnicode(text, kind, place);
    to[end++] = unit;
  }
  at = end;
  words[place] = (length << 4) | kind;
  return place + 1;
}

/** Writes a short text that is not ASCII. */
function putUnicode(text: string, kind: number, place: number): number {
  const to = bytes;
  let end = at;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      to[end++] = unit;
    } else if (unit < 0x800) {
      to[end++] = 0xc0 | (unit >> 6);
      to[end++] = 0x80 | (unit & 0x3f);
    } else if (unit < 0xd800 || unit > 0xdfff) {
      to[end++] = 0xe0 | (unit >> 12);
      to[end++] = 0x80 | ((unit >> 6) & 0x3f);
      to[end++] = 0x80 | (unit & 0x3f);
    } else {
      const code = text.codePointAt(index)!;
      if (code < 0x10000) return AS_TEXT;
      index++;
      to[end++] = 0xf0 | (code >> 18);
      to[end++] = 0x80 | ((code >> 12) & 0x3f);
      to[end++] = 0x80 | ((code >> 6) & 0x3f);
      to[end++] = 0x80 | (code & 0x3f);
    }
  }
  words[place] = ((end - at) << 4) | kind;
  at = end;
  return place + 1;
}

function putLong(text: string, kind: number, place: number): number {
  // Keeping a name may have made the memory grow, which leaves the input without a buffer.
  if (text.length > MOST_ENCODED || bytes.length === 0) return AS_TEXT;
  const { read, written } = encoder.encodeInto(text, bytes.subarray(at));
  if (read < text.length) return FULL;
  if (written > read && HALF.test(text)) return AS_TEXT;
  at += written;
  words[place] = (written << 4) | kind;
  return place + 1;
}

/** The text of a value by `JSON.stringify`. Throws `InstanceError` if it has none, or one that is too long. */
export function textOf(value: unknown): string {
  let text: string | undefined;
  try {
    // So that nobody waits for the text of an array with a billion items, or of a few objects that contain each other many times.
    if (leastBytes(value, 0, 0) > MOST_BYTES) throw tooLong();
    text = JSON.stringify(value);
  } catch (cause) {
    throw cause instanceof InstanceError ? cause : unreadable(cause);
  }
  if (text === undefined) throw new InstanceError(`expected a JSON value, found ${value === undefined ? "undefined" : `a ${typeof value}`}`);
  return text;
}

/** A bound below on the length of a value's text, which goes no further than is needed to see that it is too long. */
function leastBytes(value: unknown, depth: number, sum: number): number {
  if (typeof value === "string") return sum + value.length;
  if (typeof value !== "object" || value === null || depth > DEPTH || typeof (value as { toJSON?: unknown }).toJSON === "function") return sum;
  if (Array.isArray(value)) {
    sum += 2 * value.length;
    for (let index = 0; index < value.length && sum <= MOST_BYTES; index++) sum = leastBytes(value[index], depth + 1, sum);
    return sum;
  }
  for (const name in value) {
    const member = (value as { [name: string]: unknown })[name];
    if (sum > MOST_BYTES || !hasOwnProperty.call(value, name) || isOmitted(member)) continue;
    sum = leastBytes(member, depth + 1, sum + name.length + 4);
  }
  return sum;
}

/** Writes a text that is JSON, or should be, and returns its length. Throws `InstanceError` if it is too long. */
export function writeText(engine: Engine, text: Text): number {
  if (engine.input.length === 0) engine.reserve(1);
  const written = engine.write(text);
  if (written >= 0) return written;
  const bytes = typeof text === "string" ? encoder.encode(text) : text;
  if (!engine.reserve(bytes.length)) throw tooLong();
  return engine.write(bytes);
}

/** An error for a value that threw while it was read. */
function unreadable(cause: unknown): InstanceError {
  const why = cause instanceof Error && typeof cause.message === "string" ? cause.message : "reading it failed";
  // The runtime's own words for a circle go over several lines.
  const isCircle = cause instanceof TypeError && /circular|cyclic/i.test(why);
  return new InstanceError(isCircle ? "the value contains itself, so it has no JSON text" : `the value has no JSON text: ${why}`, { cause });
}
