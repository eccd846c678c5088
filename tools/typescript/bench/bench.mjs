// Compares the package with others of npm, in one process, in turns, each with the least time of its turns.
//
//   npm run bench                  both parts; crossing, sets or tools as an argument run one
//   STANCHION_CORPUS=folder        sets: NAME/schema.json with NAME/instances.jsonl, one document a line
//   STANCHION_TOOLS=file           tools: lines of {"inputSchema": …}; without it, those of suite/data/tools
//
// A compile includes parsing the schema from text, since some validators keep what they compiled by the object. Each validator must find every instance valid; a set where one does not is left out for that one, and counted.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Validator } from "stanchion";
import { hyperjump, PEERS } from "./peers.mjs";
import { sample } from "./sample.mjs";

const wanted = (part) => process.argv.length === 2 || process.argv.includes(part);
const now = () => Number(process.hrtime.bigint());

/** The time of one call, in nanoseconds, in a turn of about a millisecond. */
function turn(run, best) {
  const calls = Math.max(1, Math.min(100_000, Math.round(1e6 / best)));
  const start = now();
  for (let call = 0; call < calls; call++) run();
  return (now() - start) / calls;
}

/** The least times of functions that take turns. */
function race(runs, rounds) {
  const best = runs.map((run) => {
    const start = now();
    run();
    return now() - start;
  });
  for (let round = 0; round < rounds; round++) {
    for (const [index, run] of runs.entries()) best[index] = Math.min(best[index], turn(run, best[index]));
  }
  return best;
}

const mean = (numbers) => Math.exp(numbers.reduce((sum, number) => sum + Math.log(number), 0) / numbers.length);
const time = (ns) => (ns < 1e3 ? `${ns.toFixed(0)} ns` : ns < 1e6 ? `${(ns / 1e3).toFixed(2)} µs` : `${(ns / 1e6).toFixed(2)} ms`);

/** The times of all validators on a schema and its instances, or undefined for one that fails. */
async function measure(title, schema, lines, rounds) {
  const values = lines.map((line) => JSON.parse(line));
  const names = [];
  const makes = [];
  const checks = [];
  for (const [name, make] of Object.entries({ ...PEERS, hyperjump })) {
    try {
      const check = await make(schema);
      if (!values.every((value) => check(value))) throw new Error("an instance is invalid");
      names.push(name);
      makes.push(make);
      checks.push(check);
    } catch {
      // It does not count in this set.
    }
  }
  if (!names.includes("stanchion")) return { title };
  // A fresh object each time: some keep what they compiled by the object.
  const source = JSON.stringify(schema);
  const fresh = () => JSON.parse(source);
  const isSync = (index) => names[index] !== "hyperjump";
  const sync = names.map((_, index) => index).filter(isSync);
  const compile = race(sync.map((index) => () => makes[index](fresh())), Math.ceil(rounds / 4));
  const some = values[0];
  const first = sync.map((index) => {
    let best = Infinity;
    for (let round = 0; round < 5; round++) {
      const check = makes[index](fresh());
      const start = now();
      check(some);
      best = Math.min(best, now() - start);
    }
    return best;
  });
  const eleven = race(sync.map((index) => () => {
    const check = makes[index](fresh());
    for (let call = 0; call < 10; call++) check(values[call % values.length]);
  }), Math.ceil(rounds / 4));
  const hot = race(checks.map((check) => () => {
    for (const value of values) check(value);
  }), rounds);
  const validator = new Validator(schema, { cache: false });
  const text = race(checks.map((check, index) => (names[index] === "stanchion"
    ? () => lines.forEach((line) => validator.isValidText(line))
    : () => lines.forEach((line) => check(JSON.parse(line))))), rounds);
  const times = { title };
  names.forEach((name, index) => {
    const at = sync.indexOf(index);
    times[name] = {
      compile: at < 0 ? undefined : compile[at],
      first: at < 0 ? undefined : first[at],
      "compile and ten calls": at < 0 ? undefined : eleven[at],
      hot: hot[index],
      text: text[index],
    };
  });
  return times;
}

/** Prints how many times longer the others take, as geometric means, and how often they are slower. */
function report(title, all) {
  console.log(`\n${title}: time of others ÷ stanchion, geometric mean (share of schemas on which stanchion is faster)\n`);
  const kinds = ["compile", "first", "compile and ten calls", "hot", "text"];
  console.log(`| | schemas | ${kinds.join(" | ")} |\n|---|---|${"---|".repeat(kinds.length)}`);
  for (const name of [...Object.keys(PEERS), "hyperjump"].filter((name) => name !== "stanchion")) {
    const both = all.filter((times) => times[name] && times.stanchion);
    const cells = kinds.map((kind) => {
      const ratios = both.map((times) => times[name][kind] / times.stanchion[kind]).filter((ratio) => ratio > 0);
      if (ratios.length === 0) return "–";
      const won = ratios.filter((ratio) => ratio > 1).length / ratios.length;
      return `${mean(ratios).toPrecision(3)} (${(100 * won).toFixed(0)} %)`;
    });
    console.log(`| ${name} | ${both.length} | ${cells.join(" | ")} |`);
  }
  const own = all.map((times) => times.stanchion).filter(Boolean);
  console.log(`| stanchion itself, geometric mean | ${own.length} | ${kinds.map((kind) => time(mean(own.map((times) => times[kind])))).join(" | ")} |`);
  // Where another is faster in what the goals are about.
  for (const [name, kind] of [...["ajv", "ata", "ata without eval", "cfworker"].map((name) => [name, "compile and ten calls"]), ["ata without eval", "hot"], ["cfworker", "hot"], ["ajv", "text"]]) {
    const lost = all.filter((times) => times[name] && times.stanchion && times[name][kind] < times.stanchion[kind]).map(({ title }) => title);
    console.log(`${lost.length === 0 ? "\n" : `\n${lost.length} `}lost to ${name}, ${kind}: ${lost.length === 0 ? "none" : `${lost.slice(0, 12).join(", ")}${lost.length > 12 ? " …" : ""}`}`);
  }
}
if (wanted("crossing")) {
  // How a value gets into the module: the encoding that the package makes, and JSON.stringify.
  const { engine } = await import(new URL("../dist/esm/engine.js", import.meta.url));
  const { encode, textEnd, textOf, writeText } = await import(new URL("../dist/esm/crossing.js", import.meta.url));
  const call = { city: "Turin", days: 3, units: "metric", tags: ["weather", "forecast"] };
  const many = (count) => Array.from({ length: count }, (_, index) => ({ id: index, name: `name ${index}`, ...call }));
  const long = { text: "a long text, with \"quotes\"\n".repeat(200) };
  const now = engine();
  const handle = now.make(["true", ""], ([schema, options]) => now.exports.stanchion_validator_new(schema, options));
  console.log("\ncrossing: a value into the module, and read by it\n\n| value | bytes of JSON | encode | and read | stringify | and read |\n|---|---|---|---|---|---|");
  for (const [name, value] of Object.entries({ "a call": call, "10 calls": many(10), "1,000 calls": many(1000), "a long text": long })) {
    const times = race([
      () => encode(now, value),
      () => now.checkEncoded(handle, encode(now, value), textEnd()),
      () => writeText(now, textOf(value)),
      () => now.exports.stanchion_check(handle, writeText(now, textOf(value))),
    ], 200);
    console.log(`| ${name} | ${JSON.stringify(value).length} | ${times.map(time).join(" | ")} |`);
  }
}

if (wanted("sets") && process.env.STANCHION_CORPUS) {
  const all = [];
  const long = [];
  for (const name of readdirSync(process.env.STANCHION_CORPUS)) {
    const file = join(process.env.STANCHION_CORPUS, name, "schema.json");
    if (!existsSync(file)) continue;
    const lines = readFileSync(join(process.env.STANCHION_CORPUS, name, "instances.jsonl"), "utf8").split("\n").filter(Boolean);
    const times = await measure(name, JSON.parse(readFileSync(file, "utf8")), lines.slice(0, 100), 20);
    if (!times.stanchion) {
      console.log(`${name}: left out, since the schema is refused or an instance is invalid`);
      continue;
    }
    all.push(times);
    const above = lines.filter((line) => line.length > 2048).slice(0, 20);
    if (above.length > 0) long.push(await measure(name, JSON.parse(readFileSync(file, "utf8")), above, 20));
  }
  report(`${all.length} sets of the corpus`, all);
  report(`documents above 2 KB, of ${long.length} sets`, long);
}

if (wanted("tools")) {
  const file = process.env.STANCHION_TOOLS ?? new URL("../../../suite/data/tools/tools.json", import.meta.url);
  const text = readFileSync(file, "utf8");
  const tools = text.trimStart().startsWith("[") ? JSON.parse(text) : text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
  const step = Math.max(1, Math.floor(tools.length / Number(process.env.STANCHION_TOOLS_COUNT ?? 200)));
  const all = [];
  for (const { tool, name = tool, inputSchema } of tools.filter((_, index) => index % step === 0)) {
    const times = await measure(name, inputSchema, [JSON.stringify(sample(inputSchema))], 8);
    if (times.stanchion) all.push(times);
  }
  report(`${all.length} tools of MCP servers, each with a value made from its schema`, all);
}
