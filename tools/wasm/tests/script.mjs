// Runs a script of calls (suite/src/wire.rs says what is in one) through an instance of the module.
import { readFileSync } from "node:fs";
import { Stanchion } from "./module.mjs";

const decoder = new TextDecoder();

/** Functions in the order of their numbers: how each is called with its texts and numbers. */
const CALLS = [
  (door, [schema, options]) => {
    door.exports.stanchion_validator_free(door.validator_);
    door.validator_ = door.validator(schema, options);
    return door.validator_ < 8 ? door.validator_ : 0;
  },
  instance("stanchion_check"),
  instance("stanchion_measure"),
  instance("stanchion_explain"),
  instance("stanchion_explain_first"),
  instance("stanchion_explain_in_full"),
  instance("stanchion_for_model", (x) => [Number(x)]),
  instance("stanchion_output", (x) => [Number(x)]),
  instance("stanchion_annotations"),
  (door, _, [x, y]) => door.exports.stanchion_cost(door.validator_, x, y),
  (door) => door.exports.stanchion_size(door.validator_),
  (door) => door.exports.stanchion_program(door.validator_),
  (door, [schema, options]) => door.exports.stanchion_diagnose(...door.write(schema, options)),
  (door, [list, profile]) => {
    door.exports.stanchion_toolbox_free(door.toolbox_);
    door.toolbox_ = door.exports.stanchion_toolbox_new(...door.write(list, profile));
    return door.toolbox_ < 8 ? door.toolbox_ : 0;
  },
  toolbox("replace", 1),
  toolbox("extend", 1),
  toolbox("list", 1),
  toolbox("definition", 2),
  toolbox("check_call", 2),
  toolbox("fill_call", 2),
  toolbox("check_result", 3),
  toolbox("send_result", 3),
  toolbox("profile", 0),
];

function toolbox(name, count) {
  return (door, texts) =>
    door.exports[`stanchion_toolbox_${name}`](door.toolbox_, ...door.write(...texts.slice(0, count)));
}

function instance(name, more = () => []) {
  return (door, [text], [x]) => door.exports[name](door.validator_, ...door.write(text), ...more(x));
}

/** Runs a script. Returns how many calls it has, and what is wrong. */
export function run(module, file) {
  const door = new Stanchion(module);
  door.validator_ = 0;
  door.toolbox_ = 0;
  const bytes = readFileSync(file);
  let at = 0;
  const byte = () => bytes[at++];
  const number = () => bytes.readBigUInt64LE((at += 8) - 8);
  const text = () => {
    const length = bytes.readUInt32LE(at);
    at += 4 + length;
    return bytes.subarray(at - length, at);
  };
  const calls = bytes.readUInt32LE(at);
  at += 4;
  const wrong = [];
  for (let index = 0; index < calls; index++) {
    const [code, statuses, isPinned] = [byte(), byte(), byte()];
    const numbers = [number(), number()];
    const name = decoder.decode(text());
    const texts = [text(), text(), text()];
    const expected = text();
    const status = CALLS[code](door, texts, numbers);
    const isRight = (statuses >> status) & 1 && (!isPinned || Buffer.compare(door.answer(), expected) === 0);
    if (!isRight) wrong.push(`${name}: function ${code}: status ${status}, ${door.text()}, expected ${expected}`);
  }
  return { calls, wrong, pages: door.exports.memory.buffer.byteLength / 65536 };
}
