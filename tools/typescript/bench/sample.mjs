/** A value that a tool's input schema probably accepts: all its properties, with the plainest values. */
export function sample(schema, root = schema, depth = 0) {
  if (typeof schema !== "object" || schema === null || depth > 8) return null;
  if (typeof schema.$ref === "string" && schema.$ref.startsWith("#")) {
    const target = schema.$ref.slice(2).split("/").reduce((at, step) => at?.[decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~")], root);
    return sample(target, root, depth + 1);
  }
  if ("const" in schema) return schema.const;
  if (schema.enum) return schema.enum[0];
  if ("default" in schema && schema.default !== null) return schema.default;
  const branch = schema.anyOf?.[0] ?? schema.oneOf?.[0];
  if (branch) return sample({ ...schema, anyOf: undefined, oneOf: undefined, ...branch }, root, depth + 1);
  const type = [schema.type].flat()[0] ?? (schema.properties ? "object" : "string");
  switch (type) {
    case "object":
      return Object.fromEntries(
        Object.entries(schema.properties ?? {})
          .filter(([name]) => depth < 3 || schema.required?.includes(name))
          .map(([name, property]) => [name, sample(property, root, depth + 1)]),
      );
    case "array":
      return Array.from({ length: Math.max(schema.minItems ?? 0, 1) }, () => sample(schema.items ?? {}, root, depth + 1));
    case "integer":
    case "number":
      return Math.min(Math.max(schema.minimum ?? (schema.exclusiveMinimum ?? 0) + 1, 1), schema.maximum ?? Infinity);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return "a plain text".padEnd(schema.minLength ?? 0, "x").slice(0, schema.maxLength ?? 100);
  }
}
