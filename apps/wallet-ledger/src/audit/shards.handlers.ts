import { CheckpointView } from '@stablecoin/contracts/wallet/list-checkpoints';
import { ListShardCheckpoints, listShardCheckpoints } from '@stablecoin/contracts/wallet/list-shard-checkpoints';
import { ListSignedShards, listSignedShards, SignedShardView } from '@stablecoin/contracts/wallet/list-signed-shards';
import { ProveShardConsistency, proveShardConsistency } from '@stablecoin/contracts/wallet/prove-shard-consistency';
import { Page } from '@stablecoin/contracts/wire/fields/paging';
import { ConsistencyDocument } from '@stablecoin/event-proofs/proof-documents';
import { latestCheckpoint } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { AuditWork } from './audit-work';
import { checkpointView, signedOfShard } from './list-checkpoints.handler';
import { proveGrowth } from './prove-consistency.handler';

@Handles(listSignedShards)
export class ListSignedShardsHandler {
  constructor(private readonly database: LedgerReads) {}

  execute(_request: ListSignedShards): Promise<{ shards: SignedShardView[] }> {
    return asRefusal(async () => {
      const heads = await this.database.$queryRaw<{ shard: number; head_position: bigint }[]>`
        SELECT shard, head_position FROM ledger_shards ORDER BY shard`;
      const shards: SignedShardView[] = [];
      for (const { shard, head_position } of heads) {
        const latest = await latestCheckpoint(this.database, shard);
        shards.push({ shard, events: Number(head_position), checkpoint: latest ? checkpointView(latest) : null });
      }
      return { shards };
    });
  }
}

@Handles(listShardCheckpoints)
export class ListShardCheckpointsHandler {
  constructor(private readonly database: LedgerReads) {}

  execute(request: ListShardCheckpoints): Promise<Page<CheckpointView>> {
    return signedOfShard(this.database, request);
  }
}

@Handles(proveShardConsistency)
export class ProveShardConsistencyHandler {
  constructor(
    private readonly database: LedgerReads,
    private readonly work: AuditWork,
  ) {}

  execute(request: ProveShardConsistency): Promise<ConsistencyDocument> {
    return proveGrowth(this.database, this.work, request);
  }
}
