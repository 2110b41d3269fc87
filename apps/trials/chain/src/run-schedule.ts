/** One schedule: fresh wallets, its steps, all faults healed, and the judgement. */
import { setTimeout as delay } from 'node:timers/promises';
import { Money } from '@stablecoin/money/money';
import type { Currency } from '@stablecoin/money/currency';
import { openAccounts } from './acting/accounts';
import { Actor } from './acting/actor';
import { look } from './acting/look';
import type { PayingMerchant } from './acting/paying-merchant';
import { PayoutRequests } from './acting/payout-requests';
import { untilQuiet } from './acting/quiescence';
import type { Ground } from './ground/ground';
import { findingsOfBalances } from './oracle/balances';
import { readBalances, readDeposits, readOutcomes, readPayouts, readUnrecognised } from './oracle/books';
import type { ChainRecord } from './oracle/chain-record';
import { creditedTo, findingsOfDeposits, findingsOfHaste, findingsOfUnrecognised } from './oracle/deposits';
import { findingsOfHastyPayouts, findingsOfPayouts, type HeldPayout, type PayoutOutcome } from './oracle/payouts';
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

/** What all schedules of a run have in common. */
export interface TrialScene {
  ground: Ground;
  merchant: PayingMerchant;
  record: ChainRecord;
}

export async function runSchedule(scene: TrialScene, schedule: Schedule): Promise<ScheduleResult> {
  const { ground, merchant, record } = scene;
  const startedAt = Date.now();
  const history: string[] = [];
  const findings: string[] = [];
  const note = (what: string) => history.push(`${String(Date.now() - startedAt).padStart(6)} ms ${what}`);
  const { databases, bus } = ground;
  ground.payers.releaseAll();
  record.forget();
  await look(ground.chain, record);
  const { wallets, merchants } = await openAccounts(ground, WALLETS);
  const payouts = new PayoutRequests(ground, merchant);
  const actor = new Actor(ground, record, wallets, payouts);
  const judged = { network: ground.network, wallets, record };
  try {
    for (const [index, planned] of schedule.steps.entries()) {
      await delay(planned.afterMs);
      note(`step ${index + 1}/${schedule.steps.length}: ${told(planned)}`);
      await actor.perform(planned.step);
      // The payout service asks when an end is due. What it would believe too early shows only where it asks before.
      await databases.hastenLooks();
      // Asked of the ledger first: what becomes final meanwhile is not held against it.
      const held = [...payouts.held];
      const [booked, paid] = await Promise.all([readDeposits(databases, merchants), readPayouts(databases, held)]);
      findings.push(...findingsOfHaste({ ...judged, booked }), ...findingsOfHastyPayouts(held, paid, record));
      if (findings.length > 0) break;
    }
    note('faults end');
    actor.heal();
    await actor.killed();
    await ground.services.untilAllServe();
    await payouts.answered();
    note('everything serves');
    const waited = { ground, record, actor, merchants: [...merchants, merchant.id], timeoutMs: QUIET_TIMEOUT_MS };
    findings.push(...(await untilQuiet(waited)));
    note(`quiet at block ${record.height}`);
    const { held } = payouts;
    const outcomes = await readOutcomes(databases, bus, held);
    merchant.hasPaid(completedOf(held, outcomes));
    const booked = await readDeposits(databases, merchants);
    const balances = await readBalances(databases, [...wallets, ...merchant.wallets]);
    const due = new Map([...creditedTo({ ...judged, booked }), ...merchant.balancesDue()]);
    const unrecognised = await readUnrecognised(databases, merchants);
    findings.push(
      ...findingsOfDeposits({ ...judged, booked, wereHidden: actor.wereHidden }),
      ...findingsOfBalances(balances, due),
      ...findingsOfUnrecognised(judged, unrecognised),
      ...findingsOfPayouts({ ...ground, held, outcomes, transfers: record.transfers() }),
      ...payouts.findings,
      ...ground.services.unaskedEnds.splice(0),
    );
    return { seed: schedule.seed, findings, history, deposits: booked.length, payouts: held.length };
  } catch (error) {
    const broken = `it could not be carried out: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    const { held } = payouts;
    return { seed: schedule.seed, findings: [...findings, broken], history, deposits: 0, payouts: held.length };
  } finally {
    payouts.end();
    actor.heal();
  }
}

function completedOf(held: readonly HeldPayout[], outcomes: readonly PayoutOutcome[]): Money[] {
  const completed = new Set(outcomes.filter(({ booked }) => booked?.status === 'COMPLETED').map(({ id }) => id));
  return held
    .filter(({ id }) => completed.has(id))
    .map(({ currency, amount }) => Money.parse(currency as Currency, amount));
}
