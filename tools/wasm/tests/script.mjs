// Runs a script of calls (suite/src/wire.rs says what is in one) through an instance of the module.
import { readFileSync } from "node:fs";
import { Stanchion } from "./module.mjs";

const decoder = new TextDecoder();

/** Functions in the order of their numbers: how each is called with its texts and numbers. */
const CALLS = [
  (stanchion, [schema, options]) => {
    stanchion.exports.stanchion_validator_free(stanchion.validator_);
    stanchion.validator_ = stanchion.validator(schema, options);
    return stanchion.validator_ < 8 ? stanchion.validator_ : 0;
  },
  instance("stanchion_check"),
  instance("stanchion_measure"),
  instance("stanchion_explain"),
  instance("stanchion_explain_first"),
  instance("stanchion_explain_in_full"),
  instance("stanchion_for_model", (x) => [Number(x)]),
  instance("stanchion_output", (x) => [Number(x)]),
  instance("stanchion_annotations"),
  (stanchion, _, [x, y]) => stanchion.exports.stanchion_cost(stanchion.validator_, x, y),
  (stanchion) => stanchion.exports.stanchion_size(stanchion.validator_),
  (stanchion) => stanchion.exports.stanchion_program(stanchion.validator_),
  (stanchion, [schema, options]) => stanchion.exports.stanchion_diagnose(...stanchion.write(schema, options)),
  (stanchion, [list, profile]) => {
    stanchion.exports.stanchion_toolbox_free(stanchion.toolbox_);
    stanchion.toolbox_ = stanchion.exports.stanchion_toolbox_new(...stanchion.write(list, profile));
    return stanchion.toolbox_ < 8 ? stanchion.toolbox_ : 0;
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
  return (stanchion, texts) =>
    stanchion.exports[`stanchion_toolbox_${name}`](stanchion.toolbox_, ...stanchion.write(...texts.slice(0, count)));
}

function instance(name, more = () => []) {
  return (stanchion, [text], [x]) => stanchion.exports[name](stanchion.validator_, ...stanchion.write(text), ...more(x));
}

/** Runs a script. Returns how many calls it has, and what is wrong. */
export function run(module, file) {
  const stanchion = new Stanchion(module);
  stanchion.validator_ = 0;
  stanchion.toolbox_ = 0;
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
    const status = CALLS[code](stanchion, texts, numbers);
    const isRight = (statuses >> status) & 1 && (!isPinned || Buffer.compare(stanchion.answer(), expected) === 0);
    if (!isRight) wrong.push(`${name}: function ${code}: status ${status}, ${stanchion.text()}, expected ${expected}`);
  }
  return { calls, wrong, pages: stanchion.exports.memory.buffer.byteLength / 65536 };
}
