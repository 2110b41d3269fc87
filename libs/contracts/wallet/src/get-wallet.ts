import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { WalletView } from './views';

export class GetWallet extends MerchantRequest {
  @IsUuid() wallet_id: string;
}

export const getWallet = operation({
  subject: 'wallet.get-wallet',
  readOnly: true,
  request: GetWallet,
  reply: replies<WalletView>(),
  errors: ['not_found'],
});
