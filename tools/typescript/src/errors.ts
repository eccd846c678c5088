/** One thing that is wrong with an instance. The members are those that users of Ajv know. */
export interface ErrorObject {
  /** A JSON Pointer to the offending value. */
  readonly instancePath: string;
  /** `#` and the place of the keyword in the schema. */
  readonly schemaPath: string;
  /** The keyword that refuses; empty if the entry says why the list ends, or why the value could not be read. */
  readonly keyword: string;
  /** The facts, by keyword. */
  readonly params: { readonly [name: string]: unknown };
  /** A sentence without the place. */
  readonly message: string;
}

/** One thing that is wrong with a schema. */
export interface SchemaErrorObject {
  /** The place in the schema, after the URI of its resource if it is in one. */
  readonly schemaPath: string;
  readonly keyword: string;
  /** What kind of problem it is: `expected`, `unresolved`, `pattern`, `dialect`, `limit` and so on. */
  readonly kind: string;
  readonly params: { readonly [name: string]: unknown };
  readonly message: string;
}

/** The common class of all errors of this package. */
export class StanchionError extends Error {
  override name = "StanchionError";
}

/** A schema that was refused, with all its problems. */
export class SchemaError extends StanchionError {
  override name = "SchemaError";
  /** All problems, the first of which is the message. Empty if the schema is not JSON at all. */
  readonly errors: readonly SchemaErrorObject[];

  constructor(message: string, errors: readonly SchemaErrorObject[] = [], options?: ErrorOptions) {
    super(message, options);
    this.errors = errors;
  }
}

/** A value that is not valid, or that was not proven to be. */
export class ValidationError extends StanchionError {
  override name = "ValidationError";
  /** What is wrong, most helpful first. */
  readonly errors: readonly ErrorObject[];

  constructor(errors: readonly ErrorObject[]) {
    super(errors.map(line).join("; "));
    this.errors = errors;
  }
}

/** A value or a text that is not JSON, or is nested too deep or too long to be checked. */
export class InstanceError extends StanchionError {
  override name = "InstanceError";
}

/** An error in one line, with its place. */
export function line({ instancePath, message }: ErrorObject): string {
  return instancePath === "" ? message : `${instancePath}: ${message}`;
}
