import { ListSwapParkedFacts, listSwapParkedFacts } from '@stablecoin/contracts/swap/list-parked-facts';
import { ParkedFactsPage } from '@stablecoin/contracts/wire/parked-facts';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { pageOfParked } from '@stablecoin/persistence/parked-facts';
import { SwapDatabase } from '../persistence/swap-database';

@Handles(listSwapParkedFacts)
export class ListSwapParkedFactsHandler {
  constructor(private readonly database: SwapDatabase) {}

  execute(part: ListSwapParkedFacts): Promise<ParkedFactsPage> {
    return asRefusal(() => pageOfParked(this.database, part));
  }
}
