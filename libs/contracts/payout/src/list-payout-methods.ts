import { Currency } from '@stablecoin/money/currency';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { IsCurrency } from '@stablecoin/contracts/wire/fields/currency';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsLimit, IsPage, Page } from '@stablecoin/contracts/wire/fields/paging';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { PayoutMethodView } from './views';

/** The merchant's own methods and its customers', unless filtered; newest first. */
export class ListPayoutMethods extends MerchantRequest {
  @Optional() @IsUuid() customer_id?: string;
  @Optional() @IsOneOf(['BANK', 'WALLET']) type?: 'BANK' | 'WALLET';
  @Optional() @IsCurrency() currency?: Currency;
  @IsPage() page = 1;
  @IsLimit() limit = 20;
}

export const listPayoutMethods = operation({
  subject: 'payout.list-payout-methods',
  readOnly: true,
  request: ListPayoutMethods,
  reply: replies<Page<PayoutMethodView>>(),
  errors: [],
});
