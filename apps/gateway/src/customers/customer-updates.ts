import { IntersectionType, OmitType } from '@nestjs/mapped-types';
import { Kept, PrintedAddress, RegisteredAddress } from '@stablecoin/contracts/customer/address';
import { UpdateBusinessCustomer } from '@stablecoin/contracts/customer/business-customer';
import { countryCode, isCountryCode } from '@stablecoin/contracts/customer/reference-tables/countries';
import {
  ACCOUNT_PURPOSES,
  EMPLOYMENT_STATUSES,
  SOURCES_OF_FUNDS,
} from '@stablecoin/contracts/customer/reference-tables/customer-enums';
import { OCCUPATION_CODES, occupationCodeFromText } from '@stablecoin/contracts/customer/reference-tables/occupations';
import { codeFromReadableText } from '@stablecoin/contracts/customer/reference-tables/readable-text';
import { UpdateIndividualCustomer } from '@stablecoin/contracts/customer/update-individual-customer';
import { IsIncome } from '@stablecoin/contracts/wire/fields/amount';
import { IsOneOf } from '@stablecoin/contracts/wire/fields/choice';
import { IsHttpUrl } from '@stablecoin/contracts/wire/fields/contact';
import { IsDay } from '@stablecoin/contracts/wire/fields/date';
import { all, field, FieldSchema, normalized, Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsNested, IsNestedOneOf } from '@stablecoin/contracts/wire/fields/nested';
import { IsText, OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { Plain } from '@stablecoin/contracts/wire/operation';
import { INJECTED_FIELDS } from '@stablecoin/contracts/wire/merchant-request';
import { Allow } from 'class-validator';
import { BusinessOwnersField } from './customer-requests';
import { DocumentFields } from './document-fields';
import { IsExclusiveWith, IsNotRepeatedBeside } from '../routes/exclusive-fields';
import { codeOfReadable } from '@stablecoin/merchant-resources/customers/readable-codes';

/**
 * The body of an update: every field of a create, and every field of a response in the response's shape. The classes
 * check the fields under the names that the caller used; `individualChanges` and `businessChanges` then turn either
 * shape into the one that is sent on the bus.
 */

function IsCodeOrText(codes: readonly string[]): PropertyDecorator {
  return all(
    normalized((value) => (typeof value === 'string' ? (codeFromReadableText(codes, value) ?? value) : value)),
    IsOneOf(codes, 'invalid_choice', codeOrText(codes)),
  );
}

function codeOrText(codes: readonly string[]): FieldSchema {
  return {
    anyOf: [
      { type: 'string', enum: codes },
      { type: 'string', description: 'The readable text that responses print for one of the codes.' },
    ],
  };
}

function IsOccupation(): PropertyDecorator {
  return all(
    normalized((value) => (typeof value === 'string' ? (occupationCodeFromText(value) ?? value) : value)),
    IsOneOf(OCCUPATION_CODES, 'invalid_choice', codeOrText(OCCUPATION_CODES)),
  );
}

type ShownAddress = PrintedAddress | RegisteredAddress;

/** An address in the shape of lists and look-ups, or in the shape of the answers to create and update. */
function IsShownAddress(): PropertyDecorator {
  return IsNestedOneOf(
    () => [PrintedAddress, RegisteredAddress],
    (plain) => ('street1' in plain || 'street2' in plain ? RegisteredAddress : PrintedAddress),
  );
}

/** A business's sets of values are open: a text as a response prints a code becomes that code again. */
function IsCodeLikeText(): PropertyDecorator {
  return all(
    OptionalText({ max: 100 }),
    normalized((value) => (typeof value === 'string' ? codeOfReadable(value) : value)),
  );
}

/** A field that is printed for every customer but has no meaning for a business: only null is accepted. */
function IsNothing(): PropertyDecorator {
  const message = 'does not apply to a business';
  return all(
    Optional(),
    field({ name: 'isNothing', code: 'not_applicable', message, schema: { type: 'null' }, check: () => false }),
  );
}

/** Fields of responses that no update changes: accepted and ignored. */
class ReadOnlyFields {
  @Allow() id?: unknown;
  @Allow() status?: unknown;
  @Allow() kyc_status?: unknown;
  @Allow() created_at?: unknown;
  @Allow() updated_at?: unknown;
}

class PersonalFields {
  @Kept(IsText({ max: 50 })) first_name?: string;
  @OptionalText({ max: 50 }) middle_name?: string | null;
  @Kept(IsText({ max: 50 })) last_name?: string;
  @Kept(IsDay({ midnight: true })) birth_date?: string;
}

class IndividualFinances {
  @Kept(IsCodeOrText(ACCOUNT_PURPOSES)) account_purpose?: string;
  @Kept(IsCodeOrText(EMPLOYMENT_STATUSES)) employment_status?: string;
  @Kept(IsIncome()) expected_monthly_income?: string;
  @Kept(IsOccupation()) most_recent_occupation?: string;
  @Kept(IsCodeOrText(SOURCES_OF_FUNDS)) source_of_funds?: string;
}

const INDIVIDUAL_ELSEWHERE = [
  ...INJECTED_FIELDS,
  'customer_id',
  'documents',
  'first_name',
  'middle_name',
  'last_name',
  'birth_date',
  'account_purpose',
  'employment_status',
  'expected_monthly_income',
  'most_recent_occupation',
  'source_of_funds',
] as const;

export class UpdateIndividualBody extends IntersectionType(
  OmitType(UpdateIndividualCustomer, INDIVIDUAL_ELSEWHERE),
  PersonalFields,
  IndividualFinances,
  IntersectionType(DocumentFields, ReadOnlyFields),
) {
  @Kept(IsExclusiveWith('registered_address'), IsShownAddress()) address?: ShownAddress;
  @Kept(IsNotRepeatedBeside(), IsNested(() => PersonalFields)) personal_info?: PersonalFields;
  @Kept(IsNotRepeatedBeside(), IsNested(() => IndividualFinances)) financial_info?: IndividualFinances;
}

class BusinessFinances {
  @IsCodeLikeText() account_purpose?: string | null;
  @Optional() @IsIncome() expected_monthly_income?: string | null;
  @IsCodeLikeText() source_of_funds?: string | null;
}

class PrintedBusinessFinances extends BusinessFinances {
  @IsNothing() employment_status?: null;
  @IsNothing() most_recent_occupation?: null;
}

class NoPerson {
  @IsNothing() first_name?: null;
  @IsNothing() middle_name?: null;
  @IsNothing() last_name?: null;
  @IsNothing() birth_date?: null;
}

class BusinessInfo {
  @Kept(IsText({ max: 200 })) business_name?: string;
  @OptionalText({ max: 100 }) business_type?: string | null;
  @Optional() @IsHttpUrl() business_website?: string | null;
}

const BUSINESS_ELSEWHERE = [
  ...INJECTED_FIELDS,
  'customer_id',
  'documents',
  'business_owners',
  'account_purpose',
  'expected_monthly_income',
  'source_of_funds',
  'business_name',
  'business_type',
  'business_website',
] as const;

export class UpdateBusinessBody extends IntersectionType(
  OmitType(UpdateBusinessCustomer, BUSINESS_ELSEWHERE),
  BusinessFinances,
  BusinessInfo,
  IntersectionType(DocumentFields, BusinessOwnersField, ReadOnlyFields),
) {
  @Optional() @IsExclusiveWith('registered_address') @IsShownAddress() address?: ShownAddress | null;
  @Optional() @IsNested(() => NoPerson) personal_info?: NoPerson | null;
  @Optional()
  @IsNotRepeatedBeside()
  @IsNested(() => PrintedBusinessFinances)
  financial_info?: PrintedBusinessFinances | null;
  @Optional() @IsNotRepeatedBeside() @IsNested(() => BusinessInfo) business_info?: BusinessInfo | null;
}

/** The changes to an individual in the shape of the bus, documents aside. */
export function individualChanges(body: UpdateIndividualBody) {
  const { address, personal_info, financial_info, ...rest } = withoutReadOnly(body);
  return { ...present(rest), ...present(personal_info), ...present(financial_info), ...registeredAddress(address) };
}

/** The changes to a business in the shape of the bus, documents and owners aside. */
export function businessChanges(body: UpdateBusinessBody) {
  const {
    address,
    personal_info: _person,
    financial_info,
    business_info,
    business_owners: _owners,
    ...rest
  } = withoutReadOnly(body);
  const { employment_status: _status, most_recent_occupation: _occupation, ...finances } = present(financial_info);
  return { ...present(rest), ...finances, ...present(business_info), ...registeredAddress(address) };
}

function withoutReadOnly<Body extends ReadOnlyFields & DocumentFields>(body: Body) {
  const {
    id: _i,
    status: _s,
    kyc_status: _k,
    created_at: _c,
    updated_at: _u,
    documents: _d,
    user_documents: _ud,
    ...rest
  } = body;
  return rest;
}

/** Absent and null stay apart: absent leaves a field as it is, null clears it. */
function registeredAddress(address?: ShownAddress | null): { registered_address?: Plain<RegisteredAddress> } {
  if (!address)
    return (address === null ? { registered_address: null } : {}) as { registered_address?: RegisteredAddress };
  if (address instanceof RegisteredAddress) return { registered_address: address };
  const { line_1, line_2, country, ...rest } = address;
  const code = isCountryCode(country) ? country : (countryCode(country) as string);
  return { registered_address: { ...rest, street1: line_1, street2: line_2, country: code } };
}

/** A class's fields are own properties even when they were not sent: those would hide what another object holds. */
function present<Fields extends object>(fields: Fields | null | undefined): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields ?? {}).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}
