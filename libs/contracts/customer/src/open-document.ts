import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { IsCaseReason } from './case-reason';
import { PersonsCommand } from './persons-command';

/** That a person is about to read a document, and what for: on the record, and for some minutes from then the parts are given out. */
export class OpenDocument extends PersonsCommand {
  @IsUuid() customer_id: string;
  @IsUuid() document_id: string;
  @IsCaseReason() reason: string;
}

export interface OpenedDocument {
  document_id: string;
  parts: number;
}

export const openDocument = operation({
  subject: 'customer.open-document',
  request: OpenDocument,
  reply: replies<{ result: OpenedDocument }>(),
  errors: ['not_found'],
});
