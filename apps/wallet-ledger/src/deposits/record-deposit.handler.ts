import { RecordDeposit, recordDeposit } from '@stablecoin/contracts/wallet/record-deposit';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { CommandEvidence } from '../callers/command-evidence';
import { LedgerShards } from '../shards/ledger-shards';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { shownTransaction } from '../transactions/transaction-view';

@Handles(recordDeposit)
export class RecordDepositHandler {
  constructor(
    private readonly shards: LedgerShards,
    private readonly evidence: CommandEvidence,
  ) {}

  async execute(request: RecordDeposit): Promise<CommandReply<TransactionView>> {
    const { merchant_id, wallet_id, amount, network = null, reference = null, confirmed } = request;
    const { crypto_transaction_id = null } = request;
    const id = timeOrderedId();
    const reference_id = timeOrderedId();
    return this.shards.writer().submit({
      request,
      command: {
        kind: 'RecordDeposit',
        merchant_id,
        id,
        reference_id,
        wallet_id,
        amount,
        network,
        reference,
        crypto_transaction_id,
        confirmed,
        ...(await this.evidence.ofDeposit(request)),
      },
      result: (ledger) => shownTransaction(ledger, id),
    });
  }
}
