import { Currency, Network } from '@stablecoin/money/currency';
import { IsAddressOfNetwork, IsPayable } from '@stablecoin/contracts/wire/fields/address';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { IsCurrency, IsNetworkOfCurrency } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { PayoutMethodView } from './views';

export class AddWalletMethod extends MerchantCommand {
  @IsOneOf(['WALLET']) type: 'WALLET' = 'WALLET' as const;
  @IsPayable() @IsAddressOfNetwork() wallet_address: string;
  @IsNetworkOfCurrency() network: Network;
  @IsCurrency({ only: 'STABLECOIN' }) currency: Currency;
  @Optional() @IsUuid() customer_id?: string | null;
  @OptionalText({ max: 100 }) label?: string | null;
}

export const addWalletMethod = operation({
  subject: 'payout.add-wallet-method',
  request: AddWalletMethod,
  reply: replies<CommandReply<PayoutMethodView>>(),
  errors: ['not_found', 'customer_closed', 'idempotency_key_reused', 'idempotency_in_flight'],
});
