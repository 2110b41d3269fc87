import { CreateBusinessCustomer, createBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { Handles } from '@stablecoin/messaging/handles';
import { Clock } from '../../clock';
import { requireBusinessDates } from '../../customers/business-dates';
import { businessDocuments } from '../../customers/business-documents';
import { newBusinessProfile } from '../../customers/customer-profile';
import { CustomerWriter } from '../../customers/customer-writer';

@Handles(createBusinessCustomer)
export class CreateBusinessCustomerHandler {
  constructor(
    private readonly customers: CustomerWriter,
    private readonly clock: Clock,
  ) {}

  async execute(request: CreateBusinessCustomer) {
    requireBusinessDates(request, this.clock.now());
    const { owners, documents } = businessDocuments(request);
    return this.customers.create(request, newBusinessProfile(request, owners ?? null), documents);
  }
}
