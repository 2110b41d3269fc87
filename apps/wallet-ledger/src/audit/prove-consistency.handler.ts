import { ProveConsistency, proveConsistency } from '@stablecoin/contracts/wallet/prove-consistency';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ConsistencyDocument } from '@stablecoin/event-proofs/proof-documents';
import { checkpointOfSize } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { consistencyDocument } from '@stablecoin/ledger-store/checkpoints/prove';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';

@Handles(proveConsistency)
export class ProveConsistencyHandler {
  constructor(private readonly database: LedgerDatabase) {}

  execute({ shard, from, to }: ProveConsistency): Promise<ConsistencyDocument> {
    if (from > to) throw Refusal.ofField('to', 'invalid_number', 'must not be less than from');
    return asRefusal(async () => {
      const old = await checkpointOfSize(this.database, shard, from);
      const grown = await checkpointOfSize(this.database, shard, to);
      if (!old || !grown) throw new Refusal('not_found');
      return consistencyDocument(this.database, old, grown);
    });
  }
}
