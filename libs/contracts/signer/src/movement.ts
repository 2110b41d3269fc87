import { isAddress } from '@stablecoin/addresses/validate-address';
import { TOKEN_CURRENCIES, type TokenCurrency } from '@stablecoin/chains/tokens';
import { IsOneOf, IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { field, IfPresent } from '@stablecoin/contracts/wire/fields/field';
import { IsText, MatchesPattern } from '@stablecoin/contracts/wire/fields/text';

/** Of a deposit address, as BIP-32 counts children that are not hardened. */
export const DEPOSIT_INDEX_MAX = 2 ** 31 - 1;

/** Whole numbers beyond 2^53 travel as texts: units of a token, wei. */
const WHOLE = /^(0|[1-9]\d{0,29})$/;
const POSITIVE = /^[1-9]\d{0,29}$/;

/** Zero is one of them. */
export const IsWei = (): PropertyDecorator =>
  MatchesPattern({ pattern: WHOLE, code: 'invalid_amount', message: 'must be a whole number of wei, as a text' });

const IsPositiveText = (): PropertyDecorator =>
  MatchesPattern({ pattern: POSITIVE, code: 'invalid_amount', message: 'must be a positive whole number, as a text' });

const IsTokenCurrency = (): PropertyDecorator => IsOneOf(TOKEN_CURRENCIES, 'unsupported_currency');

/** All EVM networks have addresses of one form; mixed case must carry its checksum. */
const IsEvmAddress = (): PropertyDecorator =>
  field({
    name: 'isEvmAddress',
    code: 'invalid_address',
    message: 'must be a valid EVM address',
    schema: { type: 'string', maxLength: 42 },
    check: (value) => typeof value === 'string' && isAddress('erc20', value),
  });

/** Whose key signs: the hot wallet's, or a deposit address's. */
export class FromHot {
  @IsOneOf(['hot']) kind: 'hot';
}

export class FromDeposit {
  @IsOneOf(['deposit']) kind: 'deposit';
  @IsWholeNumberBetween(0, DEPOSIT_INDEX_MAX) index: number;
}

export type Sender = FromHot | FromDeposit;

/** Tokens from the hot wallet to anyone, as the payout service has ordered it. */
export class Payout {
  @IsOneOf(['payout']) kind: 'payout';
  @IsTokenCurrency() currency: TokenCurrency;
  @IsEvmAddress() to: string;
  /** Of the token's contract, in whose own decimals. */
  @IsPositiveText() units: string;
  /** The name of the order that is paid. */
  @IfPresent() @IsText({ max: 100 }) reference?: string;
  /** What was signed: evidence of the type `transfer-order`. */
  @IfPresent() @IsText({ max: 1_000 }) order?: string;
  @IfPresent() @IsText({ max: 100 }) order_signature?: string;
}

/** Tokens from a deposit address to the hot wallet. */
export class Sweep {
  @IsOneOf(['sweep']) kind: 'sweep';
  @IsTokenCurrency() currency: TokenCurrency;
  @IsPositiveText() units: string;
}

/** Tokens from the hot wallet to the cold address of the signer's own configuration. */
export class ToCold {
  @IsOneOf(['to-cold']) kind: 'to-cold';
  @IsTokenCurrency() currency: TokenCurrency;
  @IsPositiveText() units: string;
}

/** Native coin from the hot wallet to a deposit address of ours, which needs it to pay for its sweep. */
export class Gas {
  @IsOneOf(['gas']) kind: 'gas';
  @IsWholeNumberBetween(0, DEPOSIT_INDEX_MAX) index: number;
  @IsPositiveText() wei: string;
}

/** Nothing, from an address to itself: it takes the place of what was signed under the same nonce. */
export class Cancel {
  @IsOneOf(['cancel']) kind: 'cancel';
}

export type Movement = Payout | Sweep | ToCold | Gas | Cancel;
export const MOVEMENT_KINDS = [
  'payout',
  'sweep',
  'to-cold',
  'gas',
  'cancel',
] as const satisfies readonly Movement['kind'][];
