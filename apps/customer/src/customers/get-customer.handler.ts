import { GetCustomer, getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { CustomerView } from '@stablecoin/contracts/customer/views';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { customerView, findCustomer, openCustomer } from '@stablecoin/customer-store/customers/customer-record';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';

@Handles(getCustomer)
export class GetCustomerHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
  ) {}

  async execute({ merchant_id, customer_id }: GetCustomer): Promise<CustomerView> {
    const row = await asRefusal(() => findCustomer(this.database, merchant_id, customer_id));
    return customerView(await openCustomer(row, this.personalData));
  }
}
