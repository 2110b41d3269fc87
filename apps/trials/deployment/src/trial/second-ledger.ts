// The profile two-ledgers: a merchant's shard is moved to the second database before it has an event. What the trial does with that
// merchant is on b then, and with others at home.

import assert from 'node:assert/strict';
import { eventually } from '@stablecoin/testing/eventually';
import type { Deployment } from '../running/deployment';

const SECOND = 'b';
const HELD_WITHIN = { timeoutMs: 30_000, pollMs: 500 };

interface ListedShard {
  shard: number;
  database: string;
  events: number;
  held: boolean;
}

/** The shard that a merchant was given when it was made. */
export function shardOf(deployment: Deployment, merchantId: string): Promise<number> {
  return deployment.onDatabase('customer', async (client) => {
    const { rows } = await client.query<{ shard: number }>('SELECT shard FROM merchants WHERE id = $1', [merchantId]);
    const [found] = rows;
    assert.ok(found, `there is no merchant ${merchantId}`);
    return found.shard;
  });
}

/** Moves a shard without events to the second database, and waits until an instance holds it there. */
export async function moveToSecond(deployment: Deployment, shard: number): Promise<void> {
  const moved = await deployment.command('shards', 'move', String(shard), '--to', SECOND, '--json');
  const { database, events } = JSON.parse(moved) as { database: string; events: number };
  assert.deepEqual({ database, events }, { database: SECOND, events: 0 });
  await eventually(
    `shard ${shard} is held on ${SECOND}`,
    async () => (await listed(deployment)).some((one) => one.shard === shard && one.database === SECOND && one.held),
    HELD_WITHIN,
  );
}

/** Where the shards are at the end, with events on either database; and that `verify` has read all of them. */
export async function verifyBoth(deployment: Deployment, moved: number): Promise<{ atHome: number; onSecond: number }> {
  const shards = await listed(deployment);
  const isMoved = ({ database }: ListedShard) => database === SECOND;
  assert.deepEqual(
    shards.filter(isMoved).map(({ shard }) => shard),
    [moved],
  );
  const [atHome, onSecond] = [sum(shards.filter((one) => !isMoved(one))), sum(shards.filter(isMoved))];
  assert.ok(
    atHome > 0 && onSecond > 0,
    `${atHome} events at home and ${onSecond} on ${SECOND}: both were to have some`,
  );
  const report = JSON.parse(await deployment.command('auditor', 'verify', '--json')) as {
    ok: boolean;
    shards: { shard: number }[];
  };
  const verified = { ok: report.ok, shards: report.shards.map(({ shard }) => shard).sort((one, other) => one - other) };
  assert.deepEqual(verified, { ok: true, shards: shards.map(({ shard }) => shard) });
  return { atHome, onSecond };
}

const listed = async (deployment: Deployment) =>
  JSON.parse(await deployment.command('shards', 'list', '--json')) as ListedShard[];

const sum = (shards: readonly ListedShard[]) => shards.reduce((events, shard) => events + shard.events, 0);
