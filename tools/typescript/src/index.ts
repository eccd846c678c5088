/**
 * JSON Schema validation that is synchronous, needs no eval, and ends within bounds whoever wrote the schema.
 *
 * @packageDocumentation
 */
export { Validator } from "./validator.js";
export type {
  Annotation, Cost, Diagnosis, Dialect, JsonSchema, Limits, OutputFormat, Preset, Size, StandardSchema, ValidatorOptions, Verdict,
} from "./validator.js";
export { InstanceError, SchemaError, StanchionError, ValidationError } from "./errors.js";
export type { ErrorObject, SchemaErrorObject } from "./errors.js";
export { provide, reset, usage } from "./engine.js";
export type { Usage } from "./engine.js";
