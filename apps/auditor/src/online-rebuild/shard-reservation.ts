/**
 * Asks every holder for its shards, so that for a moment no writer appends. Commands wait in the bus client meanwhile, for
 * two seconds at most: a switch that can't be done well within that is given up and tried again later. Reservations lapse
 * by themselves if this program dies.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { Sql } from '@stablecoin/persistence/sql';

/** How long holders have to work their queues off. They look for reservations every 250 ms. */
const HAND_OVER_MS = 1_000;
const POLL_MS = 20;
const LAPSES_MS = 5_000;

/** @returns whether every shard is free; if not, the reservations are ended */
export async function reserveShards(sql: Sql, handOverMs = HAND_OVER_MS): Promise<boolean> {
  await sql.$executeRaw`UPDATE ledger_shards SET reserved_until = now() + make_interval(secs => ${LAPSES_MS / 1000})`;
  const deadline = performance.now() + handOverMs;
  do {
    if (await allFree(sql)) return true;
    await delay(POLL_MS);
  } while (performance.now() < deadline);
  await endReservation(sql);
  return false;
}

export async function endReservation(sql: Sql): Promise<void> {
  await sql.$executeRaw`UPDATE ledger_shards SET reserved_until = NULL`;
}

/**
 * In the transaction of the switch: from here to its end no instance can take a shard or append to one.
 *
 * @returns whether every shard is still free
 */
export async function lockShards(sql: Sql): Promise<boolean> {
  await sql.$queryRaw`SELECT shard FROM ledger_shards ORDER BY shard FOR UPDATE`;
  return allFree(sql);
}

async function allFree(sql: Sql): Promise<boolean> {
  const [row] = await sql.$queryRaw<{ free: boolean | null }[]>`
    SELECT bool_and((lease_expires_at IS NULL OR lease_expires_at < now()) AND reserved_until > now()) AS free
    FROM ledger_shards`;
  return row?.free ?? true;
}
