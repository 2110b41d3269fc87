import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsLimit } from '@stablecoin/contracts/wire/fields/paging';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { Currency } from '@stablecoin/money/currency';
import { IsMoment } from './as-of';
import { AmountText, Timestamp } from './views';

export class ExplainBalance {
  @IsUuid() wallet_id: string;
  /** Without it, what is held now. */
  @Optional() @IsMoment() as_of?: string | null;
  @IsLimit() limit = 20;
}

export interface BalanceEvent {
  position: number;
  recorded_at: Timestamp;
  movement: string;
  type: string;
  /** Signed; zero for an event that moves nothing. */
  change: AmountText;
  balance_after: AmountText;
  /** The 10 characters; null for an event of no transaction. */
  transaction_id: string | null;
  /** The chain's, of this event and all before it; 64 hex digits. */
  hash: string;
}

export interface BalanceExplanation {
  wallet_id: string;
  merchant_id: string;
  shard: number;
  currency: Currency;
  balance: AmountText;
  /** Before the first event that is shown. */
  opening: AmountText;
  /** Newest first. */
  events: BalanceEvent[];
  /** The moment at which the events before these end; null where there are none. */
  earlier: string | null;
}

/** The events that make up what any wallet held, from the log itself: for the operator's auditors. */
export const explainBalance = operation({
  subject: 'wallet.explain-balance',
  readOnly: true,
  request: ExplainBalance,
  reply: replies<BalanceExplanation>(),
  errors: ['not_found'],
});
