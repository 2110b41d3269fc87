import {
  CreateIndividualCustomer,
  createIndividualCustomer,
} from '@stablecoin/contracts/customer/create-individual-customer';
import { Handles } from '@stablecoin/messaging/handles';
import { Clock } from '../../clock';
import { placedDocuments } from '../../customers/attach-documents';
import { requireOfAge } from '../../customers/birth-date';
import { newIndividualProfile } from '../../customers/customer-profile';
import { CustomerWriter } from '../../customers/customer-writer';

@Handles(createIndividualCustomer)
export class CreateIndividualCustomerHandler {
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
