import { IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { ProveTransaction } from '@stablecoin/contracts/wallet/prove-transaction';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ProofDocument } from '@stablecoin/event-proofs/proof-documents';
import { latestCheckpoint } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { proofDocument } from '@stablecoin/ledger-store/checkpoints/prove';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { auditedTransaction } from '../audited-transaction';

export class ProveTransactionQuery extends Query<ProofDocument> {
  constructor(readonly request: ProveTransaction) {
    super();
  }
}

@QueryHandler(ProveTransactionQuery)
export class ProveTransactionHandler implements IQueryHandler<ProveTransactionQuery> {
  constructor(private readonly database: LedgerDatabase) {}

  execute({ request: { merchant_id, transaction_id } }: ProveTransactionQuery): Promise<ProofDocument> {
    return asRefusal(async () => {
      const { shard, rows } = await auditedTransaction(this.database, merchant_id, transaction_id);
      const checkpoint = await latestCheckpoint(this.database, shard);
      const last = rows.at(-1)?.position ?? Infinity;
      if (!checkpoint || checkpoint.size < last) throw new Refusal('proof_pending');
      return proofDocument(this.database, transaction_id, rows, checkpoint);
    });
  }
}
