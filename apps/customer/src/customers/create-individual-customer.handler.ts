import {
  CreateIndividualCustomer,
  createIndividualCustomer,
} from '@stablecoin/contracts/customer/create-individual-customer';
import { Clock } from '@stablecoin/customer-store/clock';
import { newIndividualProfile } from '@stablecoin/customer-store/customers/customer-profile';
import { Handles } from '@stablecoin/messaging/handles';
import { placedDocuments } from '../documents/attach-documents';
import { requireOfAge } from './birth-date';
import { CustomerWriter } from './customer-writer';

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
