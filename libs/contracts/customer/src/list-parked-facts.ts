import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { ListParkedFacts, ParkedFactsPage } from '@stablecoin/contracts/wire/parked-facts';

export class ListCustomerParkedFacts extends ListParkedFacts {}

/** For the operator's people. */
export const listCustomerParkedFacts = operation({
  subject: 'customer.list-parked-facts',
  readOnly: true,
  request: ListCustomerParkedFacts,
  reply: replies<ParkedFactsPage>(),
  errors: [],
});
