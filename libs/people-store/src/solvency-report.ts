/** What `solvency --json` of the auditor prints, as far as the console shows it. */
export interface SolvencyReport {
  ok: boolean;
  statement: { number: number; origin: string; time: string };
  currencies: CurrencyCoverage[];
  networks: NetworkReconciliation[];
  not_looked_at: { network: string; currency: string; booked: string; open: boolean }[];
}

export interface CurrencyCoverage {
  currency: string;
  covered: boolean;
  owed: string;
  held: string;
  held_elsewhere: string;
  spoken_for: string;
  surplus: string;
}

interface Line {
  transfers: number;
  amount: string;
}

export interface Difference {
  amount: string;
  problem: string;
  /** When it was found first, in each report since then. */
  since?: string;
}

export interface TokenReconciliation {
  currency: string;
  held: string;
  put_in: Line;
  taken_out: Line;
  booked: string;
  explained: Record<string, Line>;
  unexplained: string;
  findings: Difference[];
}

export interface NetworkReconciliation {
  network: string;
  nodes: string[];
  block_number: number;
  block_hash: string;
  addresses: number;
  tokens: TokenReconciliation[];
}

type Check = (value: unknown) => boolean;

const LISTED_MAX = 1_000;
const TEXT_MAX = 2_000;
const text: Check = (value) => typeof value === 'string' && value.length <= TEXT_MAX;
const amount: Check = (value) => typeof value === 'string' && /^-?\d{1,40}(\.\d{1,40})?$/.test(value);
const count: Check = (value) => Number.isSafeInteger(value);
const flag: Check = (value) => typeof value === 'boolean';
const list =
  (of: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length <= LISTED_MAX && value.every(of);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const shape =
  (fields: Record<string, Check>): Check =>
  (value) =>
    isObject(value) && Object.entries(fields).every(([name, check]) => check(value[name]));
const line = shape({ transfers: count, amount });
const lines: Check = (value) => isObject(value) && Object.values(value).every(line);

const isReport = shape({
  ok: flag,
  statement: shape({ number: count, origin: text, time: text }),
  currencies: list(
    shape({
      ...{ currency: text, covered: flag, owed: amount, held: amount, held_elsewhere: amount, spoken_for: amount },
      surplus: amount,
    }),
  ),
  networks: list(
    shape({
      ...{ network: text, nodes: list(text), block_number: count, block_hash: text, addresses: count },
      tokens: list(
        shape({
          ...{ currency: text, held: amount, put_in: line, taken_out: line, booked: amount, explained: lines },
          ...{ unexplained: amount, findings: list(shape({ amount, problem: text })) },
        }),
      ),
    }),
  ),
  not_looked_at: list(shape({ network: text, currency: text, booked: amount, open: flag })),
});

/** Undefined for what no auditor has printed, or has more differences than a page can show. */
export function solvencyReportOf(value: unknown): SolvencyReport | undefined {
  return isReport(value) ? (value as SolvencyReport) : undefined;
}

/** Each difference with when it was found first: it is the same one while the report says the same of it. */
export function withAges(report: SolvencyReport, before: SolvencyReport | undefined, now: string): SolvencyReport {
  const known = new Map<string, string>();
  const nameOf = (network: string, currency: string, problem: string) => JSON.stringify([network, currency, problem]);
  for (const { network, tokens } of before?.networks ?? [])
    for (const { currency, findings } of tokens)
      for (const { problem, since } of findings)
        if (since !== undefined) known.set(nameOf(network, currency, problem), since);
  const networks = report.networks.map(({ tokens, ...network }) => ({
    ...network,
    tokens: tokens.map((token) => ({
      ...token,
      findings: token.findings.map(({ amount: of, problem }) => {
        const since = known.get(nameOf(network.network, token.currency, problem)) ?? now;
        return { amount: of, problem, since };
      }),
    })),
  }));
  return { ...report, networks };
}
