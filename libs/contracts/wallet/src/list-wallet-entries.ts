import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IsDay } from '@stablecoin/contracts/wire/fields/date';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { Currency } from '@stablecoin/money/currency';
import { IsEndOfRange } from './day-range';
import { AmountText, Timestamp, TransactionType } from './views';

/** What was posted to a wallet on these UTC days, oldest first. */
export class ListWalletEntries extends MerchantRequest {
  @IsUuid() wallet_id: string;
  @IsDay() start_date: string;
  @IsEndOfRange() end_date: string;
  /** Only entries after this position of the log. */
  @Optional() @IsWholeNumberBetween(1, Number.MAX_SAFE_INTEGER) after?: number;
}

export interface WalletEntryView {
  position: number;
  recorded_at: Timestamp;
  /** Why, as the log calls it: `deposit-completed`, `payout-accepted`, `payout-failed`, … */
  movement: string;
  transaction_id: string;
  transaction_type: TransactionType;
  /** With a minus sign where it was taken from the wallet, fees included. */
  amount: AmountText;
  balance_after: AmountText;
}

export interface WalletEntriesView {
  wallet_id: string;
  currency: Currency;
  /** What the wallet held before the first of these entries. */
  opening_balance: AmountText;
  /** A bounded number. */
  items: WalletEntryView[];
  /** Where more entries follow, after which position. */
  next: number | null;
}

/** Reads the log itself, no projection. */
export const listWalletEntries = operation({
  subject: 'wallet.list-wallet-entries',
  readOnly: true,
  request: ListWalletEntries,
  reply: replies<WalletEntriesView>(),
  errors: ['not_found'],
});
