// The bodies of the interface document's examples: whole ones, which the service takes as they are.

const IDENTITY_DOCUMENT =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const INDIVIDUAL_BODIES = {
  'A person with an identity document': {
    customer_type: 'individual',
    first_name: 'Ada',
    last_name: 'Obi',
    birth_date: '1990-05-17',
    email: 'ada@example.com',
    phone: '+2348012345678',
    account_purpose: 'PERSONAL_OR_LIVING_EXPENSES',
    employment_status: 'EMPLOYED',
    expected_monthly_income: '2500',
    most_recent_occupation: '151251',
    source_of_funds: 'SALARY',
    registered_address: {
      street1: '12 Marina Road',
      city: 'Lagos',
      state: 'Lagos',
      postal_code: '100221',
      country: 'NG',
    },
    documents: [{ doc_type: 'valid_ids', sub_type: 'front', doc_country: 'NG', doc_image: IDENTITY_DOCUMENT }],
  },
};

export const INDIVIDUAL_UPDATE_BODIES = {
  'A new address': {
    registered_address: { street1: '7 Broad Street', city: 'Lagos', state: 'Lagos', country: 'NG' },
  },
};

export const BUSINESS_BODIES = {
  'A company with its owner': {
    customer_type: 'business',
    business_name: 'Marina Traders Ltd',
    business_type: 'LIMITED_LIABILITY_COMPANY',
    email: 'office@example.com',
    phone: '+2348012345690',
    account_purpose: 'OPERATING_A_COMPANY',
    source_of_funds: 'SALES_OF_GOODS_AND_SERVICES',
    registration_number: 'RC123456',
    registered_address: { street1: '12 Marina Road', city: 'Lagos', state: 'Lagos', country: 'NG' },
    business_owners: [{ first_name: 'Ngozi', last_name: 'Eze', ownership_percentage: 100, is_control_person: true }],
  },
};

export const BUSINESS_UPDATE_BODIES = {
  'A web site': { business_website: 'https://marina.example.com' },
};
