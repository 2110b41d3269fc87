import { Currency } from '@stablecoin/money/currency';
import { IsAmount } from '@stablecoin/contracts/wire/fields/amount';
import { IsCurrency } from '@stablecoin/contracts/wire/fields/currency';
import { IsTimestamp } from '@stablecoin/contracts/wire/fields/date';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MatchesPattern } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { TransactionView } from './views';

export class PostSwapTerms extends MerchantCommand {
  /** The quote's id; it becomes the `reference_id` of both transactions. */
  @IsUuid() swap_id: string;
  @Optional() @IsUuid() customer_id?: string | null;
  @IsCurrency() from_currency: Currency;
  @IsCurrency() to_currency: Currency;
  @IsAmount() from_amount: string;
  @IsAmount() to_amount: string;
  @MatchesPattern({ pattern: /^\d{1,20}(\.\d{1,12})?$/, code: 'invalid_price', message: 'must be a decimal string' })
  quoted_price: string;
  /** After this the price is history: the ledger refuses to post it, also to a retry that comes much later. */
  @IsTimestamp() valid_until: string;
}

/**
 * Exchanges `from_amount` for `to_amount` between two wallets of one owner against the shard's liquidity. Both
 * transactions are recorded PENDING (as the reply shows them) and settled to COMPLETED in the same commit.
 */
export class PostSwap extends PostSwapTerms {}

/** A quote is posted by the command that is derived from this name, and so once. */
export const postSwapCommandName = (swapId: string): string => `post-swap:${swapId}`;

export interface PostedSwap {
  debit_transaction: TransactionView;
  credit_transaction: TransactionView;
}

export const postSwap = operation({
  subject: 'wallet.post-swap',
  answeredBy: 'shard',
  callers: ['swap-pricing'],
  request: PostSwap,
  reply: replies<CommandReply<PostedSwap>>(),
  errors: [
    'wallet_not_found',
    'customer_closed',
    'unsupported_pair',
    'quote_expired',
    'quote_mismatch',
    'insufficient_funds',
    'idempotency_key_reused',
    'idempotency_in_flight',
  ],
});
