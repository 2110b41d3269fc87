/** One schedule: fresh wallets, its steps, all faults healed, and the judgement. */
import { setTimeout as delay } from 'node:timers/promises';
import { openAccounts } from './acting/accounts';
import { Actor } from './acting/actor';
import { look } from './acting/look';
import { PayoutOrders } from './acting/payout-orders';
import { untilQuiet } from './acting/quiescence';
import type { Ground } from './ground/ground';
import { readLedger, readUnrecognised } from './oracle/books';
import type { ChainRecord } from './oracle/chain-record';
import {
  creditedTo,
  findingsOfDeposits,
  findingsOfHaste,
  findingsOfUnrecognised,
  type TrialWallet,
} from './oracle/deposits';
import { findingsOfPayouts } from './oracle/payouts';
import { type Schedule, told, WALLETS } from './schedule/schedule';

/** Longer than the longest pause before another try of anything, after a process has come back. */
const QUIET_TIMEOUT_MS = 60_000;

export interface ScheduleResult {
  seed: number;
  findings: readonly string[];
  /** What was done, with the moments at which it began. */
  history: readonly string[];
  deposits: number;
  payouts: number;
}

export async function runSchedule(ground: Ground, record: ChainRecord, schedule: Schedule): Promise<ScheduleResult> {
  const startedAt = Date.now();
  const history: string[] = [];
  const findings: string[] = [];
  const note = (what: string) => history.push(`${String(Date.now() - startedAt).padStart(6)} ms ${what}`);
  ground.payers.releaseAll();
  record.forget();
  await look(ground.chain, record);
  const { wallets, merchants } = await openAccounts(ground, WALLETS);
  const orders = new PayoutOrders(ground);
  const actor = new Actor(ground, record, wallets, orders);
  const judged = { network: ground.network, wallets, record };
  try {
    for (const [index, planned] of schedule.steps.entries()) {
      await delay(planned.afterMs);
      note(`step ${index + 1}/${schedule.steps.length}: ${told(planned)}`);
      await actor.perform(planned.step);
      // Asked of the ledger first: what becomes final meanwhile is not held against it.
      const { deposits } = await readLedger(ground.databases, merchants);
      findings.push(...findingsOfHaste({ ...judged, booked: deposits }));
      if (findings.length > 0) break;
    }
    note('faults end');
    actor.heal();
    await actor.killed();
    await ground.services.untilAllServe();
    await orders.taken();
    note('everything serves');
    findings.push(...(await untilQuiet({ ground, record, actor, merchants, timeoutMs: QUIET_TIMEOUT_MS })));
    note(`quiet at block ${record.height}`);
    const outcomes = await orders.outcomes();
    const { deposits, balances } = await readLedger(ground.databases, merchants);
    const unrecognised = await readUnrecognised(ground.databases, merchants);
    const transfers = record.transfers();
    findings.push(
      ...findingsOfDeposits({ ...judged, booked: deposits, wereHidden: actor.wereHidden }),
      ...findingsOfBalances(wallets, balances, creditedTo({ ...judged, booked: deposits })),
      ...findingsOfUnrecognised(judged, unrecognised),
      ...findingsOfPayouts({ ...ground, ordered: orders.ordered, outcomes, transfers }),
      ...orders.findings,
      ...ground.services.unaskedEnds.splice(0),
    );
    return { seed: schedule.seed, findings, history, deposits: deposits.length, payouts: orders.ordered.length };
  } catch (error) {
    const broken = `it could not be carried out: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    return {
      seed: schedule.seed,
      findings: [...findings, broken],
      history,
      deposits: 0,
      payouts: orders.ordered.length,
    };
  } finally {
    orders.end();
    actor.heal();
  }
}

function findingsOfBalances(
  wallets: readonly TrialWallet[],
  balances: ReadonlyMap<string, string>,
  credited: ReturnType<typeof creditedTo>,
): string[] {
  return wallets.flatMap(({ id, currency }) => {
    const [has, due] = [balances.get(id), credited.get(id)?.toString()];
    return has === due || (has === undefined && credited.get(id)?.isZero() === true)
      ? []
      : [`wallet ${id} has ${has ?? 'no balance'} ${currency}, and received ${due ?? 'nothing'}`];
  });
}
