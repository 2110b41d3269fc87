// What callers were told, held against the ledger's log and the other databases, once everything has come to rest.

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../stack/base-backup.mjs';
import { ROOT } from '../stack/paths.mjs';
import { runTool } from '../stack/run-tool.mjs';
import { Refusal } from '../stack/terminal.mjs';

const AT_REST_WITHIN_MS = 60_000;
const POLL_MS = 250;
const AUDIT_TIMEOUT_MS = 300_000;
const PARKING = ['customer', 'swap', 'payout'];
/** What the log calls each side of a swap. */
const SWAP = 'INTERNAL TRANSFER';

/** Until every transaction has ended and every fact has left the log. */
export async function untilAtRest(urls) {
  for (const deadline = Date.now() + AT_REST_WITHIN_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const [open] = await rowsOf(
      urls.ledger.owner,
      `SELECT (SELECT count(*) FROM transactions WHERE status = 'PENDING')::int AS pending,
         (SELECT count(*) FROM ledger_shards JOIN relay_checkpoints USING (shard) WHERE position < head_position)::int AS behind`,
    );
    if (open.pending === 0 && open.behind === 0) return;
  }
  throw new Refusal(`Transactions or facts are still under way after ${AT_REST_WITHIN_MS / 1000} s.`);
}

/** One line for everything that the books don't have as the callers were told. */
export async function differences(urls, load) {
  const opened = await openedIn(
    urls.ledger.owner,
    load.merchants.map(({ id }) => id),
  );
  const customers = new Set((await rowsOf(urls.customer.owner, 'SELECT id::text FROM customers')).map(({ id }) => id));
  const parked = await Promise.all(
    PARKING.map(async (name) => [name, await rowsOf(urls[name].owner, 'SELECT position, reason FROM parked_facts')]),
  );
  return [
    ...compared('deposit', load.ids('deposit'), opened.DEPOSIT),
    ...compared('payout', load.ids('payout'), opened.PAYOUT),
    ...compared('swap', load.ids('swap'), opened[SWAP]),
    ...load.ids('customer').flatMap((id) => (customers.has(id) ? [] : [`customer ${id} was lost`])),
    ...parked.flatMap(([name, rows]) => rows.map(({ position, reason }) => `${name} parked ${position}: ${reason}`)),
  ];
}

/** Of these merchants, by type: how often the log opens each; a swap by what its two sides have in common. */
async function openedIn(url, merchants) {
  const rows = await rowsOf(
    url,
    `SELECT opens->>'transaction_type' AS type, opens->>'id' AS id, opens->>'reference_id' AS reference
     FROM (SELECT body::jsonb->'event'->'opens' AS opens FROM ledger_events
       WHERE body::jsonb->>'merchant_id' = ANY ($1)) AS events
     WHERE opens IS NOT NULL`,
    [merchants],
  );
  const times = { DEPOSIT: new Map(), PAYOUT: new Map(), [SWAP]: new Map() };
  for (const { type, id, reference } of rows) {
    const key = type === SWAP ? reference : id;
    times[type]?.set(key, (times[type].get(key) ?? 0) + (type === SWAP ? 0.5 : 1));
  }
  return times;
}

function compared(kind, told, inLog) {
  const known = new Set(told);
  return [
    ...told.filter((id) => !inLog.has(id)).map((id) => `${kind} ${id} was acknowledged and is not in the log`),
    ...[...inLog].filter(([, times]) => times !== 1).map(([id, times]) => `${kind} ${id} is ${times} times in the log`),
    ...[...inLog.keys()].filter((id) => !known.has(id)).map((id) => `${kind} ${id} is in the log and nobody was told`),
  ];
}

/** Runs a command of the auditor, which must find nothing. */
export async function audited(environment, ...args) {
  const { code, output } = await runTool(
    process.execPath,
    ['--enable-source-maps', join(ROOT, 'dist/apps/auditor/src/main.js'), ...args],
    { cwd: ROOT, env: { ...process.env, ...environment }, timeoutMs: AUDIT_TIMEOUT_MS },
  );
  if (code !== 0) throw new Refusal(`audit ${args.join(' ')} ended with ${code}:\n${output.trim()}`);
}

async function rowsOf(url, statement, values = []) {
  const client = await connect(url);
  try {
    return (await client.query(statement, values)).rows;
  } finally {
    await client.end();
  }
}
