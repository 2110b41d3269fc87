import { GetCustomer, getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { CustomerView } from '@stablecoin/contracts/customer/views';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { customerView, findCustomer, openCustomer } from '../../customers/customer-record';
import { CustomerDatabase } from '../../persistence/customer-database';
import { PersonalData } from '../../persistence/personal-data';

@Handles(getCustomer)
export class GetCustomerHandler {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
  ) {}

  async execute({ merchant_id, customer_id }: GetCustomer): Promise<CustomerView> {
    const row = await asRefusal(() => findCustomer(this.database, merchant_id, customer_id));
    return customerView(openCustomer(row, this.personalData));
  }
}
