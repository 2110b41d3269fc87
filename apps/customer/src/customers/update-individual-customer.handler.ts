import {
  UpdateIndividualCustomer,
  updateIndividualCustomer,
} from '@stablecoin/contracts/customer/update-individual-customer';
import { Clock } from '@stablecoin/customer-store/clock';
import { Handles } from '@stablecoin/messaging/handles';
import { placedDocuments } from '../documents/attach-documents';
import { requireOfAge } from './birth-date';
import { CustomerWriter } from './customer-writer';

@Handles(updateIndividualCustomer)
export class UpdateIndividualCustomerHandler {
  constructor(
    private readonly customers: CustomerWriter,
    private readonly clock: Clock,
  ) {}

  async execute(request: UpdateIndividualCustomer) {
    const { merchant_id, command_id, input_hash, customer_id, customer_type, documents, ...fields } = request;
    if (fields.birth_date !== undefined) requireOfAge(fields.birth_date, this.clock.now());
    // Cleared means back to its default.
    const changes = fields.acting_as_intermediary === null ? { ...fields, acting_as_intermediary: false } : fields;
    const command = { merchant_id, command_id, input_hash, customer_id };
    return this.customers.update(
      command,
      customer_type ?? 'individual',
      changes,
      placedDocuments('documents', documents),
    );
  }
}
