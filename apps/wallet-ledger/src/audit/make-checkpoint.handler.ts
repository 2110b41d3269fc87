import { MadeCheckpoint, MakeCheckpoint, makeCheckpoint } from '@stablecoin/contracts/wallet/make-checkpoint';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerShards } from '../shards/ledger-shards';

@Handles(makeCheckpoint)
export class MakeCheckpointHandler {
  constructor(private readonly shards: LedgerShards) {}

  execute(_request: MakeCheckpoint): Promise<MadeCheckpoint> {
    const checkpointer = this.shards.checkpointer();
    return asRefusal(async () => ({ shard: checkpointer.shard, checkpoint: (await checkpointer.make()) ?? null }));
  }
}
