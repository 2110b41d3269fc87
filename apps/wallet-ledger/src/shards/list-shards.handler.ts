import {
  LedgerInstanceView,
  ListShards,
  listShards,
  Shards,
  ShardView,
} from '@stablecoin/contracts/wallet/list-shards';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases, OneDatabase } from '../databases/ledger-databases';

interface ShardRow extends Omit<ShardView, 'database' | 'lease_expires_at' | 'reserved_until'> {
  lease_expires_at: Date | null;
  reserved_until: Date | null;
}
type InstanceRow = Record<'joined_at' | 'seen_at', Date> & Pick<LedgerInstanceView, 'instance'>;

/** Of the databases that answer: that one does not is when this is looked at. */
@Handles(listShards)
export class ListShardsHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  execute(_: ListShards): Promise<Shards> {
    const { all, answering } = this.databases;
    return asRefusal(async () => {
      const parts = await Promise.all(answering.map(shardsOn));
      return {
        read_at: (parts[0]?.now ?? new Date()).toISOString(),
        shards: parts.flatMap(({ shards }) => shards).sort((one, other) => one.shard - other.shard),
        instances: membersOf(parts.flatMap(({ instances }) => instances)),
        lost_databases: all.filter((one) => !answering.includes(one)).map(({ name }) => name),
      };
    });
  }
}

async function shardsOn({ name, reads }: OneDatabase) {
  const [[clock], shards, instances] = await Promise.all([
    reads.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`,
    reads.$queryRaw<ShardRow[]>`
      SELECT shard, holder, COALESCE(lease_expires_at > clock_timestamp(), false) AS is_held, lease_expires_at,
        epoch::float8 AS epoch, head_position::float8 AS head_position, reserved_until
      FROM ledger_shards WHERE moved_to IS NULL ORDER BY shard`,
    reads.$queryRaw<InstanceRow[]>`
      SELECT instance, joined_at, seen_at FROM ledger_instances ORDER BY joined_at, instance`,
  ]);
  return {
    now: clock?.now,
    shards: shards.map((row) => ({
      ...{ ...row, database: name },
      lease_expires_at: row.lease_expires_at?.toISOString() ?? null,
      reserved_until: row.reserved_until?.toISOString() ?? null,
    })),
    instances,
  };
}

/** An instance says in each database that it is alive: once each, by what was said first and last. */
function membersOf(rows: readonly InstanceRow[]): LedgerInstanceView[] {
  const members = new Map<string, InstanceRow>();
  for (const row of rows) {
    const { joined_at, seen_at } = members.get(row.instance) ?? row;
    members.set(row.instance, {
      instance: row.instance,
      joined_at: joined_at < row.joined_at ? joined_at : row.joined_at,
      seen_at: seen_at > row.seen_at ? seen_at : row.seen_at,
    });
  }
  return [...members.values()]
    .sort((one, other) => Number(one.joined_at) - Number(other.joined_at) || (one.instance < other.instance ? -1 : 1))
    .map(({ instance, joined_at, seen_at }) => ({
      ...{ instance, joined_at: joined_at.toISOString(), seen_at: seen_at.toISOString() },
    }));
}
