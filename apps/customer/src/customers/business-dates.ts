import { BusinessFields } from '@stablecoin/contracts/customer/business-customer';
import { FieldError } from '@stablecoin/contracts/wire/error-codes';
import { Refusal } from '@stablecoin/contracts/wire/refusal';

/** The earliest date of birth or of ownership of a person who owns a business today. A business itself may be older. */
const EARLIEST_OF_A_PERSON = '1900-01-01';
const HOUR_MS = 3_600_000;
/** A date may be tomorrow's in UTC: time zones are up to 14 hours ahead of it. */
const AHEAD_OF_UTC_MS = 14 * HOUR_MS;

/** Refuses dates of a business and its owners that are in the future or before any living person's; all at once. */
export function requireBusinessDates(
  { registration_date, business_owners }: Pick<BusinessFields, 'registration_date' | 'business_owners'>,
  now: Date,
): void {
  const latest = new Date(now.getTime() + AHEAD_OF_UTC_MS).toISOString().slice(0, 10);
  const refused: FieldError[] = [];
  const check = (field: string, day: string | null | undefined, earliest: string) => {
    if (!day || (day >= earliest && day <= latest)) return;
    refused.push({ field, code: 'invalid_date', message: `must be a day that has been, from ${earliest}` });
  };
  check('registration_date', registration_date, '1000-01-01');
  for (const [index, owner] of (business_owners ?? []).entries()) {
    const place = `business_owners.${index}`;
    check(`${place}.date_of_birth`, owner.date_of_birth, EARLIEST_OF_A_PERSON);
    const { relationship_establishment_date: since } = owner;
    check(`${place}.relationship_establishment_date`, since, EARLIEST_OF_A_PERSON);
  }
  if (refused.length > 0) throw new Refusal('validation_failed', refused);
}
