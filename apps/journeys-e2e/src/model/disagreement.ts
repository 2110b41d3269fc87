/** Model and service do not agree: the end of a sequence. */
export class Disagreement extends Error {
  constructor(
    readonly expected: string,
    readonly came: string,
  ) {
    super(`expected ${expected}\ncame ${came}`);
  }
}

/** Compares the expected fields; ignores others. */
export function sameFields(what: string, expected: Readonly<Record<string, unknown>>, came: unknown): void {
  const found = (came ?? {}) as Record<string, unknown>;
  const differing = Object.keys(expected).filter((name) => !isSame(expected[name], found[name]));
  if (differing.length === 0) return;
  const told = (from: Readonly<Record<string, unknown>>) =>
    `${what} with ${differing.map((name) => `${name} ${JSON.stringify(from[name])}`).join(', ')}`;
  throw new Disagreement(told(expected), told(found));
}

/** Compares two lists of names, such as the labels of transactions. */
export function sameList(what: string, expected: readonly string[], came: readonly string[]): void {
  if (isSame(expected, came)) return;
  throw new Disagreement(`${what} [${expected.join(', ')}]`, `[${came.join(', ')}]`);
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
