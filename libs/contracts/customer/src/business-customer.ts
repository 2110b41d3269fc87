import { IsIncome } from '@stablecoin/contracts/wire/fields/amount';
import { IsNumberBetween, IsOneOf, IsTrueOrFalse } from '@stablecoin/contracts/wire/fields/choice';
import { IsEmailAddress, IsHttpUrl, IsPhone, IsPhoneCountryCode } from '@stablecoin/contracts/wire/fields/contact';
import { IsDay } from '@stablecoin/contracts/wire/fields/date';
import { Optional } from '@stablecoin/contracts/wire/fields/field';
import { IsUuid } from '@stablecoin/contracts/wire/fields/identifiers';
import { IsNested, IsNestedList } from '@stablecoin/contracts/wire/fields/nested';
import { IsText, MatchesPattern, OptionalText } from '@stablecoin/contracts/wire/fields/text';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { IsCountryCode, Kept, RegisteredAddress } from './address';
import { DocumentReference, DOCUMENTS_MAX } from './document';
import { IsKeyMode, KeyMode } from './key-mode';
import { CustomerView } from './views';

export const BUSINESS_OWNERS_MAX = 50;

/** A person who owns or runs the business. */
export class BusinessOwner {
  @IsText({ max: 50 }) first_name: string;
  @IsText({ max: 50 }) last_name: string;
  @Optional() @IsEmailAddress() email?: string | null;
  @Optional() @IsPhone() phone_number?: string | null;
  @Optional() @IsDay() date_of_birth?: string | null;
  @Optional() @IsDay() relationship_establishment_date?: string | null;
  @Optional() @IsNumberBetween(0, 100) ownership_percentage?: number | null;
  @Optional() @IsTrueOrFalse() is_control_person?: boolean | null;
  @Optional() @IsTrueOrFalse() is_signer?: boolean | null;
  @Optional() @IsTrueOrFalse() is_beneficial_owner?: boolean | null;
  @OptionalText({ max: 100 }) title?: string | null;
  @Optional() @IsNested(() => RegisteredAddress) address?: RegisteredAddress | null;
  @OptionalText({ max: 100 }) id_number?: string | null;
  @Optional() @IsCountryCode() nationality?: string | null;
  @Optional() @IsHttpUrl({ httpsOnly: true }) front_image?: string | null;
  @Optional() @IsHttpUrl({ httpsOnly: true }) back_image?: string | null;
  @Optional() @IsNestedList(() => DocumentReference, DOCUMENTS_MAX) supporting_documents?: DocumentReference[] | null;
}

/** What create and update share; the value sets are open, so these are texts. */
export class BusinessFields extends MerchantCommand {
  @Kept(IsOneOf(['business'])) customer_type?: 'business';
  @OptionalText({ max: 100 }) business_type?: string | null;
  @Optional() @IsHttpUrl() business_website?: string | null;
  @Optional() @IsPhoneCountryCode() phone_country_code?: string | null;
  @OptionalText({ max: 100 }) account_purpose?: string | null;
  @OptionalText({ max: 1000, lines: true }) account_purpose_explanation?: string | null;
  @OptionalText({ max: 100 }) source_of_funds?: string | null;
  @Optional() @IsIncome() expected_monthly_income?: string | null;
  @Optional() @IsIncome() expected_monthly_payments_usd?: string | null;
  @OptionalText({ max: 100 }) estimated_annual_revenue_usd?: string | null;
  @Optional()
  @MatchesPattern({ pattern: /^\d{6}$/, code: 'invalid_industry', message: 'must be a six-digit code' })
  industry?: string | null;
  @Optional() @IsNested(() => RegisteredAddress) registered_address?: RegisteredAddress | null;
  @OptionalText({ max: 200 }) trading_name?: string | null;
  @OptionalText({ max: 1000, lines: true }) nature_of_business?: string | null;
  @Optional() @IsEmailAddress() contact_person_email?: string | null;
  @Optional() @IsPhone() contact_person_phone?: string | null;
  @Optional() @IsTrueOrFalse() operates_in_prohibited_countries?: boolean | null;
  @Optional() @IsTrueOrFalse() is_dao?: boolean | null;
  @Optional() @IsTrueOrFalse() conducts_money_services?: boolean | null;
  @OptionalText({ max: 100 }) registration_number?: string | null;
  @Optional() @IsDay() registration_date?: string | null;
  @OptionalText({ max: 100 }) tax_identification_number?: string | null;
  @Optional() @IsNestedList(() => BusinessOwner, BUSINESS_OWNERS_MAX) business_owners?: BusinessOwner[] | null;
  @Optional() @IsNestedList(() => DocumentReference, DOCUMENTS_MAX) documents?: DocumentReference[] | null;
}

export class CreateBusinessCustomer extends BusinessFields {
  /** Decides whether the customer is approved at once; who doesn't say is taken for live, which is not. */
  @IsKeyMode() key_mode: KeyMode = 'live';
  @IsText({ max: 200 }) business_name: string;
  @IsEmailAddress() email: string;
  @IsPhone() phone: string;
}

/** An absent field stays unchanged; null clears a field that a record need not have. Documents are added. */
export class UpdateBusinessCustomer extends BusinessFields {
  @IsUuid() customer_id: string;
  @Kept(IsText({ max: 200 })) business_name?: string;
  @Kept(IsEmailAddress()) email?: string;
  @Kept(IsPhone()) phone?: string;
}

export const createBusinessCustomer = operation({
  subject: 'customer.create-business-customer',
  request: CreateBusinessCustomer,
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

export const updateBusinessCustomer = operation({
  subject: 'customer.update-business-customer',
  request: UpdateBusinessCustomer,
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
