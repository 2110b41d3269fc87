import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

export class FindPayoutWait extends MerchantRequest {
  /** Of the transaction at the ledger. */
  @IsUuid() id: string;
}

export interface PayoutWait {
  /** `screening`: compliance has to decide, or a list that it is to be held against is missing or too old. */
  waiting_for: 'screening' | null;
}

/** Why a payout that the ledger has let go is not sent yet. */
export const findPayoutWait = operation({
  subject: 'payout.find-payout-wait',
  readOnly: true,
  request: FindPayoutWait,
  reply: replies<PayoutWait>(),
  errors: ['not_found'],
});
