import { ListCustomerParkedFacts, listCustomerParkedFacts } from '@stablecoin/contracts/customer/list-parked-facts';
import { ParkedFactsPage } from '@stablecoin/contracts/wire/parked-facts';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { pageOfParked } from '@stablecoin/persistence/parked-facts';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';

@Handles(listCustomerParkedFacts)
export class ListCustomerParkedFactsHandler {
  constructor(private readonly database: CustomerDatabase) {}

  execute(part: ListCustomerParkedFacts): Promise<ParkedFactsPage> {
    return asRefusal(() => pageOfParked(this.database, part));
  }
}
