import { ProveTransaction, proveTransaction } from '@stablecoin/contracts/wallet/prove-transaction';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { ProofDocument } from '@stablecoin/event-proofs/proof-documents';
import { latestCheckpoint } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { proofDocument } from '@stablecoin/ledger-store/checkpoints/prove';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { LedgerDatabases } from '../databases/ledger-databases';
import { AuditWork } from './audit-work';
import { auditedTransaction } from './audited-transaction';

@Handles(proveTransaction)
export class ProveTransactionHandler {
  constructor(
    private readonly databases: LedgerDatabases,
    private readonly work: AuditWork,
  ) {}

  execute(request: ProveTransaction): Promise<ProofDocument> {
    return this.work.run(() => asRefusal(() => this.prove(request)));
  }

  private async prove({ merchant_id, transaction_id }: ProveTransaction): Promise<ProofDocument> {
    // Events are only ever added, and a checkpoint never changes: with the same of both, the document is the same.
    const [found] = await (
      await this.databases.forReads()
    ).reads.$queryRaw<{ newest: string }[]>`
      SELECT concat_ws('/', id,
        (SELECT max(position) FROM ledger_events WHERE transaction = transactions.id),
        (SELECT max(tree_size) FROM ledger_checkpoints WHERE shard = transactions.shard)) AS newest
      FROM transactions WHERE transaction_id = ${transaction_id} AND merchant_id = ${merchant_id}::uuid`;
    if (!found) throw new Refusal('not_found');
    return this.work.document(`transaction/${found.newest}`, () => this.make(merchant_id, transaction_id));
  }

  private async make(merchant_id: string, transaction_id: string): Promise<ProofDocument> {
    const { reads } = await this.databases.forReads();
    const { shard, rows } = await auditedTransaction(reads, merchant_id, transaction_id);
    const checkpoint = await latestCheckpoint(reads, shard);
    if (!checkpoint || checkpoint.size < (rows.at(-1)?.position ?? Infinity)) throw new Refusal('proof_pending');
    return proofDocument(reads, transaction_id, rows, checkpoint, this.work.tiles);
  }
}
