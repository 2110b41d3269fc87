import { IntersectionType, OmitType } from '@nestjs/mapped-types';
import {
  BusinessOwner,
  CreateBusinessCustomer,
  BUSINESS_OWNERS_MAX,
} from '@stablecoin/contracts/customer/business-customer';
import { CreateIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { DOCUMENTS_MAX } from '@stablecoin/contracts/customer/document';
import { INJECTED_AT_REGISTRATION } from '@stablecoin/contracts/customer/key-mode';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsNestedList } from '@stablecoin/contracts/wire/fields/nested';
import { DocumentFields, DocumentUpload } from './document-fields';

export class CreateIndividualBody extends IntersectionType(
  OmitType(CreateIndividualCustomer, [...INJECTED_AT_REGISTRATION, 'documents']),
  DocumentFields,
) {}

export class BusinessOwnerBody extends OmitType(BusinessOwner, ['supporting_documents']) {
  @Optional() @IsNestedList(() => DocumentUpload, DOCUMENTS_MAX) supporting_documents?: DocumentUpload[] | null;
}

export class BusinessOwnersField {
  @Optional() @IsNestedList(() => BusinessOwnerBody, BUSINESS_OWNERS_MAX) business_owners?: BusinessOwnerBody[] | null;
}

export class CreateBusinessBody extends IntersectionType(
  OmitType(CreateBusinessCustomer, [...INJECTED_AT_REGISTRATION, 'documents', 'business_owners']),
  DocumentFields,
  BusinessOwnersField,
) {}
