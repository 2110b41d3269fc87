import { Currency, Network } from '@stablecoin/money/currency';
import { IsAmount } from '@stablecoin/contracts/wire/fields/amount';
import { IsWholeNumberBetween, IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { IsCurrency, IsNetworkOfCurrency } from '@stablecoin/contracts/wire/fields/currency';
import { IfPresent, Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsSha256, IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsNested } from '@stablecoin/contracts/wire/fields/nested';
import { IsText, MatchesPattern } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { RequestSigner } from './request-signer';
import { TransactionView } from './views';

/** What a payout costs: a flat part in the currency paid out, and hundredths of a percent of the amount. */
export class PayoutFeeSchedule {
  @MatchesPattern({ pattern: /^\d{1,18}(\.\d{1,8})?$/, code: 'invalid_amount', message: 'must be a decimal string' })
  flat: string;
  @IsWholeNumberBetween(0, 10_000) basis_points: number;
}

/** The destination arrives sealed; the ledger keeps it and can't read it. */
export class HoldPayoutTerms extends MerchantCommand {
  @Optional() @IsUuid() customer_id?: string | null;
  @IsCurrency() currency: Currency;
  @IsAmount() amount: string;
  @IsOneOf(['bank', 'wallet']) rail: 'bank' | 'wallet';
  @IsText({ max: 4096 }) sealed_destination: string;
  @IsNetworkOfCurrency({ neededIf: ({ rail }: HoldPayoutTerms) => rail === 'wallet' }) network?: Network;
  /** Of a gateway of a version before; this one seals it with the destination, as it does `recipient_country`. */
  @Optional() @IsText({ max: 100 }) bank_name?: string | null;
  @Optional() @IsText({ max: 11 }) bank_code?: string | null;
  @IsCurrency({ only: 'FIAT' }) recipient_currency: Currency;
  @Optional() @IsText({ max: 100 }) recipient_country?: string | null;
  /** Units of `recipient_currency` for one unit of `currency` at this moment. */
  @MatchesPattern({ pattern: /^\d{1,20}(\.\d{1,12})?$/, code: 'invalid_price', message: 'must be a decimal string' })
  exchange_rate: string;
  @Optional() @IsNested(() => PayoutFeeSchedule) fee_schedule?: PayoutFeeSchedule | null;
  /** Left out by a gateway of the version before, as are the next two. */
  @IfPresent() @IsOneOf(['test', 'live']) key_mode?: 'test' | 'live';
  @IfPresent() @IsNested(() => RequestSigner) signer?: RequestSigner;
  /** Where it goes: a keyed hash, the same for each payout of the merchant to there. */
  @IfPresent() @IsSha256() destination_hash?: string;
}

/**
 * Takes amount and fee out of the owner's wallet and holds them in clearing until the payout is resolved. A person's goes with what
 * their passkey signed.
 */
export class HoldPayout extends HoldPayoutTerms {}

export const holdPayout = operation({
  subject: 'wallet.hold-payout',
  answeredBy: 'shard',
  callers: ['gateway', 'backoffice'],
  request: HoldPayout,
  reply: replies<CommandReply<TransactionView>>(),
  errors: [
    'wallet_not_found',
    'customer_closed',
    'limit_exceeded',
    'insufficient_funds',
    'idempotency_key_reused',
    'idempotency_in_flight',
  ],
});
