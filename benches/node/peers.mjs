// ajv, and Blaze through the command line of its author, on the sets of the program `peers`.
//
//   (cd benches/node && npm install)
//   peers --write-sets SETS                    # our own sets, as a directory
//   peers --json RESULTS                       # the times of Stanchion
//   node benches/node/peers.mjs SETS RESULTS   # or the folder of the corpus in place of SETS
//
// ajv validates parsed values, and texts through JSON.parse; its time is the least of many rounds. Blaze's is
// the sum of the means that its command prints (`validate --fast --benchmark`), which contain some 20 ns of clock for
// each instance. Neither shares a process with Stanchion, so these ratios are rougher than those of `peers`.

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv2020 from "ajv/dist/2020.js";

const ROUNDS = 40;
const LOOPS = 20;

/** Returns the least time of a pass, in nanoseconds; a turn has as many passes as make a millisecond. */
function least(pass) {
  let passes = 1;
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.hrtime.bigint();
    for (let at = 0; at < passes; at += 1) pass();
    const time = Number(process.hrtime.bigint() - start) / passes;
    best = Math.min(best, time);
    passes = Math.max(passes, Math.ceil(1e6 / best));
  }
  return best;
}

/** Returns the time of ajv for values and for texts, and how many instances it finds valid. */
function ajv(schema, lines) {
  const make = () => new Ajv2020({ strict: false, validateFormats: false, logger: false });
  const validate = make().compile(schema);
  const values = lines.map((line) => JSON.parse(line));
  const valid = values.filter((value) => validate(value)).length;
  const value = least(() => values.forEach((value) => validate(value)));
  const text = least(() => lines.forEach((line) => validate(JSON.parse(line))));
  const compile = least(() => make().compile(schema));
  return { valid, value, text, compile };
}

/** What Blaze takes for values. */
function blaze(schemaFile, instancesFile) {
  const program = join(dirname(fileURLToPath(import.meta.url)), "node_modules/.bin/jsonschema");
  const words = ["validate", "--fast", "--benchmark", "--loop", String(LOOPS), "--continue", schemaFile, instancesFile];
  const { stdout, stderr, error } = spawnSync(program, words, { encoding: "utf8", maxBuffer: 1 << 28 });
  if (error) throw new Error(`${program}: ${error.message}`);
  const found = [...`${stdout}\n${stderr}`.matchAll(/: (PASS|FAIL) ([0-9.]+) \+- /g)];
  const valid = found.filter(([, verdict]) => verdict === "PASS").length;
  const value = found.reduce((sum, [, , mean]) => sum + 1000 * Number(mean), 0);
  return { seen: found.length, valid, value };
}

const ratios = { "ajv value": [], "ajv text": [], "ajv compile": [], "blaze value": [] };

function ratio(name, theirs, ours) {
  if (!(theirs > 0 && ours > 0)) return "-".padStart(13);
  ratios[name].push(theirs / ours);
  return (theirs / ours).toFixed(2).padStart(13);
}

const [folder, results] = process.argv.slice(2);
if (!folder || !results) {
  console.error("usage: node peers.mjs FOLDER RESULTS.json, where RESULTS.json is written by peers --json");
  process.exit(1);
}
const known = new Map(JSON.parse(readFileSync(results, "utf8")).sets.map((set) => [set.name, set]));

console.log(`${"set".padEnd(28)}${Object.keys(ratios).map((name) => name.padStart(13)).join("")}`);
for (const name of readdirSync(folder).sort()) {
  const instancesFile = join(folder, name, "instances.jsonl");
  const rewritten = join(folder, name, "schema-2020-12.json");
  const schemaFile = existsSync(rewritten) ? rewritten : join(folder, name, "schema.json");
  const ours = known.get(name);
  if (!existsSync(instancesFile) || !ours?.stages.value) continue;
  const lines = readFileSync(instancesFile, "utf8").split("\n").filter((line) => line.trim() !== "");
  const valid = ours.instances - ours.invalid;
  const cells = [];
  try {
    const theirs = ajv(JSON.parse(readFileSync(schemaFile, "utf8")), lines);
    if (theirs.valid !== valid) console.log(`${name}: ajv finds ${theirs.valid} valid, stanchion ${valid}`);
    for (const stage of ["value", "text", "compile"]) {
      cells.push(ratio(`ajv ${stage}`, theirs.valid === valid && theirs[stage], ours.stages[stage]?.stanchion));
    }
  } catch (error) {
    console.log(`${name}: ajv: ${error.message}`);
    cells.push(ratio(), ratio(), ratio());
  }
  const theirs = blaze(schemaFile, instancesFile);
  const same = theirs.valid === valid && theirs.seen === lines.length;
  if (!same) console.log(`${name}: blaze finds ${theirs.valid} of ${theirs.seen} valid, stanchion ${valid} of ${ours.instances}`);
  cells.push(ratio("blaze value", same && theirs.value, ours.stages.value.stanchion));
  console.log(`${name.padEnd(28)}${cells.join("")}`);
}
const mean = (list) => Math.exp(list.reduce((sum, ratio) => sum + Math.log(ratio), 0) / list.length);
const means = Object.values(ratios).map((list) => (list.length > 0 ? mean(list).toFixed(2) : "-").padStart(13));
console.log(`${"geometric mean".padEnd(28)}${means.join("")}`);
