import { IsDay } from '@stablecoin/contracts/wire/fields/date';
import { IsCurrency } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { Currency } from '@stablecoin/money/currency';
import { IsEndOfRange } from './day-range';
import { AmountText, Timestamp, TransactionMode, TransactionType } from './views';

export class GetDailyFigures extends MerchantRequest {
  @IsDay() start_date: string;
  @IsEndOfRange() end_date: string;
  /** Without it, that of which there are the most transactions. */
  @Optional() @IsCurrency() currency?: Currency;
}

/** A whole number as text. */
export type CountText = string;

/** Transactions of one kind that were opened on a day, or on any of the days. */
export interface MovementFigures {
  transaction_type: TransactionType;
  transaction_mode: TransactionMode;
  opened: CountText;
  completed: CountText;
  failed: CountText;
  /** Of those completed. */
  reversed: CountText;
  /** Of all that were opened, whatever became of them. */
  opened_amount: AmountText;
  /** Of those completed, less those reversed since. */
  settled_amount: AmountText;
  settled_fees: AmountText;
  /** Half of those completed took no longer, and 95 of 100; as a bound that is at most a quarter above. Null without any. */
  p50_ms: CountText | null;
  p95_ms: CountText | null;
}

export type FailureReason = 'rejected' | 'approval_expired' | 'not_paid_out' | 'deposit_not_final';

export interface FailureFigures {
  transaction_type: TransactionType;
  reason: FailureReason;
  transactions: CountText;
  amount: AmountText;
}

export interface DailyFiguresView {
  /** Null without a transaction in any of the days. */
  currency: Currency | null;
  start_date: string;
  end_date: string;
  /** Of these days, that of which there are the most transactions first. */
  currencies: { currency: Currency; transactions: CountText }[];
  /** Of one currency; days without a transaction are left out. */
  days: { day: string; movements: MovementFigures[] }[];
  total: MovementFigures[];
  failures: FailureFigures[];
  /** From then on something of the log is not counted yet; null where all of it is. */
  counted_until: Timestamp | null;
}

/** From a table that follows the log by seconds. */
export const getDailyFigures = operation({
  subject: 'wallet.get-daily-figures',
  readOnly: true,
  request: GetDailyFigures,
  reply: replies<DailyFiguresView>(),
  errors: [],
});
