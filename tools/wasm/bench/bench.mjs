// What the module takes under Node: node bench.mjs MODULE FOLDER NATIVE, where a folder has sets as `peers --write-sets` writes them and NATIVE is
// the example `time` of stanchion-wire.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Stanchion } from "../tests/module.mjs";

const [moduleFile, folder, native] = process.argv.slice(2);
const encoder = new TextEncoder();
const OPTIONS = '{"references": "bundled", "cache": false}';

/** The least time of a pass, in nanoseconds, of rounds that last a fifth of a second in all. */
function least(pass) {
  const end = performance.now() + 200;
  let best = Infinity;
  let passes = 1;
  while (best === Infinity || performance.now() < end) {
    const start = process.hrtime.bigint();
    for (let at = 0; at < passes; at++) pass();
    best = Math.min(best, Number(process.hrtime.bigint() - start) / passes);
    passes = Math.min(Math.max(Math.trunc(1e6 / best), 1), 100_000);
  }
  return best;
}

const time = (run) => {
  const start = performance.now();
  const value = run();
  return [value, (performance.now() - start).toFixed(2)];
};

const bytes = readFileSync(moduleFile);
const [module, compiled] = time(() => new WebAssembly.Module(bytes));
const [stanchion, instantiated] = time(() => new Stanchion(module));
const tool = '{"type": "object", "properties": {"city": {"type": "string"}, "days": {"type": "integer"}}, "required": ["city"]}';
const [first, made] = time(() => stanchion.validator(tool));
const [, checked] = time(() => stanchion.check(first, '{"city": "Turin", "days": 3}'));
console.log(`${bytes.length} bytes: compiled in ${compiled} ms, instantiated in ${instantiated} ms,`);
console.log(`the first schema in ${made} ms, the first verdict in ${checked} ms`);

const hasSchema = (set) => ["schema.json", "schema-2020-12.json"].some((file) => existsSync(join(folder, set, file)));
const sets = readdirSync(folder).filter(hasSchema).sort();
let sum = { compile: 0, written: 0, text: 0, count: 0 };
console.log("\nset                        compile µs  wasm ÷ native   text µs  wasm ÷ native   with encoding");
for (const set of sets) {
  const { status, stdout, stderr } = spawnSync(native, [folder, set], { encoding: "utf8" });
  if (status !== 0) throw new Error(`${set}: ${stderr}`);
  const [nativeCompile, nativeText] = stdout.trim().split(" ").slice(1).map(Number);
  const file = ["schema-2020-12.json", "schema.json"].map((name) => join(folder, set, name)).find(existsSync);
  const schema = readFileSync(file, "utf8");
  const texts = readFileSync(join(folder, set, "instances.jsonl"), "utf8").split("\n").filter((line) => line !== "");
  const validator = stanchion.validator(schema, OPTIONS);
  if (validator < 8) throw new Error(`${set}: ${stanchion.text()}`);
  const compile = least(() => stanchion.exports.stanchion_validator_free(stanchion.validator(schema, OPTIONS)));
  // The verdict alone, on a text that is in the input already, as a native program has it in memory.
  const { stanchion_check } = stanchion.exports;
  let text = 0;
  for (const instance of texts) {
    const [length] = stanchion.write(instance);
    text += leastOfOne(() => stanchion_check(validator, length));
  }
  text /= texts.length;
  // From a string of JavaScript: encoded, written, checked.
  const { memory } = stanchion.exports;
  const longest = 3 * texts.reduce((most, text) => Math.max(most, text.length), 0);
  const input = stanchion.exports.stanchion_input(longest);
  const view = new Uint8Array(memory.buffer, input, longest);
  const encoded =
    least(() => {
      for (const instance of texts) stanchion_check(validator, encoder.encodeInto(instance, view).written);
    }) / texts.length;
  stanchion.capacity = 0;
  stanchion.exports.stanchion_validator_free(validator);
  sum.compile += Math.log(compile / nativeCompile);
  sum.text += Math.log(text / nativeText);
  sum.written += Math.log(encoded / nativeText);
  sum.count += 1;
  console.log(
    `${set.padEnd(24)} ${us(compile)} ${ratio(compile / nativeCompile)} ${us(text)} ${ratio(text / nativeText)} ${ratio(encoded / nativeText)}`,
  );
}
const mean = (logs) => Math.exp(logs / sum.count).toFixed(2);
console.log(`\ngeometric means, wasm ÷ native: compile ${mean(sum.compile)}, verdict from text ${mean(sum.text)}, with encoding ${mean(sum.written)}`);

/** Like `least`, shorter: there are many texts. */
function leastOfOne(pass) {
  let best = Infinity;
  let passes = 1;
  for (let round = 0; round < 6; round++) {
    const start = process.hrtime.bigint();
    for (let at = 0; at < passes; at++) pass();
    best = Math.min(best, Number(process.hrtime.bigint() - start) / passes);
    passes = Math.min(Math.max(Math.trunc(1e5 / best), 1), 10_000);
  }
  return best;
}

function us(nanoseconds) {
  return (nanoseconds / 1000).toFixed(2).padStart(12);
}

function ratio(value) {
  return value.toFixed(2).padStart(13);
}
