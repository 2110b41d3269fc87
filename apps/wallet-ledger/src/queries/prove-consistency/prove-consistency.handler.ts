import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ProveConsistency } from '@stablecoin/contracts/wallet/prove-consistency';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ConsistencyDocument } from '@stablecoin/event-proofs/proof-documents';
import { checkpointOfSize } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { consistencyDocument } from '@stablecoin/ledger-store/checkpoints/prove';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { asRefusal } from '@stablecoin/persistence/command-log';

export class ProveConsistencyQuery extends Query<ConsistencyDocument> {
  constructor(readonly request: ProveConsistency) {
    super();
  }
}

@QueryHandler(ProveConsistencyQuery)
export class ProveConsistencyHandler implements IQueryHandler<ProveConsistencyQuery> {
  constructor(private readonly database: LedgerDatabase) {}

  execute({ request: { shard, from, to } }: ProveConsistencyQuery): Promise<ConsistencyDocument> {
    if (from > to) throw Refusal.ofField('to', 'invalid_number', 'must not be less than from');
    return asRefusal(async () => {
      const old = await checkpointOfSize(this.database, shard, from);
      const grown = await checkpointOfSize(this.database, shard, to);
      if (!old || !grown) throw new Refusal('not_found');
      return consistencyDocument(this.database, old, grown);
    });
  }
}
