import { EndPayoutWait, endPayoutWait } from '@stablecoin/contracts/wallet/end-payout-wait';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { LedgerShards } from '../shards/ledger-shards';
import { transactionReference } from '../transactions/transaction-reference';
import { shownTransaction } from '../transactions/transaction-view';

@Handles(endPayoutWait)
export class EndPayoutWaitHandler {
  constructor(private readonly shards: LedgerShards) {}

  execute(request: EndPayoutWait): Promise<CommandReply<TransactionView>> {
    const { merchant_id } = request;
    const transaction = transactionReference(request.transaction);
    return this.shards.writer().submit({
      request,
      command: { kind: 'EndPayoutWait', merchant_id, transaction },
      result: (ledger) => shownTransaction(ledger, transaction),
    });
  }
}
