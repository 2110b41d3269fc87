/**
 * The record of operators' acts, as `operator log --export` prints it: it is in another service's database, which the auditor does not
 * read. Its chain of hashes is followed here from the first act, so that none is left out before the last one; that it goes to the end
 * shows a head that was written down.
 */
import { readFileSync } from 'node:fs';
import { actProblem, actsHead } from '@stablecoin/event-chain/operators-acts';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { AuditFailure } from '../report/report';

export interface OperatorsAct {
  number: number;
  recorded_at: string;
  actor: string;
  reason: string | null;
  action: string;
  merchant_id?: string;
  details?: Readonly<Record<string, unknown>>;
}

/**
 * @param head as `operator log --verify` prints it: the acts must have it
 * @throws AuditFailure for a file that is no record, or a broken one
 */
export function readOperatorsActs(file: string, head?: string): OperatorsAct[] {
  const acts: OperatorsAct[] = [];
  let previous: Uint8Array = GENESIS_HASH;
  let hasHead = head === undefined;
  for (const line of linesOf(file)) {
    const { number, act, hash } = storedIn(line) ?? {};
    if (number === undefined || act === undefined || hash === undefined)
      throw new AuditFailure(`${file}: line ${acts.length + 1} is no act, as operator log --export prints it.`);
    const problem = actProblem({ number, act, hash }, acts.length + 1, previous);
    if (problem) throw new AuditFailure(`${file}: act ${acts.length + 1} ${problem}.`);
    acts.push(JSON.parse(act) as OperatorsAct);
    previous = hash;
    hasHead ||= actsHead(number, previous) === head;
  }
  if (!hasHead)
    throw new AuditFailure(
      `${file}: act ${head?.split(':', 1)[0]} is missing, or is not the one that was written down.`,
    );
  return acts;
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    throw new AuditFailure(`${file} can't be read: ${(error as Error).message}`);
  }
}

function storedIn(line: string): { number: number; act: string; hash: Buffer } | undefined {
  try {
    const { number, act, hash } = JSON.parse(line) as Record<string, unknown>;
    if (typeof number !== 'number' || typeof act !== 'string' || typeof hash !== 'string') return undefined;
    return { number, act, hash: Buffer.from(hash, 'hex') };
  } catch {
    return undefined;
  }
}
