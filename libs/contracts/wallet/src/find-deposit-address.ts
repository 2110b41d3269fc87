import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

export class FindDepositAddress {
  /** On any network; an EVM address with or without its checksum, as they are the same on all these networks. */
  @IsText({ max: 100 }) address: string;
}

/** Whether deposits to a wallet of ours arrive there; never whose wallet it is. */
export const findDepositAddress = operation({
  subject: 'wallet.find-deposit-address',
  readOnly: true,
  request: FindDepositAddress,
  reply: replies<{ is_ours: boolean }>(),
  errors: [],
});
