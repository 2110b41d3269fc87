/**
 * Where the ledger's shards are, by what each of its databases says (docs/adr/0066). A database that a shard has left keeps what it had of
 * it, and one to which a shard is being moved has a beginning of it: both name the database that has the shard, and are copies.
 */
import { readShards, ShardHead } from '@stablecoin/ledger-log/rebuild/shard-heads';
import { Sql } from '@stablecoin/persistence/sql';
import { AuditFailure } from '../report/report';

/** What a database has of a shard that it says is on another one. */
export interface ShardCopy {
  shard: number;
  /** The name of that database. */
  moved_to: string;
  head: { position: number; hash: Buffer };
  /** The position of its last event. */
  last: number;
  /** Up to which position `payout_usage` has what payouts count for. */
  counted: number;
  /** A mover writes to it, or has been ended while it did. */
  isBeingMade: boolean;
}

/** What one database says of the ledger's shards. */
export interface PlacedShards {
  name: string;
  /** Those that it has. */
  every: ShardHead[];
  copies: ShardCopy[];
  /** By shard: the later word of two databases is that under the higher one. */
  epochs: ReadonlyMap<number, bigint>;
}

/** A shard that is not on one database alone. */
export interface TornPlacement {
  shard: number;
  problem: string;
  /** What to do about it. */
  advice: string;
}

export async function readPlacedShards(name: string, sql: Sql): Promise<PlacedShards> {
  const rows = await sql.$queryRaw<
    {
      shard: number;
      epoch: bigint;
      moved_to: string | null;
      head_position: bigint;
      head_hash: Uint8Array;
      last: bigint;
      counted: bigint;
      is_being_made: boolean;
    }[]
  >`
    SELECT shard, epoch, moved_to, head_position, head_hash, COALESCE(last, 0) AS last, mover IS NOT NULL AS is_being_made,
      CASE WHEN counting_epoch = epoch THEN LEAST(counted_position, head_position) ELSE head_position END AS counted
    FROM ledger_shards AS row LEFT JOIN LATERAL (
      SELECT max(position) AS last FROM ledger_events AS event WHERE event.shard = row.shard
    ) AS log ON moved_to IS NOT NULL
    ORDER BY shard`;
  const copies = rows.flatMap(({ shard, moved_to, head_position, head_hash, last, counted, is_being_made }) =>
    moved_to === null
      ? []
      : {
          shard,
          moved_to,
          head: { position: Number(head_position), hash: Buffer.from(head_hash) },
          last: Number(last),
          counted: Number(counted),
          isBeingMade: is_being_made,
        },
  );
  const epochs = new Map(rows.map(({ shard, epoch }) => [shard, epoch]));
  return { name, every: await readShards(sql), copies, epochs };
}

const hasShard = ({ every }: Pick<PlacedShards, 'every'>, shard: number) => every.some((head) => head.shard === shard);

/** The names of the databases that say that they have the shard, by the later word first. */
function having(databases: readonly PlacedShards[], shard: number): string[] {
  const epochOf = ({ epochs }: PlacedShards) => epochs.get(shard) ?? -1n;
  return databases
    .filter((one) => hasShard(one, shard))
    .sort((one, other) => Number(epochOf(other) - epochOf(one)))
    .map(({ name }) => name);
}

const shardsOf = (databases: readonly PlacedShards[]): number[] =>
  [...new Set(databases.flatMap(({ every, copies }) => [...every, ...copies].map(({ shard }) => shard)))].sort(
    (one, other) => one - other,
  );

/** A part of the ledger that is not looked at would not be found wrong. @throws AuditFailure */
export function refuseUnnamed(databases: readonly PlacedShards[], asked?: number): void {
  const names = new Set(databases.map(({ name }) => name));
  const unnamed = databases
    .flatMap(({ copies }) => copies)
    .find(
      ({ shard, moved_to }) =>
        (asked === undefined || shard === asked) && !names.has(moved_to) && having(databases, shard).length === 0,
    );
  if (!unnamed) return;
  throw new AuditFailure(
    `Shard ${unnamed.shard} is on the database ${unnamed.moved_to}, which is not named: set AUDIT_DATABASES to what ` +
      'LEDGER_DATABASES of the ledger is, with a login that may read.',
  );
}

/** The shards that are on no database, or on two. */
export const tornPlacements = (databases: readonly PlacedShards[]): TornPlacement[] =>
  databases.length === 1 ? [] : shardsOf(databases).flatMap((shard) => tornPlacement(databases, shard) ?? []);

const SEE = 'docs/AUDIT.md, "A ledger on several databases"';

/** What makes the row of a restored database say again that the shard is elsewhere. */
export const goneTo = (shard: number, database: string): string =>
  `UPDATE ledger_shards SET moved_to = '${database}', holder = NULL, lease_expires_at = NULL WHERE shard = ${shard};`;

function tornPlacement(databases: readonly PlacedShards[], shard: number): TornPlacement | undefined {
  const places = having(databases, shard);
  if (places.length === 1) return undefined;
  if (places.length > 1) return onTwo(databases, shard, places);
  const copies = databases.flatMap(({ name, copies: of }) =>
    of.filter((copy) => copy.shard === shard).map(({ moved_to }) => ({ name, moved_to })),
  );
  const said = copies.map(({ name, moved_to }) => `${name} says that it is on ${moved_to}`).join(', ');
  const empty = copies.find(({ moved_to }) => !copies.some(({ name }) => name === moved_to))?.moved_to;
  if (empty !== undefined)
    return {
      shard,
      problem: `is on none of the databases: ${said}, and ${empty} has nothing of it`,
      advice:
        `Look whether AUDIT_DATABASES names the databases as LEDGER_DATABASES does. If so, ${empty} has lost shard ${shard}, or was ` +
        `restored to before it came there: restore it to a moment after. ${SEE}, says what is left where there is none.`,
    };
  return {
    shard,
    problem: `is on none of the databases: ${said}`,
    advice:
      `Shard ${shard} was being moved, and its mover is gone: operator shards move ${shard} --to one of ` +
      `${copies.map(({ name }) => name).join(' and ')} finishes it, or undoes it. Then verify again.`,
  };
}

function onTwo(databases: readonly PlacedShards[], shard: number, [later = '', ...others]: string[]): TornPlacement {
  const names = databases.map(({ name }) => name).filter((name) => name === later || others.includes(name));
  return {
    shard,
    problem: `${names.join(' and ')} both have it; by its epoch ${later} has it`,
    advice:
      `Was ${others.join(' or ')} restored to a moment before shard ${shard} went to ${later}? No instance takes the shard until ` +
      `that is decided: say so as the owner of ${others.join(' and ')}: ${goneTo(shard, later)} Then verify again. ${SEE}, says more.`,
  };
}

/** Each shard in one place: what else two databases have of it is a copy. */
export function inOnePlace<Placed extends PlacedShards>(databases: readonly Placed[]): Placed[] {
  return databases.map((one) => {
    const others = one.every.filter(({ shard }) => having(databases, shard)[0] !== one.name);
    const copies = others.map(({ shard, head, counted }): ShardCopy => {
      const { position = 0, hash = Buffer.alloc(0) } = head ?? {};
      const [moved_to = ''] = having(databases, shard);
      const copied = { position, hash: Buffer.from(hash) };
      return { shard, moved_to, head: copied, last: position, counted, isBeingMade: false };
    });
    return {
      ...one,
      every: one.every.filter((head) => !others.includes(head)),
      copies: [...one.copies, ...copies].sort((a, b) => a.shard - b.shard),
    };
  });
}

/** A copy that is longer than the log has its end from after the other database's moment, or the log has lost its own. */
export const hasCopyAhead = (databases: readonly PlacedShards[]): boolean =>
  databases.some(({ copies }) =>
    copies.some(({ shard, last }) => {
      const place = databases.flatMap(({ every }) => every).find((head) => head.shard === shard);
      return place !== undefined && last > (place.head?.position ?? 0);
    }),
  );
