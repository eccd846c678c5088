// JSON whose parts keep their text: numbers in test files have digits that a JavaScript number loses.

/** Splits an array or object into its items or members, each as text. */
export function parts(text) {
  const isObject = text.trimStart()[0] === "{";
  let at = text.indexOf(isObject ? "{" : "[") + 1;
  const found = isObject ? {} : [];
  const skip = () => {
    while (/\s/.test(text[at])) at++;
  };
  const value = () => {
    skip();
    const start = at;
    let depth = 0;
    for (; ; at++) {
      const char = text[at];
      if (char === '"') {
        for (at++; text[at] !== '"'; at++) if (text[at] === "\\") at++;
      } else if (char === "{" || char === "[") depth++;
      else if (char === "}" || char === "]" || char === ",") {
        if (depth === 0) return text.slice(start, at).trim();
        if (char !== ",") depth--;
      } else if (char === ":" && depth === 0) return text.slice(start, at).trim();
    }
  };
  for (;;) {
    skip();
    if (text[at] === "}" || text[at] === "]") return found;
    if (text[at] === ",") at++;
    if (isObject) {
      const name = JSON.parse(value());
      at++;
      Object.defineProperty(found, name, { value: value(), enumerable: true });
    } else found.push(value());
  }
}
