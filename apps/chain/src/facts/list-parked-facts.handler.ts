import { ListChainParkedFacts, listChainParkedFacts } from '@stablecoin/contracts/chain/list-parked-facts';
import { ParkedFactsPage } from '@stablecoin/contracts/wire/parked-facts';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { pageOfParked } from '@stablecoin/persistence/parked-facts';
import { ChainDatabase } from '../persistence/chain-database';

@Handles(listChainParkedFacts)
export class ListChainParkedFactsHandler {
  constructor(private readonly database: ChainDatabase) {}

  execute(part: ListChainParkedFacts): Promise<ParkedFactsPage> {
    return asRefusal(() => pageOfParked(this.database, part));
  }
}
