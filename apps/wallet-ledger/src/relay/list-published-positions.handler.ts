import {
  ListPublishedPositions,
  listPublishedPositions,
  PublishedPosition,
} from '@stablecoin/contracts/wallet/list-published-positions';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';

@Handles(listPublishedPositions)
export class ListPublishedPositionsHandler {
  constructor(private readonly database: LedgerReads) {}

  execute(_request: ListPublishedPositions): Promise<PublishedPosition[]> {
    return asRefusal(async () => {
      const rows = await this.database.$queryRaw<{ shard: number; position: bigint }[]>`
        SELECT shard, position FROM relay_checkpoints ORDER BY shard`;
      return rows.map(({ shard, position }) => ({ shard, position: Number(position) }));
    });
  }
}
