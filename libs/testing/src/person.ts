import { randomInt, randomUUID } from 'node:crypto';

/** One pixel. */
export const PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const INDIVIDUAL = {
  first_name: 'Ada',
  last_name: 'Obi',
  birth_date: '1990-05-17',
  account_purpose: 'PERSONAL_OR_LIVING_EXPENSES',
  employment_status: 'SELF_EMPLOYED',
  expected_monthly_income: 2500.5,
  most_recent_occupation: '151251',
  source_of_funds: 'SALARY',
  registered_address: {
    street1: '12 Marina Road',
    city: 'Lagos',
    state: 'Lagos',
    postal_code: '100221',
    country: 'NG',
  },
};

export const uniqueEmail = () => `${randomUUID()}@example.com`;
export const uniquePhone = () => `+234${randomInt(10 ** 9, 10 ** 10)}`;

/** A body that creates an individual; email and phone are new each time. */
export function individual(changes: Record<string, unknown> = {}) {
  return { ...structuredClone(INDIVIDUAL), email: uniqueEmail(), phone: uniquePhone(), ...changes };
}

/** The same with a picture of an identity document. */
export function individualWithDocument() {
  return individual({ documents: [{ doc_type: 'valid_ids', sub_type: 'front', doc_image: PNG, doc_country: 'NG' }] });
}
