import {
  ListPublishedPositions,
  listPublishedPositions,
  PublishedPosition,
} from '@stablecoin/contracts/wallet/list-published-positions';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { Reads } from '@stablecoin/persistence/sql';
import { LedgerDatabases } from '../databases/ledger-databases';
import { placedOnce, ShardRow } from '../databases/placed-once';

@Handles(listPublishedPositions)
export class ListPublishedPositionsHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  /** Of all databases or none: who asks takes a shard that is left out for one of which nothing was published. */
  execute(_request: ListPublishedPositions): Promise<PublishedPosition[]> {
    const { all } = this.databases;
    this.databases.requireAll();
    return asRefusal(async () => {
      const found = await Promise.all(all.map(({ reads }) => publishedIn(reads)));
      return placedOnce(found).flatMap(({ shard, position }) =>
        position === null ? [] : { shard, position: Number(position) },
      );
    });
  }
}

function publishedIn(reads: Reads): PromiseLike<(ShardRow & { position: bigint | null })[]> {
  return reads.$queryRaw`
    SELECT shard, moved_to IS NULL AS here, position
    FROM ledger_shards FULL JOIN relay_checkpoints USING (shard) ORDER BY shard`;
}
