import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { CreateBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { businessDocuments } from '../../customers/business-documents';
import { newBusinessProfile } from '../../customers/customer-profile';
import { CustomerWriter } from '../../customers/customer-writer';

@CommandHandler(CreateBusinessCustomer)
export class CreateBusinessCustomerHandler implements ICommandHandler<CreateBusinessCustomer> {
  constructor(private readonly customers: CustomerWriter) {}

  async execute(request: CreateBusinessCustomer) {
    const { owners, documents } = businessDocuments(request);
    return this.customers.create(request, newBusinessProfile(request, owners ?? null), documents);
  }
}
