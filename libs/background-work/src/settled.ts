export type Settled<Value> = { value: Value } | { error: unknown };

/** The outcome of a promise as a value: a promise that is awaited only later is then never an unhandled rejection. */
export function settled<Value>(work: Promise<Value>): Promise<Settled<Value>> {
  return work.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
}
