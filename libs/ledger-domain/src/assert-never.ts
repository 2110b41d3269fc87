/** Ends an exhaustive switch: the compiler refuses a case that is missing, and a value from outside is an error. */
export function assertNever(value: never): never {
  throw new Error(`unexpected ${JSON.stringify(value)}`);
}
