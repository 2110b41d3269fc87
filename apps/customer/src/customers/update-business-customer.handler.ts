import { UpdateBusinessCustomer, updateBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { Clock } from '@stablecoin/customer-store/clock';
import { Handles } from '@stablecoin/messaging/handles';
import { requireBusinessDates } from './business-dates';
import { businessDocuments } from '../documents/business-documents';
import { CustomerWriter } from './customer-writer';

@Handles(updateBusinessCustomer)
export class UpdateBusinessCustomerHandler {
  constructor(
    private readonly customers: CustomerWriter,
    private readonly clock: Clock,
  ) {}

  async execute(request: UpdateBusinessCustomer) {
    requireBusinessDates(request, this.clock.now());
    const { merchant_id, command_id, input_hash, customer_id, customer_type, documents, business_owners, ...fields } =
      request;
    const taken = businessDocuments({ documents, business_owners });
    const command = { merchant_id, command_id, input_hash, customer_id };
    const changes = { ...fields, business_owners: taken.owners };
    return this.customers.update(command, customer_type ?? 'business', changes, taken.documents);
  }
}
