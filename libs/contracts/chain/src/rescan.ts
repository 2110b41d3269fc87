import { Network } from '@stablecoin/money/currency';
import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IsNetwork } from '@stablecoin/contracts/wire/fields/currency';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

export class Rescan {
  @IsNetwork() network: Network;
  @IsWholeNumberBetween(0, 999_999_999_999) from_block: number;
}

/**
 * Has the blocks from this one on looked at again. Safe at any time: what is known stays as it is, what was missed is
 * recorded, and what is on the chain no longer is treated as after any replaced block.
 */
export const rescan = operation({
  subject: 'chain.rescan',
  request: Rescan,
  reply: replies<{ network: Network; from_block: number }>(),
  errors: ['not_found'],
});
