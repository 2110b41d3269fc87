/**
 * Which instances share the shards. Each records that it is alive as often as it renews its leases; without that it counts
 * as gone after the duration of a lease. Others give shards up for a new instance, or one that came back, only after it has
 * been alive for SETTLES_MS: an instance that crashes again and again takes no shard from those that work.
 */
import { Sql } from '@stablecoin/persistence/sql';
import { PlacedShard } from '../databases/shard-places';
import { Member } from './fair-share';
import { LEASE_MS } from '../event-log/lease';

const SETTLES_MS = 1_500;
const FORGOTTEN_MS = 60_000;

/** The shards and the instances that share them, as one instance sees them. */
export interface Membership {
  /** The shards that this database has, with the epochs of their leases. */
  placed: PlacedShard[];
  /** Shards without a holder or with a lapsed lease, except reserved ones. */
  free: number[];
  /** Shards that are reserved for maintenance: their holders hand them over. */
  reserved: number[];
  /** Shards whose lease is the asking instance's own. */
  own: number[];
  /** The instances alive, the asking one always among them. */
  members: (Member & { settled: boolean })[];
}

export async function announce(sql: Sql, instance: string): Promise<void> {
  await sql.$executeRaw`
    INSERT INTO ledger_instances AS known (instance, joined_at, seen_at) VALUES (${instance}, now(), now())
    ON CONFLICT (instance) DO UPDATE SET
      joined_at = CASE WHEN known.seen_at < now() - make_interval(secs => ${LEASE_MS / 1000}) THEN now() ELSE known.joined_at END,
      seen_at = now()`;
  await sql.$executeRaw`
    DELETE FROM ledger_instances WHERE seen_at < now() - make_interval(secs => ${FORGOTTEN_MS / 1000})`;
}

/** The first step of a stop: the other instances compute their shares without this one from now on. */
export async function deregister(sql: Sql, instance: string): Promise<void> {
  await sql.$executeRaw`DELETE FROM ledger_instances WHERE instance = ${instance}`;
}

/** An instance that holds a lease counts as a member even without a heartbeat: an older version of the service has none. */
export async function readMembership(sql: Sql, shards: number, instance: string): Promise<Membership> {
  const leases = await sql.$queryRaw<
    { shard: number; epoch: bigint; holder: string | null; free: boolean; reserved: boolean; departs: boolean }[]
  >`
    SELECT shard, epoch, holder, lease_expires_at IS NULL OR lease_expires_at < now() AS free,
      COALESCE(reserved_until >= now(), false) AS reserved,
      COALESCE(reserved_until >= now(), false) AND mover IS NOT NULL AS departs
    FROM ledger_shards WHERE shard < ${shards} AND moved_to IS NULL ORDER BY shard`;
  const alive = await sql.$queryRaw<{ instance: string; settled: boolean }[]>`
    SELECT instance, joined_at < now() - make_interval(secs => ${SETTLES_MS / 1000}) AS settled
    FROM ledger_instances WHERE seen_at >= now() - make_interval(secs => ${LEASE_MS / 1000})`;
  const held = new Map<string, number>([[instance, 0], ...alive.map(({ instance: name }) => [name, 0] as const)]);
  for (const { holder, free } of leases) if (holder !== null && !free) held.set(holder, (held.get(holder) ?? 0) + 1);
  const unsettled = new Set(alive.flatMap(({ instance: name, settled }) => (settled ? [] : [name])));
  return {
    placed: leases.map(({ shard, epoch, departs }) => ({ shard, epoch, departs })),
    free: leases.filter(({ free, reserved }) => free && !reserved).map(({ shard }) => shard),
    reserved: leases.filter(({ reserved }) => reserved).map(({ shard }) => shard),
    own: leases
      .filter(({ free, holder, reserved }) => !free && !reserved && holder === instance)
      .map(({ shard }) => shard),
    members: [...held].map(([name, count]) => ({ instance: name, held: count, settled: !unsettled.has(name) })),
  };
}
