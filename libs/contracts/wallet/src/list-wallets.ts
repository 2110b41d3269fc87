import { Currency } from '@stablecoin/money/currency';
import { IsCurrencyCode } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsLimit, IsPage, Page } from '@stablecoin/contracts/wire/fields/paging';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { WalletView } from './views';

/** The wallets of one customer, or without `customer_id` the merchant's own; newest first. */
export class ListWallets extends MerchantRequest {
  @Optional() @IsUuid() customer_id?: string;
  @Optional() @IsCurrencyCode() currency?: Currency;
  @IsPage() page = 1;
  @IsLimit() limit = 20;
}

export const listWallets = operation({
  subject: 'wallet.list-wallets',
  readOnly: true,
  request: ListWallets,
  reply: replies<Page<WalletView>>(),
  errors: [],
});
