import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import type { TransferView } from './views';

export class CancelTransfer {
  @IsText({ max: 100 }) reference: string;
  /** The operator. */
  @IsText({ max: 100 }) actor: string;
  @IsText({ max: 500 }) reason: string;
}

/**
 * Ends a transfer of which nothing is signed at once. One that was sent may be mined all the same: a transfer of nothing
 * competes with it for its nonce, and it has failed when that one is final, or is completed when it was faster. Asking again
 * changes nothing. `invalid_transition` where it has ended otherwise.
 */
export const cancelTransfer = operation({
  subject: 'chain.cancel-transfer',
  request: CancelTransfer,
  reply: replies<TransferView>(),
  errors: ['not_found', 'invalid_transition'],
});
