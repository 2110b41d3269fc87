import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { Currency } from '@stablecoin/money/currency';
import { IsMoment } from './as-of';
import { AmountText, Timestamp } from './views';

export class GetPastBalance extends MerchantRequest {
  @IsUuid() wallet_id: string;
  /** Not in the future, nor beyond the end of the log, so that the answer never changes; without it, what is held now. */
  @Optional() @IsMoment() as_of?: string | null;
}

export interface PastBalanceView {
  wallet_id: string;
  currency: Currency;
  /** Zero before the wallet was opened. */
  balance: AmountText;
  /** Of the event after which it was this; null before the wallet was opened. */
  position: number | null;
  recorded_at: Timestamp | null;
}

/** Reads the log itself, no projection. */
export const getPastBalance = operation({
  subject: 'wallet.get-past-balance',
  readOnly: true,
  request: GetPastBalance,
  reply: replies<PastBalanceView>(),
  errors: ['not_found'],
});
