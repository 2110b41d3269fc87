import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { IsCaseReason } from './case-reason';
import { PersonsCommand } from './persons-command';
import { CustomerView } from './views';

/** A customer's personal data for one of the operator's people, on the record before it is read. */
export class OpenIdentity extends PersonsCommand {
  @IsUuid() customer_id: string;
  @IsCaseReason() reason: string;
}

export const openIdentity = operation({
  subject: 'customer.open-identity',
  request: OpenIdentity,
  reply: replies<{ result: CustomerView }>(),
  errors: ['not_found'],
});
