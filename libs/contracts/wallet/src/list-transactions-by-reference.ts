import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { TransactionView } from './views';

/** The transactions that share a reference, in the order in which they were recorded; never an empty list. */
export class ListTransactionsByReference extends MerchantRequest {
  @IsUuid() reference_id: string;
}

export const listTransactionsByReference = operation({
  subject: 'wallet.list-transactions-by-reference',
  readOnly: true,
  request: ListTransactionsByReference,
  reply: replies<TransactionView[]>(),
  errors: ['not_found'],
});
