import { CreateBusinessCustomer, createBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { Clock } from '@stablecoin/customer-store/clock';
import { newBusinessProfile } from '@stablecoin/customer-store/customers/customer-profile';
import { Handles } from '@stablecoin/messaging/handles';
import { requireBusinessDates } from './business-dates';
import { businessDocuments } from '../documents/business-documents';
import { CustomerWriter } from './customer-writer';

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
