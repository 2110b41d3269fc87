import { HoldPayout, holdPayout } from '@stablecoin/contracts/wallet/hold-payout';
import { TransactionView } from '@stablecoin/contracts/wallet/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { LedgerShards } from '../shards/ledger-shards';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { shownTransaction } from '../transactions/transaction-view';

@Handles(holdPayout)
export class HoldPayoutHandler {
  constructor(private readonly shards: LedgerShards) {}

  execute(request: HoldPayout): Promise<CommandReply<TransactionView>> {
    const id = timeOrderedId();
    const { merchant_id, customer_id = null, currency, amount, exchange_rate, sealed_destination } = request;
    const {
      network = null,
      bank_name = null,
      bank_code = null,
      recipient_country = null,
      fee_schedule = null,
    } = request;
    return this.shards.writer().submit({
      request,
      command: {
        kind: 'HoldPayout',
        id,
        reference_id: timeOrderedId(),
        merchant_id,
        customer_id,
        currency,
        amount,
        network,
        sealed_destination,
        bank_name,
        bank_code,
        recipient_currency: request.rail === 'bank' ? request.recipient_currency : null,
        recipient_country,
        exchange_rate,
        fee_schedule,
      },
      result: (ledger) => shownTransaction(ledger, id),
    });
  }
}
