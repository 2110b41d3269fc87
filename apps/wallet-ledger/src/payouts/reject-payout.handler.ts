import { RejectPayout, rejectPayout } from '@stablecoin/contracts/wallet/reject-payout';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { LedgerShards } from '../shards/ledger-shards';
import { transactionReference } from '../transactions/transaction-reference';
import { shownTransaction } from '../transactions/transaction-view';

@Handles(rejectPayout)
export class RejectPayoutHandler {
  constructor(private readonly shards: LedgerShards) {}

  execute(request: RejectPayout): Promise<CommandReply<TransactionView>> {
    const { merchant_id, signer } = request;
    const transaction = transactionReference(request.transaction);
    return this.shards.writer().submit({
      request,
      command: { kind: 'RejectPayout', merchant_id, transaction, signer },
      result: (ledger) => shownTransaction(ledger, transaction),
    });
  }
}
