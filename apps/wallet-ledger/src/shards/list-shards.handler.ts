import {
  LedgerInstanceView,
  ListShards,
  listShards,
  Shards,
  ShardView,
} from '@stablecoin/contracts/wallet/list-shards';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';

interface ShardRow extends Omit<ShardView, 'lease_expires_at' | 'reserved_until'> {
  lease_expires_at: Date | null;
  reserved_until: Date | null;
}
type InstanceRow = Record<'joined_at' | 'seen_at', Date> & Pick<LedgerInstanceView, 'instance'>;

@Handles(listShards)
export class ListShardsHandler {
  constructor(private readonly database: LedgerReads) {}

  execute(_: ListShards): Promise<Shards> {
    return asRefusal(async () => {
      const [[clock], shards, instances] = await Promise.all([
        this.database.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`,
        this.database.$queryRaw<ShardRow[]>`
          SELECT shard, holder, COALESCE(lease_expires_at > clock_timestamp(), false) AS is_held, lease_expires_at,
            epoch::float8 AS epoch, head_position::float8 AS head_position, reserved_until
          FROM ledger_shards ORDER BY shard`,
        this.database.$queryRaw<InstanceRow[]>`
          SELECT instance, joined_at, seen_at FROM ledger_instances ORDER BY joined_at, instance`,
      ]);
      return {
        read_at: (clock?.now ?? new Date()).toISOString(),
        shards: shards.map((row) => ({
          ...row,
          lease_expires_at: row.lease_expires_at?.toISOString() ?? null,
          reserved_until: row.reserved_until?.toISOString() ?? null,
        })),
        instances: instances.map(({ instance, joined_at, seen_at }) => ({
          ...{ instance, joined_at: joined_at.toISOString(), seen_at: seen_at.toISOString() },
        })),
      };
    });
  }
}
