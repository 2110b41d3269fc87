/** All lines of the table, one after the other: first what happens while the services run, then what happens at rest. */
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { say } from '@stablecoin/command-line/terminal';
import { type Ground, startGround } from './ground/ground';
import { contradiction, type Evidence } from './judging/expectation';
import type { Weakness } from './planted/weaknesses';
import type { Stage } from './table/forgery';
import type { Line } from './table/forgeries';

export interface LineResult extends Line {
  evidence: Evidence | undefined;
  /** Why it is not as the table says. */
  failure: string | undefined;
  ms: number;
}

const STAGES: readonly Stage[] = ['running', 'at rest'];

/** @param tell hears of each result when it is there */
export async function runTrial(
  folder: string,
  { lines, weakness }: { lines: readonly Line[]; weakness?: Weakness },
  tell: (result: LineResult) => void,
): Promise<LineResult[]> {
  const undo: (() => Promise<unknown>)[] = [];
  const interrupted = interruption();
  try {
    const ground = await Promise.race([startGround(folder, undo, weakness), interrupted]);
    return await Promise.race([tryAll(ground, lines, tell), interrupted]);
  } finally {
    for (const stop of undo.reverse()) await stop().catch((error: unknown) => say(`  ${String(error)}`));
  }
}

async function tryAll(
  { site, rest }: Ground,
  lines: readonly Line[],
  tell: (result: LineResult) => void,
): Promise<LineResult[]> {
  const results: LineResult[] = [];
  for (const stage of STAGES) {
    if (stage === 'at rest') await rest();
    for (const line of lines.filter(({ forgery }) => forgery.stage === stage)) {
      const startedAt = Date.now();
      const tried = await outcomeOf(() => line.forgery.attempt(site), line);
      const result = { ...line, ...tried, ms: Date.now() - startedAt };
      results.push(result);
      tell(result);
    }
  }
  return results;
}

async function outcomeOf(
  attempt: () => Promise<Evidence>,
  { forgery }: Line,
): Promise<Pick<LineResult, 'evidence' | 'failure'>> {
  try {
    const evidence = await attempt();
    return { evidence, failure: contradiction(forgery.expected, evidence) };
  } catch (error) {
    return { evidence: undefined, failure: `it could not be tried: ${String(error)}` };
  }
}

/** The servers are of process groups of their own: they end with the trial, not with the terminal's Ctrl-C. */
function interruption(): Promise<never> {
  const stopped = new Promise<never>((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
      process.once(signal, () => reject(new OperatorError(`${signal}: stopped before the end.`)));
  });
  stopped.catch(() => undefined); // It may come when nothing is waited for any more.
  return stopped;
}
