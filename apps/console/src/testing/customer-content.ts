/** A customer as the screens of merchants and of the operator show it. */
import type { Schema } from '../api/client';
import { CUSTOMER_ID } from './stub-content';

/** As it is shown to who may see nothing personal. */
export const BARE: Schema<'ShownCustomer'> = {
  ...{ id: CUSTOMER_ID, customer_type: 'individual', status: 'active', kyc_status: 'under_review' },
  ...{ created_at: '2026-01-20T09:30:00.000Z', updated_at: '2026-01-31T09:30:00.000Z' },
};
export const CUSTOMER: Schema<'ShownCustomer'> = {
  ...BARE,
  ...{ email: 'nneka.obi@example.com', phone: '+2348031234567' },
  personal_info: { first_name: 'Nneka', middle_name: null, last_name: 'Obi', birth_date: '1990-05-17T00:00:00.000Z' },
  financial_info: {
    ...{ account_purpose: 'Personal or living expenses', employment_status: 'Employed' },
    ...{ expected_monthly_income: '2500.00', most_recent_occupation: 'Financial managers', source_of_funds: 'Salary' },
  },
  address: {
    ...{ line_1: '1 Marina Road', line_2: null, city: 'Lagos', state: 'Lagos', postal_code: '101001' },
    country: 'Nigeria',
  },
};
export const FILE: Schema<'CustomerFile'> = {
  documents: [
    {
      ...{ id: '0190c6f0-7f5b-7c1e-9d2a-0000000000d1', doc_type: 'valid_ids', sub_type: 'front', doc_country: 'NG' },
      ...{ url: null, bytes: 412_345, created_at: '2026-01-20T09:31:00.000Z' },
    },
    {
      ...{ id: '0190c6f0-7f5b-7c1e-9d2a-0000000000d2', doc_type: 'OTHER', sub_type: null, doc_country: null },
      ...{ url: 'https://files.example.com/deed.pdf', bytes: null, created_at: '2026-01-20T09:32:00.000Z' },
    },
  ],
  kyc_history: [
    { kyc_status: 'not_started', changed_at: '2026-01-20T09:30:00.000Z' },
    { kyc_status: 'under_review', changed_at: '2026-01-20T09:32:00.000Z' },
  ],
  documents_are_shown: true,
};
