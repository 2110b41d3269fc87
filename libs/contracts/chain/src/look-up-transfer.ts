import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import type { TransferView } from './views';

export class LookUpTransfer {
  @IsText({ max: 100 }) reference: string;
}

/** `not_found`: it was never taken. */
export const lookUpTransfer = operation({
  subject: 'chain.look-up-transfer',
  readOnly: true,
  request: LookUpTransfer,
  reply: replies<TransferView>(),
  errors: ['not_found'],
});
