import { IsDay } from '@stablecoin/contracts/wire/fields/date';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { Currency } from '@stablecoin/money/currency';
import { IsEndOfRange } from './day-range';
import { AmountText } from './views';

export class GetDailyBalances extends MerchantRequest {
  @IsUuid() wallet_id: string;
  @IsDay() start_date: string;
  @IsEndOfRange() end_date: string;
}

export interface DailyBalancesView {
  wallet_id: string;
  currency: Currency;
  /** At the end of each UTC day, oldest first; zero before the wallet was opened. The last may be today, which has not ended. */
  days: { day: string; balance: AmountText }[];
}

/** Reads the log itself, no projection. */
export const getDailyBalances = operation({
  subject: 'wallet.get-daily-balances',
  readOnly: true,
  request: GetDailyBalances,
  reply: replies<DailyBalancesView>(),
  errors: ['not_found'],
});
