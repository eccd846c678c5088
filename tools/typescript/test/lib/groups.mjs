// Runs groups of the official suite through the package, in any runtime.

/**
 * Tests about how a number is spelled (`1.0`, and whole numbers above 1e21 in full), which draft-04 alone cares for. A JavaScript number has lost
 * its spelling, so as values they have the other verdict.
 */
const SPELLING = [
  "draft4/optional/bignum.json: integer: a bignum is an integer",
  "draft4/optional/bignum.json: integer: a negative bignum is an integer",
  "draft4/optional/zeroTerminatedFloats.json: some languages do not distinguish between different types of numeric value: a float is not an integer even without fractional part",
];

/** Runs all tests, as text and as values. Returns how many there are, and what is wrong. */
export function runGroups({ Validator }, { groups, resources }) {
  const wrong = [];
  let tests = 0;
  for (const group of groups) {
    const options = group.needsRemotes ? { ...group.options, resources } : group.options;
    let fromText;
    let fromValue;
    try {
      fromText = Validator.fromText(group.schema, options);
      fromValue = new Validator(JSON.parse(group.schema), options);
    } catch (error) {
      wrong.push(`${group.name}: ${error.message}`);
      continue;
    }
    for (const test of group.tests) {
      tests++;
      const name = `${group.name}: ${test.name}`;
      const value = JSON.parse(test.text);
      const expected = test.isValid;
      const verdicts = [
        [fromText.verdictText(test.text), expected],
        [fromText.verdictText(new TextEncoder().encode(test.text)), expected],
        [fromText.errorsText(test.text).length > 0 ? "invalid" : "valid", expected],
        [fromValue.verdict(value), expected !== SPELLING.includes(name)],
        [fromValue.errors(value).length > 0 ? "invalid" : "valid", expected !== SPELLING.includes(name)],
      ];
      if (verdicts.some(([verdict, isValid]) => verdict !== (isValid ? "valid" : "invalid"))) wrong.push(`${name}: ${verdicts}`);
    }
    fromText.dispose();
    fromValue.dispose();
  }
  return { tests, wrong };
}
