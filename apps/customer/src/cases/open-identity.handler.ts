import { OpenIdentity, openIdentity } from '@stablecoin/contracts/customer/open-identity';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { customerView, findCustomer, openCustomer } from '@stablecoin/customer-store/customers/customer-record';
import { recordActBefore } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { actedByPerson } from './acted-by-person';

/** A look at personal data by the operator's people is an act, as with the command line. */
@Handles(openIdentity)
export class OpenIdentityHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
  ) {}

  async execute({ merchant_id, customer_id, reason, ...person }: OpenIdentity) {
    const row = await asRefusal(() => findCustomer(this.database, merchant_id, customer_id));
    const act = { action: 'customers show --personal-data', merchant_id, customer_id };
    await asRefusal(() => recordActBefore(this.database, act, actedByPerson(person, reason)));
    return { result: customerView(await openCustomer(row, this.personalData)) };
  }
}
