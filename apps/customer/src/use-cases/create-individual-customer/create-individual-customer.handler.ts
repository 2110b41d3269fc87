import { CommandHandler, ICommandHandler } from '@nestjs/cqrs';
import { CreateIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { Clock } from '@stablecoin/customer-store/clock';
import { newIndividualProfile } from '@stablecoin/customer-store/customers/customer-profile';
import { placedDocuments } from '../../customers/attach-documents';
import { requireOfAge } from '../../customers/birth-date';
import { CustomerWriter } from '../../customers/customer-writer';

@CommandHandler(CreateIndividualCustomer)
export class CreateIndividualCustomerHandler implements ICommandHandler<CreateIndividualCustomer> {
  constructor(
    private readonly customers: CustomerWriter,
    private readonly clock: Clock,
  ) {}

  async execute(request: CreateIndividualCustomer) {
    requireOfAge(request.birth_date, this.clock.now());
    const documents = placedDocuments('documents', request.documents);
    return this.customers.create(request, newIndividualProfile(request), documents);
  }
}
