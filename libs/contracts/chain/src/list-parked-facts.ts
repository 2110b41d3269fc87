import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { ListParkedFacts, ParkedFactsPage } from '@stablecoin/contracts/wire/parked-facts';

export class ListChainParkedFacts extends ListParkedFacts {}

/** For the operator's people. */
export const listChainParkedFacts = operation({
  subject: 'chain.list-parked-facts',
  readOnly: true,
  request: ListChainParkedFacts,
  reply: replies<ParkedFactsPage>(),
  errors: [],
});
