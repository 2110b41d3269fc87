import { ApprovePayout, approvePayout } from '@stablecoin/contracts/wallet/approve-payout';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { CommandEvidence } from '../callers/command-evidence';
import { LedgerShards } from '../shards/ledger-shards';
import { transactionReference } from '../transactions/transaction-reference';
import { shownTransaction } from '../transactions/transaction-view';

@Handles(approvePayout)
export class ApprovePayoutHandler {
  constructor(
    private readonly shards: LedgerShards,
    private readonly evidence: CommandEvidence,
  ) {}

  execute(request: ApprovePayout): Promise<CommandReply<TransactionView>> {
    const { merchant_id, approval_hash, signer } = request;
    this.evidence.ofApproval(request);
    const transaction = transactionReference(request.transaction);
    return this.shards.writer().submit({
      request,
      command: { kind: 'ApprovePayout', merchant_id, transaction, approval_hash, signer },
      result: (ledger) => shownTransaction(ledger, transaction),
    });
  }
}
