import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { SwapQuoteView } from './views';

export class GetSwap extends MerchantRequest {
  @IsUuid() swap_id: string;
}

export const getSwap = operation({
  subject: 'swap.get-swap',
  readOnly: true,
  request: GetSwap,
  reply: replies<SwapQuoteView>(),
  errors: ['not_found'],
});
