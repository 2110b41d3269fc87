/** Ends an exhaustive switch: a missing case does not compile, and an unknown value at run time is an error. */
export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}
