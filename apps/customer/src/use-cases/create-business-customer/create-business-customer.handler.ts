import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { CreateBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { Clock } from '@stablecoin/customer-store/clock';
import { newBusinessProfile } from '@stablecoin/customer-store/customers/customer-profile';
import { requireBusinessDates } from '../../customers/business-dates';
import { businessDocuments } from '../../customers/business-documents';
import { CustomerWriter } from '../../customers/customer-writer';

@CommandHandler(CreateBusinessCustomer)
export class CreateBusinessCustomerHandler implements ICommandHandler<CreateBusinessCustomer> {
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
