import { test } from "node:test";
import assert from "node:assert/strict";
import * as stanchion from "stanchion";
import { officialGroups } from "./lib/official.mjs";
import { runGroups } from "./lib/groups.mjs";

test("the official suite on Node", () => {
  const { tests, wrong } = runGroups(stanchion, officialGroups());
  assert.deepEqual(wrong, []);
  assert.ok(tests > 7000, `there are only ${tests} tests`);
});
