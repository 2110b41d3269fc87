import { ProveConsistency, proveConsistency } from '@stablecoin/contracts/wallet/prove-consistency';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ConsistencyDocument } from '@stablecoin/event-proofs/proof-documents';
import { checkpointOfSize } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { consistencyDocument } from '@stablecoin/ledger-store/checkpoints/prove';
import { LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { AuditWork } from './audit-work';

@Handles(proveConsistency)
export class ProveConsistencyHandler {
  constructor(
    private readonly database: LedgerReads,
    private readonly work: AuditWork,
  ) {}

  execute({ shard, from, to }: ProveConsistency): Promise<ConsistencyDocument> {
    if (from > to) throw Refusal.ofField('to', 'invalid_number', 'must not be less than from');
    return this.work.run(() => asRefusal(() => this.prove(shard, from, to)));
  }

  private async prove(shard: number, from: number, to: number): Promise<ConsistencyDocument> {
    const old = await checkpointOfSize(this.database, shard, from);
    const grown = await checkpointOfSize(this.database, shard, to);
    if (!old || !grown) throw new Refusal('not_found');
    return consistencyDocument(this.database, old, grown, this.work.tiles);
  }
}
