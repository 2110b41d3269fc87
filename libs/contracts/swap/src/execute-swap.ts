import { Currency } from '@stablecoin/money/currency';
import { SWAP_REQUEST } from '@stablecoin/contracts/wallet/merchant-requests';
import { PostedSwap } from '@stablecoin/contracts/wallet/post-swap';
import { IsAmount } from '@stablecoin/contracts/wire/fields/amount';
import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IsCurrency } from '@stablecoin/contracts/wire/fields/currency';
import { IfPresent, Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { IsNested } from '@stablecoin/contracts/wire/fields/nested';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

/** What a member's passkey has signed, as the backoffice states it. */
export class SignedOrder {
  @IsText({ max: 32_768 }) text: string;
  @IsText({ max: 128 }) signature: string;
}

/** They mean the quote named by `quote_id`, else the owner's most recently created or refreshed open one of this pair and amount. */
export class ExecuteSwapTerms extends MerchantCommand {
  @Optional() @IsUuid() customer_id?: string | null;
  @IsCurrency() from_currency: Currency;
  @IsCurrency() to_currency: Currency;
  @IsAmount() amount: string;
  @Optional() @IsUuid() quote_id?: string | null;
  /** The merchant's ledger shard, to which the swap is posted. */
  @IsWholeNumberBetween(0, 32_767) shard: number;
}

/** Executes a quote. It is used once; a refusal leaves it open. */
export class ExecuteSwap extends ExecuteSwapTerms {
  /** Of a person's request: the ledger posts no swap of the backoffice's without it. */
  @IfPresent() @IsNested(() => SignedOrder) signed_order?: SignedOrder;
}

export interface ExecutedSwap extends PostedSwap {
  swap_id: string;
}

export const executeSwap = operation({
  subject: SWAP_REQUEST,
  provesRequest: true,
  request: ExecuteSwap,
  reply: replies<CommandReply<ExecutedSwap>>(),
  errors: [
    'not_found',
    'quote_required',
    'quote_used',
    'quote_expired',
    'quote_mismatch',
    'unsupported_pair',
    'wallet_not_found',
    'customer_closed',
    'insufficient_funds',
    'idempotency_key_reused',
    'idempotency_in_flight',
  ],
});
