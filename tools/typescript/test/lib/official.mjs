// The official test suite, as groups that any runtime can run: lib/groups.mjs.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parts } from "./raw.mjs";

const DIALECTS = {
  "draft2020-12": "2020-12",
  "draft2019-09": "2019-09",
  draft7: "draft-07",
  draft6: "draft-06",
  draft4: "draft-04",
};
const REMOTES = "http://localhost:1234/";
const SECTIONS = { required: "", optional: "optional", format: "optional/format" };

/** Where the suite is: in a package that suite/official pins, and that cargo unpacked. */
function root() {
  const manifest = join(dirname(fileURLToPath(import.meta.url)), "../../../../suite/official/Cargo.toml");
  const cargo = (...args) => execFileSync("cargo", [...args, "--manifest-path", manifest], { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "ignore"] });
  const find = () => {
    const { packages } = JSON.parse(cargo("metadata", "--locked", "--offline", "--format-version", "1"));
    return join(dirname(packages.find(({ name }) => name === "jsonschema").manifest_path), "tests/suite");
  };
  try {
    return find();
  } catch {
    cargo("fetch", "--locked");
    return find();
  }
}

function files(folder) {
  return readdirSync(folder).sort().map((name) => join(folder, name)).filter((path) => path.endsWith(".json"));
}

function allFiles(folder) {
  return readdirSync(folder).sort().flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? allFiles(path) : path.endsWith(".json") ? [path] : [];
  });
}

/** All groups: `{name, schema, options, tests: [{name, text, isValid}]}`, schemas and instances as text. */
export function officialGroups() {
  const suite = root();
  const resources = {};
  for (const path of allFiles(join(suite, "remotes"))) {
    const name = relative(join(suite, "remotes"), path);
    const [folder] = name.split("/");
    const isForeign = (folder.startsWith("draft") || folder === "v1") && !(folder in DIALECTS);
    if (!isForeign) resources[REMOTES + name] = JSON.parse(readFileSync(path, "utf8"));
  }
  const groups = [];
  for (const [folder, dialect] of Object.entries(DIALECTS)) {
    for (const [section, sub] of Object.entries(SECTIONS)) {
      for (const path of files(join(suite, "tests", folder, sub))) {
        for (const group of parts(readFileSync(path, "utf8"))) {
          const { description, schema, tests } = parts(group);
          const options = { dialect, references: "bundled", assertFormats: section === "format" };
          groups.push({
            name: `${relative(join(suite, "tests"), path)}: ${JSON.parse(description)}`,
            schema,
            options,
            needsRemotes: schema.includes("localhost"),
            tests: parts(tests).map((test) => {
              const { description, data, valid } = parts(test);
              return { name: JSON.parse(description), text: data, isValid: valid === "true" };
            }),
          });
        }
      }
    }
  }
  return { groups, resources };
}
