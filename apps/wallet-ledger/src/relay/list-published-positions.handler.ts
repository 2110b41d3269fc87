import {
  ListPublishedPositions,
  listPublishedPositions,
  PublishedPosition,
} from '@stablecoin/contracts/wallet/list-published-positions';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { Reads } from '@stablecoin/persistence/sql';
import { LedgerDatabases } from '../databases/ledger-databases';

@Handles(listPublishedPositions)
export class ListPublishedPositionsHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  /** Of all databases or none: who asks takes a shard that is left out for one of which nothing was published. */
  execute(_request: ListPublishedPositions): Promise<PublishedPosition[]> {
    const { all } = this.databases;
    this.databases.requireAll();
    return asRefusal(async () => {
      const found = await Promise.all(all.map(({ reads }) => publishedIn(reads)));
      return found.flat().sort((one, other) => one.shard - other.shard);
    });
  }
}

async function publishedIn(reads: Reads): Promise<PublishedPosition[]> {
  const rows = await reads.$queryRaw<{ shard: number; position: bigint }[]>`
    SELECT shard, position FROM relay_checkpoints
    WHERE NOT EXISTS (
      SELECT FROM ledger_shards WHERE ledger_shards.shard = relay_checkpoints.shard AND moved_to IS NOT NULL
    )
    ORDER BY shard`;
  return rows.map(({ shard, position }) => ({ shard, position: Number(position) }));
}
