import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { ListParkedFacts, ParkedFactsPage } from '@stablecoin/contracts/wire/parked-facts';

export class ListPayoutParkedFacts extends ListParkedFacts {}

/** For the operator's people. */
export const listPayoutParkedFacts = operation({
  subject: 'payout.list-parked-facts',
  readOnly: true,
  request: ListPayoutParkedFacts,
  reply: replies<ParkedFactsPage>(),
  errors: [],
});
