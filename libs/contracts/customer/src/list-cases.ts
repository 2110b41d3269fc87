import { IsLimit, IsPage, Page } from '@stablecoin/contracts/wire/fields/paging';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { CaseView } from './case-views';

/** Customers of all merchants whose review waits for a decision, oldest first: for people of the operator. */
export class ListCases {
  @IsPage() page = 1;
  @IsLimit() limit = 20;
}

export const listCases = operation({
  subject: 'customer.list-cases',
  readOnly: true,
  request: ListCases,
  reply: replies<Page<CaseView>>(),
  errors: [],
});
