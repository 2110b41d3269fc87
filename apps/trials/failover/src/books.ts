/** Compares the answers that callers received with the ledger's log and the other databases, once no work is left. */
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ROOT } from '@stablecoin/command-line/root';
import { connect } from '@stablecoin/local-stack/base-backup';
import { runTool } from '@stablecoin/local-stack/run-tool';
import { compiledMain, nodeCommand } from '@stablecoin/local-stack/service-process';
import type { DatabaseName, DatabaseUrls } from '@stablecoin/migrations/databases';
import type { RetryingLoad } from './retrying-load';

const AT_REST_WITHIN_MS = 60_000;
const POLL_MS = 250;
const AUDIT_TIMEOUT_MS = 300_000;
const PARKING = ['customer', 'swap', 'payout'] as const;
/** The type that the log gives each side of a swap. */
const SWAP = 'INTERNAL TRANSFER';

type Urls = Record<DatabaseName, DatabaseUrls>;
/** How often the log has each operation, by its id. */
type Times = ReadonlyMap<string, number>;

interface Opened {
  type: string;
  id: string;
  reference: string;
}

/** Waits until every transaction has ended and every fact is published. */
export async function untilAtRest(urls: Urls): Promise<void> {
  const deadline = Date.now() + AT_REST_WITHIN_MS;
  for (;;) {
    const [open] = await rowsOf<{ pending: number; behind: number }>(
      urls.ledger.owner,
      `SELECT (SELECT count(*) FROM transactions WHERE status = 'PENDING')::int AS pending,
         (SELECT count(*) FROM ledger_shards JOIN relay_checkpoints USING (shard) WHERE position < head_position)::int AS behind`,
    );
    if (open?.pending === 0 && open.behind === 0) return;
    if (Date.now() >= deadline)
      throw new OperatorError(`Transactions or facts are still under way after ${AT_REST_WITHIN_MS / 1_000} s.`);
    await delay(POLL_MS);
  }
}

/** One line for each difference between the callers' answers and the databases. */
export async function differences(urls: Urls, load: RetryingLoad): Promise<string[]> {
  const opened = await openedIn(
    urls.ledger.owner,
    load.merchants.map(({ id }) => id),
  );
  const rows = await rowsOf<{ id: string }>(urls.customer.owner, 'SELECT id::text FROM customers');
  const customers = new Set(rows.map(({ id }) => id));
  const parked = await Promise.all(PARKING.map((name) => parkedIn(name, urls[name].owner)));
  return [
    ...compared('deposit', load.ids('deposit'), opened('DEPOSIT')),
    ...compared('payout', load.ids('payout'), opened('PAYOUT')),
    ...compared('swap', load.ids('swap'), opened(SWAP)),
    ...load.ids('customer').flatMap((id) => (customers.has(id) ? [] : [`customer ${id} was lost`])),
    ...parked.flat(),
  ];
}

async function parkedIn(name: string, url: string): Promise<string[]> {
  const rows = await rowsOf<{ position: string; reason: string }>(url, 'SELECT position, reason FROM parked_facts');
  return rows.map(({ position, reason }) => `${name} parked ${position}: ${reason}`);
}

/** How often the log opens each transaction of these merchants, by type; a swap by the reference of its two sides. */
async function openedIn(url: string, merchants: readonly string[]): Promise<(type: string) => Times> {
  const rows = await rowsOf<Opened>(
    url,
    `SELECT opens->>'transaction_type' AS type, opens->>'id' AS id, opens->>'reference_id' AS reference
     FROM (SELECT body::jsonb->'event'->'opens' AS opens FROM ledger_events
       WHERE body::jsonb->>'merchant_id' = ANY ($1)) AS events
     WHERE opens IS NOT NULL`,
    [merchants],
  );
  return (wanted) => {
    const times = new Map<string, number>();
    for (const { type, id, reference } of rows) {
      if (type !== wanted) continue;
      const key = type === SWAP ? reference : id;
      times.set(key, (times.get(key) ?? 0) + (type === SWAP ? 0.5 : 1));
    }
    return times;
  };
}

export function compared(kind: string, told: readonly string[], inLog: Times): string[] {
  const known = new Set(told);
  return [
    ...told.filter((id) => !inLog.has(id)).map((id) => `${kind} ${id} was acknowledged and is not in the log`),
    ...[...inLog].filter(([, times]) => times !== 1).map(([id, times]) => `${kind} ${id} is ${times} times in the log`),
    ...[...inLog.keys()]
      .filter((id) => !known.has(id))
      .map((id) => `${kind} ${id} is in the log and no caller was told`),
  ];
}

/** Runs a command of the auditor, which must find no fault. */
export async function audited(environment: NodeJS.ProcessEnv, command: 'verify' | 'replay'): Promise<void> {
  const [program = process.execPath, ...args] = nodeCommand(compiledMain('auditor'), command);
  const env = { ...process.env, ...environment };
  const { code, output } = await runTool(program, args, { cwd: ROOT, env, timeoutMs: AUDIT_TIMEOUT_MS });
  if (code !== 0) throw new OperatorError(`audit ${command} ended with ${code}:\n${output.trim()}`);
}

async function rowsOf<Row extends object>(url: string, statement: string, values: unknown[] = []): Promise<Row[]> {
  const client = await connect(url);
  try {
    return (await client.query<Row>(statement, values)).rows;
  } finally {
    await client.end();
  }
}
