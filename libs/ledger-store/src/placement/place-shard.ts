/**
 * Places a shard without events on another database. Each step is one commit of one database, and after any of them the process can
 * be gone (docs/adr/0066):
 *
 * | step   | commits                                                              | where the shard is after it                     |
 * |--------|----------------------------------------------------------------------|-------------------------------------------------|
 * | take   | each side: the mover's token, by which a mover that began before is  | where it was                                    |
 * |        | out; at the target a row that names the source                       |                                                 |
 * | wait   | nothing: the source's row is reserved, its holder hands it over      | where it was; the reservation lapses            |
 * | depart | source: it names the target, under a new epoch and without a holder  | with neither: done again it arrives, on the     |
 * |        |                                                                      | side that is asked for                          |
 * | arrive | target: it names no other, under an epoch above the source's         | on the target                                   |
 *
 * Two movers can't both bring a shard to an end: each takes the source, then the target, and looks whether it still has the source. Who
 * has both has put every other out, and writes only where its own token stands.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { PlacedDatabase, readShardRows, ShardRow } from './shard-rows';

/** Longer than a hand-over, and than the lease of an instance that is gone. */
const HAND_OVER_MS = 4_000;
const POLL_MS = 20;
const RESERVED_MS = 6_000;

interface Side extends PlacedDatabase {
  row: ShardRow | undefined;
}

export interface PlaceRequest {
  shard: number;
  /** The name of a database. */
  to: string;
  handOverMs?: number;
}

export interface Placed {
  /** False where it had been there before. */
  moved: boolean;
  events: number;
  /** For how long no instance could hold it. */
  reserved_ms: number;
}

/**
 * @param databases all of the ledger's
 * @throws OperatorError why not
 */
export async function placeShard(
  databases: readonly PlacedDatabase[],
  { shard, to, handOverMs = HAND_OVER_MS }: PlaceRequest,
): Promise<Placed> {
  const token = randomUUID();
  const sides = await Promise.all(
    databases.map(async (database): Promise<Side> => ({
      ...database,
      row: (await readShardRows(database.sql, shard))[0],
    })),
  );
  const target = sides.find(({ name }) => name === to);
  if (!target) throw new OperatorError(`There is no database "${to}": there are ${namesOf(databases)}.`);
  const having = sides.filter(({ row }) => row?.moved_to === null);
  if (having.length > 1)
    throw new OperatorError(`${namesOf(having)} both say that they have shard ${shard}: was one of them restored?`);
  const [source] = having;
  if (source === target) return { moved: false, events: target.row?.head_position ?? 0, reserved_ms: 0 };
  if (!source) {
    await arriveAfterInterruption(sides, target, shard, token);
    return { moved: true, events: 0, reserved_ms: 0 };
  }
  if (source.row && source.row.head_position > 0) throw hasEvents(shard, source);
  await takeBoth(source, target, shard, token);
  const began = performance.now();
  await untilFree(source, shard, token, handOverMs);
  await depart(source, target, shard, token);
  await arrive(source, target, shard, token);
  return { moved: true, events: 0, reserved_ms: Math.round(performance.now() - began) };
}

const namesOf = (databases: readonly PlacedDatabase[]) => databases.map(({ name }) => name).join(', ');

const hasEvents = (shard: number, { name }: PlacedDatabase) =>
  new OperatorError(`Shard ${shard} has events on ${name}: only a shard without any can be placed elsewhere.`);

const outrun = (shard: number) =>
  new OperatorError(`Shard ${shard} is being placed by somebody else: look where it is, and try again.`);

/** Neither side has it: a mover departed and did not arrive. It arrives now, where it is asked for. */
async function arriveAfterInterruption(
  sides: readonly Side[],
  target: Side,
  shard: number,
  token: string,
): Promise<void> {
  const other = sides.find(({ name, row }) => name === target.row?.moved_to && row?.moved_to === target.name);
  if (!other) {
    const known = sides.flatMap(({ name, row }) => (row ? [`${name} says ${row.moved_to}`] : []));
    throw new OperatorError(
      `No database has shard ${shard}${known.length > 0 ? ` (${known.join(', ')})` : ''}: are all databases named, and has the ledger made it?`,
    );
  }
  await takeBoth(other, target, shard, token);
  await arrive(other, target, shard, token);
}

async function takeBoth(source: Side, target: Side, shard: number, token: string): Promise<void> {
  const isHere = source.row?.moved_to === null;
  const taken = await source.sql.$executeRaw`
    UPDATE ledger_shards SET mover = ${token} WHERE shard = ${shard} AND moved_to IS NOT DISTINCT FROM ${isHere ? null : target.name}`;
  if (taken !== 1) throw outrun(shard);
  const met = await target.sql.$executeRaw`
    INSERT INTO ledger_shards AS known (shard, head_hash, moved_to, mover) VALUES (${shard}, ${GENESIS_HASH}, ${source.name}, ${token})
    ON CONFLICT (shard) DO UPDATE SET moved_to = excluded.moved_to, mover = excluded.mover
    WHERE known.moved_to IS NOT NULL AND known.head_position = 0`;
  if (met !== 1) throw outrun(shard);
  const [row] = await readShardRows(source.sql, shard);
  if (row?.mover !== token) throw outrun(shard);
}

async function untilFree({ sql, name }: Side, shard: number, token: string, handOverMs: number): Promise<void> {
  const deadline = performance.now() + handOverMs;
  const reserved = await sql.$executeRaw`
    UPDATE ledger_shards SET reserved_until = now() + make_interval(secs => ${RESERVED_MS / 1000})
    WHERE shard = ${shard} AND mover = ${token} AND moved_to IS NULL`;
  if (reserved !== 1) throw outrun(shard);
  for (;;) {
    const [row] = await readShardRows(sql, shard);
    if (!row?.held) return;
    if (performance.now() > deadline)
      throw new OperatorError(
        `Shard ${shard} was not handed over by its holder on ${name}: nothing was changed. Look whether every instance of wallet-ledger answers.`,
      );
    await delay(POLL_MS);
  }
}

async function depart(source: Side, target: Side, shard: number, token: string): Promise<void> {
  const departed = await source.sql.$executeRaw`
    UPDATE ledger_shards SET moved_to = ${target.name}, epoch = epoch + 1, holder = NULL, lease_expires_at = NULL, reserved_until = NULL
    WHERE shard = ${shard} AND mover = ${token} AND moved_to IS NULL AND head_position = 0
      AND (lease_expires_at IS NULL OR lease_expires_at < now())`;
  if (departed === 1) return;
  const [row] = await readShardRows(source.sql, shard);
  throw row && row.head_position > 0 ? hasEvents(shard, source) : outrun(shard);
}

async function arrive(source: Side, target: Side, shard: number, token: string): Promise<void> {
  const [left] = await readShardRows(source.sql, shard);
  const arrived = await target.sql.$executeRaw`
    UPDATE ledger_shards SET moved_to = NULL, mover = NULL, epoch = greatest(epoch, ${left?.epoch ?? 0n}) + 1
    WHERE shard = ${shard} AND mover = ${token} AND moved_to = ${source.name} AND head_position = 0`;
  if (arrived !== 1) throw outrun(shard);
}
