import { GetCustomer, getCustomer } from '@stablecoin/contracts/customer/get-customer';
import { CustomerView } from '@stablecoin/contracts/customer/views';
import { customerView, findCustomer, openCustomer } from '@stablecoin/customer-store/customers/customer-record';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { MerchantReads } from '@stablecoin/persistence/merchant-reads';

@Handles(getCustomer)
export class GetCustomerHandler {
  constructor(
    private readonly reads: MerchantReads,
    private readonly personalData: PersonalData,
  ) {}

  async execute({ merchant_id, customer_id }: GetCustomer): Promise<CustomerView> {
    const row = await asRefusal(() => findCustomer(this.reads.of(merchant_id), merchant_id, customer_id));
    return customerView(await openCustomer(row, this.personalData));
  }
}
