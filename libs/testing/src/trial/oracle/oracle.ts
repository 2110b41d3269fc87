/**
 * After the last fault, when everything is known and nothing is under way: what callers received (the model), what the
 * log holds, what the wallets show over HTTP, what the rail was sent, what merchants learned from events, and what the
 * auditor says must be the same.
 */
import { ledgerUrls, TrialStack } from '../trial-stack';
import { MeasuredClient } from '../traffic/measured-client';
import { Merchant } from '../traffic/merchants';
import { Operation } from '../traffic/operation';
import { audit } from './audit';
import { readEventLog } from './event-log';
import { compareWithLog, Compared, expectedBalances } from './model-check';
import { untilQuiet } from './quiescence';
import { wronglySent } from './sent-payouts';
import { wronglyTold } from './told-events';

const QUIET_TIMEOUT_MS = 90_000;
const EVENTS_TIMEOUT_MS = 30_000;

export interface Verdict extends Compared {
  events: number;
  /** What is wrong with the log in itself: gaps, partial groups, groups or currencies out of balance. */
  log: string[];
  /** Wallets that show something else than the model. */
  balances: string[];
  /** Payouts that the rail never took, and what it took beyond them. */
  rail: string[];
  /** Events that are missing, or that nothing explains. */
  toldInEvents: string[];
  /** What the services still have under way. */
  underWay: string[];
  /** The auditor's findings. */
  audit: string[];
}

interface Judged {
  stack: TrialStack;
  client: MeasuredClient;
  merchants: readonly Merchant[];
  operations: readonly Operation[];
  tell: (progress: string) => void;
}

export async function judge({ stack, client, merchants, operations, tell }: Judged): Promise<Verdict> {
  tell('waiting until nothing is under way');
  const underWay = await untilQuiet(stack, QUIET_TIMEOUT_MS);
  tell(`reading the log and comparing ${operations.length} operations with it`);
  const log = await readEventLog(ledgerUrls(stack), (events) => tell(`read ${events} events`));
  const compared = compareWithLog(operations, log);
  const balances = await wrongBalances(client, merchants, operations);
  const rail = await wronglySent(stack, operations);
  const toldInEvents = await wronglyTold(stack, operations, EVENTS_TIMEOUT_MS);
  const findings: string[] = [];
  for (const command of ['verify', 'replay'] as const) {
    tell(`audit ${command}`);
    const { ok, report } = await audit(stack, command);
    if (!ok) findings.push(`audit ${command}: ${report}`);
  }
  return { ...compared, events: log.events, log: log.faults, balances, rail, toldInEvents, underWay, audit: findings };
}

async function wrongBalances(
  client: MeasuredClient,
  merchants: readonly Merchant[],
  operations: readonly Operation[],
): Promise<string[]> {
  const wrong: string[] = [];
  const expected = expectedBalances(operations);
  for (const { apiKey, owners } of merchants) {
    for (const wallet of owners.flatMap(({ wallets }) => Object.values(wallets))) {
      const { status, data } = await client.send<{ balance: string }>({
        method: 'GET',
        path: `/wallets/${wallet}`,
        apiKey,
      });
      const balance = expected.get(wallet)?.toString();
      if (data?.balance !== balance)
        wrong.push(`wallet ${wallet} shows ${data?.balance ?? status}, expected ${balance}`);
    }
  }
  return wrong;
}
