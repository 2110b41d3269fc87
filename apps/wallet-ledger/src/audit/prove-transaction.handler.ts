import { ProveTransaction, proveTransaction } from '@stablecoin/contracts/wallet/prove-transaction';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ProofDocument } from '@stablecoin/event-proofs/proof-documents';
import { latestCheckpoint } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { proofDocument } from '@stablecoin/ledger-store/checkpoints/prove';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { auditedTransaction } from './audited-transaction';

@Handles(proveTransaction)
export class ProveTransactionHandler {
  constructor(private readonly database: LedgerDatabase) {}

  execute({ merchant_id, transaction_id }: ProveTransaction): Promise<ProofDocument> {
    return asRefusal(async () => {
      const { shard, rows } = await auditedTransaction(this.database, merchant_id, transaction_id);
      const checkpoint = await latestCheckpoint(this.database, shard);
      const last = rows.at(-1)?.position ?? Infinity;
      if (!checkpoint || checkpoint.size < last) throw new Refusal('proof_pending');
      return proofDocument(this.database, transaction_id, rows, checkpoint);
    });
  }
}
