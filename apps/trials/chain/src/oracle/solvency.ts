/**
 * What `audit solvency` must say when all is final and the newest statement covers the whole log: everything is covered, no
 * difference is unexplained, and nothing is explained by being under way, so that chain and ledger agree to the last unit.
 */

interface Line {
  transfers: number;
  amount: string;
}

/** What is read of its `--json`. */
export interface SolvencyReport {
  ok: boolean;
  currencies: readonly { currency: string; covered: boolean; surplus: string }[];
  networks: readonly {
    network: string;
    tokens: readonly {
      currency: string;
      explained: Readonly<Record<string, Line>>;
      ordered: readonly { kind: string; state: string; orders: number }[];
      findings: readonly { amount: string; problem: string }[];
    }[];
  }[];
}

/** These stay: what an operator has to resolve, what failed or was reversed and came again, what is finer than the ledger. */
const LASTING: readonly string[] = ['unrecognised', 'not_credited', 'rest'];

export function findingsOfSolvency({ ok, currencies, networks }: SolvencyReport): string[] {
  const found = [
    ...currencies
      .filter(({ covered }) => !covered)
      .map(({ currency, surplus }) => `${currency} is not covered: ${surplus}`),
    ...networks.flatMap(({ network, tokens }) =>
      tokens.flatMap(({ currency, explained, ordered, findings }) =>
        [
          ...findings.map(({ amount, problem }) => `${amount}: ${problem}`),
          ...Object.entries(explained)
            .filter(([name, { transfers }]) => transfers > 0 && !LASTING.includes(name))
            .map(([name, { transfers, amount }]) => `${amount} in ${transfers} transfers are ${name}`),
          ...ordered.map(({ kind, state, orders }) => `${orders} orders of ${kind} are ${state}`),
        ].map((finding) => `${currency} on ${network}: ${finding}`),
      ),
    ),
  ];
  if (!ok && found.length === 0) found.push('it says that not all is well, and not what');
  return found.map((finding) => `audit solvency: ${finding}`);
}
