import { HoldPayout, holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { LedgerShards } from '../shards/ledger-shards';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { shownTransaction } from '../transactions/transaction-view';

/** The request's fields have the names of the command's; absent and null ones are left out of the log by `decide`. */
@Handles(holdPayout)
export class HoldPayoutHandler {
  constructor(private readonly shards: LedgerShards) {}

  execute(request: HoldPayout): Promise<CommandReply<TransactionView>> {
    const id = timeOrderedId();
    return this.shards.writer().submit({
      request,
      command: {
        ...request,
        kind: 'HoldPayout',
        id,
        reference_id: timeOrderedId(),
        customer_id: request.customer_id ?? null,
        recipient_currency: request.rail === 'bank' ? request.recipient_currency : null,
      },
      result: (ledger) => shownTransaction(ledger, id),
    });
  }
}
