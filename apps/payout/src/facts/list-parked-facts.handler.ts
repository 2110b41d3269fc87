import { ListPayoutParkedFacts, listPayoutParkedFacts } from '@stablecoin/contracts/payout/list-parked-facts';
import { ParkedFactsPage } from '@stablecoin/contracts/wire/parked-facts';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { pageOfParked } from '@stablecoin/persistence/parked-facts';
import { PayoutDatabase } from '../persistence/payout-database';

@Handles(listPayoutParkedFacts)
export class ListPayoutParkedFactsHandler {
  constructor(private readonly database: PayoutDatabase) {}

  execute(part: ListPayoutParkedFacts): Promise<ParkedFactsPage> {
    return asRefusal(() => pageOfParked(this.database, part));
  }
}
