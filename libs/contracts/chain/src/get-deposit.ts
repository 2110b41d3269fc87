import { IsText } from '@stablecoin/contracts/wire/fields/text';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { ChainDepositView } from './views';

export class GetDeposit extends MerchantRequest {
  /** The deposit's 10-character `transaction_id`. */
  @IsText({ max: 64 }) transaction_id: string;
}

/** How far a deposit is on its chain; `not_found` for one that came by another rail. */
export const getDeposit = operation({
  subject: 'chain.get-deposit',
  readOnly: true,
  request: GetDeposit,
  reply: replies<ChainDepositView>(),
  errors: ['not_found'],
});
