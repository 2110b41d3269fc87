import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { ListParkedFacts, ParkedFactsPage } from '@stablecoin/contracts/wire/parked-facts';

export class ListSwapParkedFacts extends ListParkedFacts {}

/** For the operator's people. */
export const listSwapParkedFacts = operation({
  subject: 'swap.list-parked-facts',
  readOnly: true,
  request: ListSwapParkedFacts,
  reply: replies<ParkedFactsPage>(),
  errors: [],
});
