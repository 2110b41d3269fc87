import { FindPayoutWait, findPayoutWait, PayoutWait } from '@stablecoin/contracts/payout/find-payout-wait';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { PayoutStore } from './payout-store';

@Handles(findPayoutWait)
export class FindPayoutWaitHandler {
  constructor(private readonly books: PayoutStore) {}

  async execute({ merchant_id, id }: FindPayoutWait): Promise<PayoutWait> {
    const payout = await asRefusal(() => this.books.findByName(merchant_id, id));
    if (!payout) throw new Refusal('not_found');
    return { waiting_for: payout.waiting_for };
  }
}
