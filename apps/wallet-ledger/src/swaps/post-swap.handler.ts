import { PostedSwap, PostSwap, postSwap } from '@stablecoin/contracts/wallet/post-swap';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Handles } from '@stablecoin/messaging/handles';
import { LedgerShards } from '../shards/ledger-shards';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { shownTransaction } from '../transactions/transaction-view';

@Handles(postSwap)
export class PostSwapHandler {
  constructor(private readonly shards: LedgerShards) {}

  execute(request: PostSwap): Promise<CommandReply<PostedSwap>> {
    const { merchant_id, customer_id = null, swap_id, quoted_price, valid_until } = request;
    const { from_currency, to_currency, from_amount, to_amount } = request;
    const debit_id = timeOrderedId();
    const credit_id = timeOrderedId();
    return this.shards.writer().submit({
      request,
      command: {
        kind: 'PostSwap',
        merchant_id,
        customer_id,
        debit_id,
        credit_id,
        swap_id,
        from_currency,
        to_currency,
        from_amount,
        to_amount,
        quoted_price,
        valid_until,
      },
      result: (ledger) => ({
        debit_transaction: shownTransaction(ledger, debit_id),
        credit_transaction: shownTransaction(ledger, credit_id),
      }),
    });
  }
}
