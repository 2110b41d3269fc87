import { IsIncome } from '@stablecoin/contracts/wire/fields/amount';
import { IsOneOf, IsTrueOrFalse } from '@stablecoin/contracts/wire/fields/choice';
import { IsEmailAddress, IsPhone, IsPhoneCountryCode } from '@stablecoin/contracts/wire/fields/contact';
import { IsDay } from '@stablecoin/contracts/wire/fields/date';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsNested, IsNestedList } from '@stablecoin/contracts/wire/fields/nested';
import { IsText, OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { RegisteredAddress } from './address';
import { DocumentReference, DOCUMENTS_MAX } from './document';
import { IsKeyMode, KeyMode } from './key-mode';
import { ACCOUNT_PURPOSES, EMPLOYMENT_STATUSES, SOURCES_OF_FUNDS } from './reference-tables/customer-enums';
import { OCCUPATION_CODES } from './reference-tables/occupations';
import { CustomerView } from './views';

export const MINIMUM_AGE_YEARS = 18;

export class CreateIndividualCustomer extends MerchantCommand {
  /** Decides whether the customer is approved at once; who doesn't say is taken for live, which is not. */
  @IsKeyMode() key_mode: KeyMode = 'live';
  @IsOneOf(['individual']) customer_type: 'individual' = 'individual' as const;
  @IsText({ max: 50 }) first_name: string;
  @OptionalText({ max: 50 }) middle_name?: string | null;
  @IsText({ max: 50 }) last_name: string;
  @IsEmailAddress() email: string;
  @IsPhone() phone: string;
  @Optional() @IsPhoneCountryCode() phone_country_code?: string | null;
  /** YYYY-MM-DD; at least `MINIMUM_AGE_YEARS` ago, which the customer service judges by its own clock. */
  @IsDay() birth_date: string;
  @IsOneOf(ACCOUNT_PURPOSES) account_purpose: string;
  @OptionalText({ max: 1000, lines: true }) account_purpose_explanation?: string | null;
  @IsOneOf(EMPLOYMENT_STATUSES) employment_status: string;
  @IsIncome() expected_monthly_income: string;
  @Optional() @IsIncome() expected_monthly_payments_usd?: string | null;
  @IsOneOf(OCCUPATION_CODES) most_recent_occupation: string;
  @IsOneOf(SOURCES_OF_FUNDS) source_of_funds: string;
  @Optional() @IsTrueOrFalse() acting_as_intermediary?: boolean | null;
  @OptionalText({ max: 100 }) tax_identification_number?: string | null;
  @IsNested(() => RegisteredAddress) registered_address: RegisteredAddress;
  @Optional() @IsNestedList(() => DocumentReference, DOCUMENTS_MAX) documents?: DocumentReference[] | null;
}

export const createIndividualCustomer = operation({
  subject: 'customer.create-individual-customer',
  request: CreateIndividualCustomer,
  reply: replies<CommandReply<CustomerView>>(),
  errors: [
    'not_found',
    'document_used',
    'email_taken',
    'phone_taken',
    'idempotency_key_reused',
    'idempotency_in_flight',
  ],
});
