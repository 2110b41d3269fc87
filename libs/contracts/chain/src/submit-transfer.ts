import { EVM_NETWORKS, type EvmNetwork } from '@stablecoin/chains/chains';
import { TOKEN_CURRENCIES, type TokenCurrency } from '@stablecoin/chains/tokens';
import { IsAddressOfNetwork } from '@stablecoin/contracts/wire/fields/address';
import { IsAmount } from '@stablecoin/contracts/wire/fields/amount';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import type { TransferView } from './views';

export class SubmitTransfer {
  /** The caller's own name of it. The same reference again is the same transfer, which is sent once. */
  @IsText({ max: 100 }) reference: string;
  @IsOneOf(EVM_NETWORKS, 'unsupported_network') network: EvmNetwork;
  @IsOneOf(TOKEN_CURRENCIES, 'unsupported_currency') currency: TokenCurrency;
  @IsAddressOfNetwork() to: string;
  @IsAmount() amount: string;
  /** Whose payout it is. A test merchant's leaves only where coins are worth nothing. */
  @Optional() @IsOneOf(['live', 'test']) mode?: 'live' | 'test';
  /** The same as the payout service has signed it, for the signer. */
  @Optional() @IsText({ max: 1_000 }) order?: string;
  @Optional() @IsText({ max: 100 }) order_signature?: string;
}

/**
 * Takes a transfer from the hot wallet: stored when this is answered, signed and sent after it. `invalid_transition` where
 * the reference was taken with other terms; `rail_unavailable` for a network without nodes here, and for a test merchant's where
 * these are of the real chain. A payee that is refused for
 * good makes a transfer that has failed, with the reason.
 */
export const submitTransfer = operation({
  subject: 'chain.submit-transfer',
  request: SubmitTransfer,
  reply: replies<TransferView>(),
  errors: ['invalid_transition', 'rail_unavailable'],
});
