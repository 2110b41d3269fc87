import { fileVariable, settingsOf } from './setting';

/** From this length on two slips are allowed, below it one: a short name soon resembles another word. */
const LONG_NAME = 10;

export interface MisspeltVariable {
  name: string;
  meant: string;
}

/**
 * Variables that look like one of a class's settings and are none: a default would be used where the operator believes
 * to have set a value. They cause a warning and no refusal: an environment has variables of other programs too.
 */
export function misspeltVariables(configuration: new () => object, environment: NodeJS.ProcessEnv): MisspeltVariable[] {
  const known = new Set(
    settingsOf(configuration).flatMap(({ definition: { env, secret } }) => (secret ? [env, fileVariable(env)] : [env])),
  );
  return Object.keys(environment).flatMap((name) => {
    if (known.has(name)) return [];
    const meant = [...known].find((candidate) => isSlipOf(name.toUpperCase(), candidate));
    return meant === undefined ? [] : [{ name, meant }];
  });
}

function isSlipOf(name: string, candidate: string): boolean {
  const slips = candidate.length >= LONG_NAME ? 2 : 1;
  return Math.abs(name.length - candidate.length) <= slips && distance(name, candidate) <= slips;
}

/** Letters to change, add, leave out or swap with their neighbour to get from one to the other. */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const same = one[i - 1] === other[j - 1];
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        at(rows, i - 1, j) + 1,
        (row[j - 1] as number) + 1,
        at(rows, i - 1, j - 1) + (same ? 0 : 1),
        swapped ? at(rows, i - 2, j - 2) + 1 : Infinity,
      );
    }
    rows.push(row);
  }
  return at(rows, one.length, other.length);
}

const at = (rows: number[][], row: number, column: number): number => rows[row]?.[column] as number;
