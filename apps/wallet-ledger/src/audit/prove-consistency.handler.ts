import { ProveConsistency, proveConsistency } from '@stablecoin/contracts/wallet/prove-consistency';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ConsistencyDocument } from '@stablecoin/event-proofs/proof-documents';
import { checkpointOfSize } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { consistencyDocument } from '@stablecoin/ledger-store/checkpoints/prove';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { AuditWork } from './audit-work';

@Handles(proveConsistency)
export class ProveConsistencyHandler {
  constructor(
    private readonly databases: LedgerDatabases,
    private readonly work: AuditWork,
  ) {}

  execute(request: ProveConsistency): Promise<ConsistencyDocument> {
    return proveGrowth(this.databases, this.work, request);
  }
}

/** @throws Refusal where there are no checkpoints of these sizes */
export function proveGrowth(
  databases: LedgerDatabases,
  work: AuditWork,
  { shard, from, to }: Pick<ProveConsistency, 'shard' | 'from' | 'to'>,
): Promise<ConsistencyDocument> {
  if (from > to) throw Refusal.ofField('to', 'invalid_number', 'must not be less than from');
  const prove = async () => {
    const { reads } = await databases.forReads(shard);
    const old = await checkpointOfSize(reads, shard, from);
    const grown = await checkpointOfSize(reads, shard, to);
    if (!old || !grown) throw new Refusal('not_found');
    return consistencyDocument(reads, old, grown, work.tiles);
  };
  return work.run(() => asRefusal(prove));
}
