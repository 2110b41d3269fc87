import { IntersectionType, OmitType } from '@nestjs/mapped-types';
import {
  BusinessOwner,
  CreateBusinessCustomer,
  MAX_BUSINESS_OWNERS,
} from '@stablecoin/contracts/customer/business-customer';
import { CreateIndividualCustomer } from '@stablecoin/contracts/customer/create-individual-customer';
import { MAX_DOCUMENTS } from '@stablecoin/contracts/customer/document';
import { INJECTED_AT_REGISTRATION } from '@stablecoin/contracts/customer/key-mode';
import { ListCustomers } from '@stablecoin/contracts/customer/list-customers';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsNestedList } from '@stablecoin/contracts/wire/fields/nested';
import { DocumentFields, DocumentUpload } from './document-fields';

export class ListCustomersQuery extends OmitType(ListCustomers, ['merchant_id']) {}

export class CreateIndividualBody extends IntersectionType(
  OmitType(CreateIndividualCustomer, [...INJECTED_AT_REGISTRATION, 'documents']),
  DocumentFields,
) {}

export class BusinessOwnerBody extends OmitType(BusinessOwner, ['supporting_documents']) {
  @Optional() @IsNestedList(() => DocumentUpload, MAX_DOCUMENTS) supporting_documents?: DocumentUpload[] | null;
}

export class BusinessOwnersField {
  @Optional() @IsNestedList(() => BusinessOwnerBody, MAX_BUSINESS_OWNERS) business_owners?: BusinessOwnerBody[] | null;
}

export class CreateBusinessBody extends IntersectionType(
  OmitType(CreateBusinessCustomer, [...INJECTED_AT_REGISTRATION, 'documents', 'business_owners']),
  DocumentFields,
  BusinessOwnersField,
) {}
