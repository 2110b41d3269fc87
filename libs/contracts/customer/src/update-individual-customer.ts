import { IsIncome } from '@stablecoin/contracts/wire/fields/amount';
import { IsOneOf, IsTrueOrFalse } from '@stablecoin/contracts/wire/fields/choice';
import { IsEmailAddress, IsPhone, IsPhoneCountryCode } from '@stablecoin/contracts/wire/fields/contact';
import { IsDay } from '@stablecoin/contracts/wire/fields/date';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsNested, IsNestedList } from '@stablecoin/contracts/wire/fields/nested';
import { IsText, OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { Kept, RegisteredAddress } from './address';
import { DocumentReference, DOCUMENTS_MAX } from './document';
import { ACCOUNT_PURPOSES, EMPLOYMENT_STATUSES, SOURCES_OF_FUNDS } from './reference-tables/customer-enums';
import { OCCUPATION_CODES } from './reference-tables/occupations';
import { CustomerView } from './views';

/** An absent field stays unchanged; null clears a field that a record need not have. Documents are added. */
export class UpdateIndividualCustomer extends MerchantCommand {
  @IsUuid() customer_id: string;
  @Kept(IsOneOf(['individual'])) customer_type?: 'individual';
  @Kept(IsText({ max: 50 })) first_name?: string;
  @OptionalText({ max: 50 }) middle_name?: string | null;
  @Kept(IsText({ max: 50 })) last_name?: string;
  @Kept(IsEmailAddress()) email?: string;
  @Kept(IsPhone()) phone?: string;
  @Optional() @IsPhoneCountryCode() phone_country_code?: string | null;
  @Kept(IsDay()) birth_date?: string;
  @Kept(IsOneOf(ACCOUNT_PURPOSES)) account_purpose?: string;
  @OptionalText({ max: 1000, lines: true }) account_purpose_explanation?: string | null;
  @Kept(IsOneOf(EMPLOYMENT_STATUSES)) employment_status?: string;
  @Kept(IsIncome()) expected_monthly_income?: string;
  @Optional() @IsIncome() expected_monthly_payments_usd?: string | null;
  @Kept(IsOneOf(OCCUPATION_CODES)) most_recent_occupation?: string;
  @Kept(IsOneOf(SOURCES_OF_FUNDS)) source_of_funds?: string;
  @Optional() @IsTrueOrFalse() acting_as_intermediary?: boolean | null;
  @OptionalText({ max: 100 }) tax_identification_number?: string | null;
  @Kept(IsNested(() => RegisteredAddress)) registered_address?: RegisteredAddress;
  @Optional() @IsNestedList(() => DocumentReference, DOCUMENTS_MAX) documents?: DocumentReference[] | null;
}

export const updateIndividualCustomer = operation({
  subject: 'customer.update-individual-customer',
  request: UpdateIndividualCustomer,
  reply: replies<CommandReply<CustomerView>>(),
  errors: [
    'not_found',
    'customer_type_mismatch',
    'customer_closed',
    'document_used',
    'email_taken',
    'phone_taken',
    'idempotency_key_reused',
    'idempotency_in_flight',
  ],
});
