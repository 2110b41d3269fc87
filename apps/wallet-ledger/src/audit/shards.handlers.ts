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
import { LedgerDatabases } from '../databases/ledger-databases';
import { placedOnce, ShardRow } from '../databases/placed-once';
import { AuditWork } from './audit-work';
import { checkpointView, signedOfShard } from './list-checkpoints.handler';
import { proveGrowth } from './prove-consistency.handler';

@Handles(listSignedShards)
export class ListSignedShardsHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  /** Of all databases or none: a shard that is left out would be taken for one that is gone. */
  execute(_request: ListSignedShards): Promise<{ shards: SignedShardView[] }> {
    const { all } = this.databases;
    this.databases.requireAll();
    return asRefusal(async () => {
      const found = await Promise.all(all.map(({ reads }) => signedIn(reads)));
      return { shards: placedOnce(found).map(({ here: _, ...shard }) => shard) };
    });
  }
}

async function signedIn(reads: LedgerReads): Promise<(SignedShardView & ShardRow)[]> {
  const heads = await reads.$queryRaw<(ShardRow & { head_position: bigint })[]>`
    SELECT shard, moved_to IS NULL AS here, head_position FROM ledger_shards ORDER BY shard`;
  const shards: (SignedShardView & ShardRow)[] = [];
  for (const { shard, here, head_position } of heads) {
    const latest = here ? await latestCheckpoint(reads, shard) : undefined;
    shards.push({ shard, here, events: Number(head_position), checkpoint: latest ? checkpointView(latest) : null });
  }
  return shards;
}

@Handles(listShardCheckpoints)
export class ListShardCheckpointsHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  execute(request: ListShardCheckpoints): Promise<Page<CheckpointView>> {
    return signedOfShard(this.databases, request);
  }
}

@Handles(proveShardConsistency)
export class ProveShardConsistencyHandler {
  constructor(
    private readonly databases: LedgerDatabases,
    private readonly work: AuditWork,
  ) {}

  execute(request: ProveShardConsistency): Promise<ConsistencyDocument> {
    return proveGrowth(this.databases, this.work, request);
  }
}
