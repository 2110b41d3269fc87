import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { CaseView } from './case-views';

/** A customer of any merchant, without anything personal: for people of the operator. */
export class GetCase {
  @IsUuid() customer_id: string;
}

export const getCase = operation({
  subject: 'customer.get-case',
  readOnly: true,
  request: GetCase,
  reply: replies<CaseView>(),
  errors: ['not_found'],
});
