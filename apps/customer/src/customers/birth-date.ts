import { MINIMUM_AGE_YEARS } from '@stablecoin/contracts/customer/create-individual-customer';
import { yearsBefore } from '@stablecoin/contracts/wire/fields/date';
import { Refusal } from '@stablecoin/contracts/wire/refusal';

const EARLIEST = '1900-01-01';

/**
 * Refuses the birth date of a minor, and dates that can't be. A person born on 29 February comes of age on 1 March.
 *
 * @param birthDate a real day, YYYY-MM-DD
 * @param now the day is the UTC one
 */
export function requireOfAge(birthDate: string, now: Date): void {
  const today = now.toISOString().slice(0, 10);
  if (birthDate < EARLIEST || birthDate > today) {
    throw Refusal.ofField('birth_date', 'invalid_date', `must be from ${EARLIEST} to today`);
  }
  if (birthDate > yearsBefore(today, MINIMUM_AGE_YEARS)) {
    throw Refusal.ofField('birth_date', 'too_young', `must be at least ${MINIMUM_AGE_YEARS} years ago`);
  }
}
