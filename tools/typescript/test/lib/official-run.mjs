// Runs the groups in a file and prints the outcome, in whatever runtime this is.
import { readFileSync } from "node:fs";
import process from "node:process";
import * as stanchion from "stanchion";
import { StanchionJsonSchemaValidator } from "stanchion/mcp";
import { runGroups } from "./groups.mjs";

const mcp = new StanchionJsonSchemaValidator().getValidator({ type: "string", format: "email" });
const outcome = runGroups(stanchion, JSON.parse(readFileSync(process.argv[2], "utf8")));
console.log(JSON.stringify({ mcp: [mcp("a@example.com").valid, mcp("a").valid], ...outcome }));
