import type { Schema } from '../api/client';

type Customer = Schema<'ShownCustomer'>;

export const KYC_WORDS: Readonly<Record<Schema<'KycStatus'>, string>> = {
  ...{ not_started: 'Not started', under_review: 'Under review', approved: 'Approved', rejected: 'Rejected' },
};
export const CUSTOMER_TYPE_WORDS = { individual: 'Individual', business: 'Business' } as const;
export const CUSTOMER_STATUS_WORDS = { active: 'Active', closed: 'Closed' } as const;

/** Undefined where the person may not see it. */
export function nameOf({ business_info: business, personal_info: person }: Customer): string | undefined {
  if (business !== undefined) return business.business_name;
  if (person === undefined) return undefined;
  return [person.first_name, person.middle_name, person.last_name].filter((part) => part !== null).join(' ');
}

/** `valid_ids` as people write it. */
export const readable = (code: string): string => {
  const text = code.replaceAll('_', ' ').toLowerCase();
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};

const KIBIBYTE = 1024;

export function sizeText(bytes: number): string {
  if (bytes < KIBIBYTE) return `${bytes} B`;
  const [size, unit] = bytes < KIBIBYTE ** 2 ? [bytes / KIBIBYTE, 'KiB'] : [bytes / KIBIBYTE ** 2, 'MiB'];
  return `${size.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`;
}
