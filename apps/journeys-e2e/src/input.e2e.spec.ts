import { randomUUID } from 'node:crypto';
import { individual } from '@stablecoin/testing/person';
import { Client, dataOf, fieldErrorsOf } from './client';
import { covers } from './covers';
import {
  accountNumber,
  address,
  amount,
  amountOrNumber,
  bankCode,
  callingCode,
  country,
  currency,
  currencyCode,
  day,
  email,
  eventTypes,
  httpsUrl,
  income,
  industry,
  Kind,
  lines,
  list,
  network,
  object,
  oneOf,
  optionalText,
  percentage,
  phone,
  routing,
  text,
  trueOrFalse,
  url,
  uuid,
  webhookUrl,
} from './input-fields';
import { newClient } from './merchants';
import { ADDRESSES, business, createBusiness, createIndividual } from './people';
import { ACCOUNT_PURPOSES, EMPLOYMENT_STATUSES, SOURCES_OF_FUNDS } from './reference-values';
import type { Section } from './sections';

/**
 * Every field of every body: what it takes, and whether it may be absent or null. `required`: neither; `kept`: absent,
 * but not null; `optional`: both.
 */
type Fields = Record<string, [Kind, 'required' | 'kept' | 'optional']>;

interface Body {
  route: Section;
  path: string;
  /** A body that would be taken. */
  valid: Record<string, unknown>;
  fields: Fields;
}

const INDIVIDUAL: Fields = {
  customer_type: [oneOf(['individual']), 'kept'],
  first_name: [text(50), 'required'],
  middle_name: [optionalText(50), 'optional'],
  last_name: [text(50), 'required'],
  email: [email, 'required'],
  phone: [phone, 'required'],
  phone_country_code: [callingCode, 'optional'],
  birth_date: [day, 'required'],
  account_purpose: [oneOf(ACCOUNT_PURPOSES), 'required'],
  account_purpose_explanation: [lines(1000), 'optional'],
  employment_status: [oneOf(EMPLOYMENT_STATUSES), 'required'],
  expected_monthly_income: [income, 'required'],
  expected_monthly_payments_usd: [income, 'optional'],
  most_recent_occupation: [oneOf(['15124X', '5370XX', '151251']), 'required'],
  source_of_funds: [oneOf(SOURCES_OF_FUNDS), 'required'],
  acting_as_intermediary: [trueOrFalse, 'optional'],
  tax_identification_number: [optionalText(100), 'optional'],
  registered_address: [object, 'required'],
  documents: [list, 'optional'],
  user_documents: [list, 'optional'],
};

const BUSINESS: Fields = {
  customer_type: [oneOf(['business']), 'kept'],
  business_name: [text(200), 'required'],
  business_type: [optionalText(100), 'optional'],
  business_website: [url, 'optional'],
  email: [email, 'required'],
  phone: [phone, 'required'],
  phone_country_code: [callingCode, 'optional'],
  account_purpose: [optionalText(100), 'optional'],
  account_purpose_explanation: [lines(1000), 'optional'],
  source_of_funds: [optionalText(100), 'optional'],
  expected_monthly_income: [income, 'optional'],
  expected_monthly_payments_usd: [income, 'optional'],
  estimated_annual_revenue_usd: [optionalText(100), 'optional'],
  industry: [industry, 'optional'],
  registered_address: [object, 'optional'],
  trading_name: [optionalText(200), 'optional'],
  nature_of_business: [lines(1000), 'optional'],
  contact_person_email: [email, 'optional'],
  contact_person_phone: [phone, 'optional'],
  operates_in_prohibited_countries: [trueOrFalse, 'optional'],
  is_dao: [trueOrFalse, 'optional'],
  conducts_money_services: [trueOrFalse, 'optional'],
  registration_number: [optionalText(100), 'optional'],
  registration_date: [day, 'optional'],
  tax_identification_number: [optionalText(100), 'optional'],
  business_owners: [list, 'optional'],
  documents: [list, 'optional'],
  user_documents: [list, 'optional'],
};

const PAIR = { from_currency: 'USDT', to_currency: 'NGN' };
const BANK = { account_number: '0123456789', bank_code: '011' };
const customer_id: Fields[string] = [uuid, 'optional'];
const pair: Fields = { from_currency: [currency, 'required'], to_currency: [currency, 'required'] };

const BODIES: Body[] = [
  { route: 'POST /individual-customers', path: '/individual-customers', valid: individual(), fields: INDIVIDUAL },
  {
    route: 'PUT /individual-customers/{customerId}',
    path: `/individual-customers/${randomUUID()}`,
    valid: {},
    fields: inAnUpdate(INDIVIDUAL),
  },
  { route: 'POST /business-customers', path: '/business-customers', valid: business(), fields: BUSINESS },
  {
    route: 'PUT /business-customers/{customerId}',
    path: `/business-customers/${randomUUID()}`,
    valid: {},
    fields: inAnUpdate(BUSINESS),
  },
  {
    route: 'POST /wallets',
    path: '/wallets',
    valid: { currency: 'USDT', network: 'trc20' },
    fields: {
      currency: [currencyCode, 'required'],
      customer_id,
      network: [network, 'required'],
      description: [optionalText(255), 'optional'],
    },
  },
  {
    route: 'POST /instant-swaps',
    path: '/instant-swaps',
    valid: { ...PAIR, amount: '1' },
    fields: { customer_id, ...pair, amount: [amount, 'required'] },
  },
  {
    route: 'POST /swaps/{swapId}/refresh',
    path: `/swaps/${randomUUID()}/refresh`,
    valid: { ...PAIR, from_amount: '1' },
    fields: { customer_id, ...pair, from_amount: [amount, 'required'] },
  },
  {
    route: 'POST /swaps',
    path: '/swaps',
    valid: { ...PAIR, amount: '1' },
    fields: { customer_id, ...pair, amount: [amount, 'required'], quote_id: [uuid, 'optional'] },
  },
  {
    route: 'POST /payouts/banks',
    path: '/payouts/banks',
    valid: { currency: 'USDT', amount: '1', ...BANK, recipient_name: 'Ada' },
    fields: {
      customer_id,
      currency: [currency, 'required'],
      account_number: [accountNumber, 'required'],
      bank_name: [optionalText(100), 'optional'],
      bank_code: [bankCode, 'required'],
      amount: [amount, 'required'],
      recipient_name: [text(100), 'required'],
      recipient_currency: [{ ...currency, bad: [...currency.bad, 'USDT'] }, 'optional'],
      recipient_country: [optionalText(100), 'optional'],
    },
  },
  {
    route: 'POST /payouts/wallets',
    path: '/payouts/wallets',
    valid: { currency: 'USDT', amount: 1, address: ADDRESSES.trc20, network: 'trc20' },
    fields: {
      customer_id,
      currency: [{ ...currency, bad: [...currency.bad, 'USD', 'ngn'] }, 'required'],
      address: [address, 'required'],
      amount: [amountOrNumber, 'required'],
      network: [network, 'required'],
      recipient_name: [optionalText(100), 'optional'],
    },
  },
  {
    route: 'POST /payout/methods/wallets',
    path: '/payout/methods/wallets',
    valid: { currency: 'USDT', wallet_address: ADDRESSES.trc20, network: 'trc20' },
    fields: {
      type: [oneOf(['WALLET']), 'kept'],
      wallet_address: [address, 'required'],
      network: [network, 'required'],
      currency: [{ ...currency, bad: [...currency.bad, 'USD', 'ngn'] }, 'required'],
      customer_id,
      label: [optionalText(100), 'optional'],
    },
  },
  {
    route: 'POST /payout/methods/banks',
    path: '/payout/methods/banks',
    valid: { currency: 'NGN', ...BANK },
    fields: {
      type: [oneOf(['BANK']), 'kept'],
      currency: [currency, 'required'],
      customer_id,
      account_name: [optionalText(100), 'optional'],
      account_number: [accountNumber, 'required'],
      bank_name: [optionalText(100), 'optional'],
      bank_code: [bankCode, 'required'],
      sort_code: [routing('sort_code'), 'optional'],
      swift_code: [routing('swift_code'), 'optional'],
      routing_number: [routing('routing_number'), 'optional'],
      iban: [routing('iban'), 'optional'],
    },
  },
  {
    route: 'DELETE /payout/methods/{payout_method_id}',
    path: `/payout/methods/${randomUUID()}`,
    valid: {},
    fields: { customer_id },
  },
  {
    route: 'POST /webhooks',
    path: '/webhooks',
    valid: { url: 'https://merchant.example/hooks' },
    fields: {
      url: [webhookUrl, 'required'],
      events: [eventTypes, 'optional'],
      description: [optionalText(255), 'optional'],
    },
  },
  {
    route: 'PUT /webhooks/{webhook_id}',
    path: `/webhooks/${randomUUID()}`,
    valid: {},
    fields: {
      url: [webhookUrl, 'kept'],
      events: [eventTypes, 'optional'],
      description: [optionalText(255), 'optional'],
      status: [oneOf(['enabled', 'disabled']), 'kept'],
    },
  },
  {
    route: 'POST /sandbox/deposits',
    path: '/sandbox/deposits',
    valid: { wallet_id: randomUUID(), amount: '1' },
    fields: {
      wallet_id: [uuid, 'required'],
      amount: [amount, 'required'],
      network: [network, 'optional'],
      reference: [optionalText(255), 'optional'],
    },
  },
];

/** Parts of bodies, with the place of each. */
const REGISTERED: Fields = {
  street1: [text(200), 'required'],
  street2: [optionalText(200), 'optional'],
  city: [text(100), 'required'],
  state: [text(100), 'required'],
  postal_code: [optionalText(20), 'optional'],
  country: [country, 'required'],
};
const PRINTED: Fields = {
  line_1: [text(200), 'required'],
  line_2: [optionalText(200), 'optional'],
  city: [text(100), 'required'],
  state: [text(100), 'required'],
  postal_code: [optionalText(20), 'optional'],
  country: [{ code: 'invalid_country', bad: ['', 'XX', 'ng', 'Atlantis', 5] }, 'required'],
};
const DOCUMENT: Fields = {
  doc_type: [text(50), 'required'],
  sub_type: [optionalText(50), 'optional'],
  doc_image: [{ code: 'invalid_document', bad: ['', 'x', 'http://a.example.com/x.png', 5] }, 'required'],
  doc_country: [country, 'optional'],
};
const OWNER: Fields = {
  first_name: [text(50), 'required'],
  last_name: [text(50), 'required'],
  email: [email, 'optional'],
  phone_number: [phone, 'optional'],
  date_of_birth: [day, 'optional'],
  relationship_establishment_date: [day, 'optional'],
  ownership_percentage: [percentage, 'optional'],
  is_control_person: [trueOrFalse, 'optional'],
  is_signer: [trueOrFalse, 'optional'],
  is_beneficial_owner: [trueOrFalse, 'optional'],
  title: [optionalText(100), 'optional'],
  address: [object, 'optional'],
  id_number: [optionalText(100), 'optional'],
  nationality: [country, 'optional'],
  front_image: [httpsUrl, 'optional'],
  back_image: [httpsUrl, 'optional'],
  supporting_documents: [list, 'optional'],
};
const registered = { street1: '12 Marina Road', city: 'Lagos', state: 'Lagos', country: 'NG' };
const printed = { line_1: '12 Marina Road', city: 'Lagos', state: 'Lagos', country: 'Nigeria' };
const passport = { doc_type: 'valid_ids', doc_image: 'https://files.example.com/passport.png' };
const owner = { first_name: 'Ada', last_name: 'Obi' };

const PARTS: [string, string, Record<string, unknown>, Fields, (part: unknown) => Record<string, unknown>][] = [
  [
    'registered_address',
    '/individual-customers',
    registered,
    REGISTERED,
    (registered_address) => ({ registered_address }),
  ],
  [
    'address',
    '/individual-customers/{id}',
    { ...registered, street2: 'Floor 3' },
    REGISTERED,
    (part) => ({ address: part }),
  ],
  ['address', '/individual-customers/{id}', printed, PRINTED, (part) => ({ address: part })],
  ['address', '/business-customers/{id}', printed, PRINTED, (part) => ({ address: part })],
  ['documents.0', '/individual-customers', passport, DOCUMENT, (part) => ({ documents: [part] })],
  ['user_documents.0', '/individual-customers/{id}', passport, DOCUMENT, (part) => ({ user_documents: [part] })],
  ['business_owners.0', '/business-customers', owner, OWNER, (part) => ({ business_owners: [part] })],
  ['business_owners.0', '/business-customers/{id}', owner, OWNER, (part) => ({ business_owners: [part] })],
  [
    'business_owners.0.address',
    '/business-customers',
    registered,
    REGISTERED,
    (part) => ({ business_owners: [{ ...owner, address: part }] }),
  ],
  [
    'business_owners.0.supporting_documents.0',
    '/business-customers',
    passport,
    DOCUMENT,
    (part) => ({ business_owners: [{ ...owner, supporting_documents: [part] }] }),
  ],
];

let merchant: Client;

beforeAll(async () => {
  merchant = await newClient();
});

describe.each(BODIES)('the body of $route', ({ route, path, valid, fields }) => {
  covers('Rules: what text, amounts and dates may be', 'Rules: null, absent and unknown fields');
  covers('Rules: limits of fields');
  const [method = ''] = route.split(' ');
  const errorsOf = (body: unknown) => fieldErrorsOf(merchant.send(method, path, body));

  it.each(Object.entries(fields))('%s', async (name, [kind, need]) => {
    for (const value of kind.bad) {
      const codes = await errorsOf({ ...valid, [name]: value });
      expect([value, codes]).toEqual([value, { [name]: kind.code }]);
    }
    if (need === 'required') expect(await errorsOf({ ...valid, [name]: undefined })).toEqual({ [name]: 'required' });
    if (need !== 'optional') expect(await errorsOf({ ...valid, [name]: null })).toEqual({ [name]: 'required' });
  });

  it('has no other field', async () => {
    const injected = ['merchant_id', 'command_id', 'input_hash', 'shard', 'balance', 'fee'];
    const others = Object.fromEntries(injected.map((name) => [name, randomUUID()]));
    const refused = Object.fromEntries(injected.map((name) => [name, 'unknown_field']));
    expect(await errorsOf({ ...valid, ...others })).toEqual(refused);
  });

  it('names all that is wrong at once', async () => {
    const named = Object.entries(fields).filter(([name]) => name !== 'user_documents');
    const body = Object.fromEntries(named.map(([name, [kind]]) => [name, kind.bad.at(-1)]));
    expect(await errorsOf(body)).toEqual(Object.fromEntries(named.map(([name, [kind]]) => [name, kind.code])));
  });
});

describe.each(PARTS)('%s in the body of %s', (place, path, valid, fields, bodyWith) => {
  covers('Resource: address, both shapes', 'Resource: document', 'Resource: business owner');
  const [create, method] = path.endsWith('{id}') ? [{}, 'PUT'] : [undefined, 'POST'];
  const base = create ?? (path.startsWith('/business') ? business() : individual());
  const concrete = path.replace('{id}', randomUUID());
  const errorsOf = (part: unknown) =>
    fieldErrorsOf(merchant.send(method, concrete, { ...base, ...bodyWith({ ...valid, ...(part as object) }) }));

  it.each(Object.entries(fields))('%s', async (name, [kind, need]) => {
    const field = `${place}.${name}`;
    for (const value of kind.bad) {
      expect([value, await errorsOf({ [name]: value })]).toEqual([value, { [field]: kind.code }]);
    }
    if (need === 'required') expect(await errorsOf({ [name]: undefined })).toEqual({ [field]: 'required' });
    if (need === 'required') expect(await errorsOf({ [name]: null })).toEqual({ [field]: 'required' });
    expect(await errorsOf({ other: 1 })).toEqual({ [`${place}.other`]: 'unknown_field' });
  });
});

describe('what is at its limit is taken', () => {
  covers('Rules: limits of fields', 'PUT /individual-customers/{customerId}', 'PUT /business-customers/{customerId}');
  let person: string;
  let firm: string;

  beforeAll(async () => {
    person = (await createIndividual(merchant)).id;
    firm = (await createBusiness(merchant)).id;
  });

  it.each(Object.entries(INDIVIDUAL).filter(([, [kind]]) => kind.good))('%s of an individual', async (name, [kind]) => {
    for (const value of kind.good ?? []) {
      const { status, body } = await merchant.put(`/individual-customers/${person}`, { [name]: value });
      expect([value, status, body.errors]).toEqual([value, 200, undefined]);
    }
  });

  it.each(Object.entries(BUSINESS).filter(([, [kind]]) => kind.good))('%s of a business', async (name, [kind]) => {
    for (const value of kind.good ?? []) {
      const { status, body } = await merchant.put(`/business-customers/${firm}`, { [name]: value });
      expect([value, status, body.errors]).toEqual([value, 200, undefined]);
    }
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an individual', () => createIndividual(merchant, nulls(INDIVIDUAL))],
    ['a business', () => createBusiness(merchant, nulls(BUSINESS))],
    ['an update of an individual', () => dataOf(merchant.put(`/individual-customers/${person}`, nulls(INDIVIDUAL)))],
    ['an update of a business', () => dataOf(merchant.put(`/business-customers/${firm}`, nulls(BUSINESS)))],
  ])('every optional field as null: %s', async (_what, send) => {
    await send();
  });
});

describe.each(['/instant-swaps', '/payout/methods/wallets', '/payout/methods/banks', '/wallets', '/webhooks'])(
  '%s',
  (path) => {
    it('takes null in each optional field', async () => {
      const { valid, fields } = BODIES.find((body) => body.path === path) as Body;
      await dataOf(merchant.post(path, { ...valid, ...nulls(fields) }));
    });
  },
);

/** In an update nothing need be there; what a record can't be without can't be cleared. */
function inAnUpdate(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, [kind, need]]) => [name, [kind, need === 'required' ? 'kept' : need]]),
  );
}

function nulls(fields: Fields): Record<string, null> {
  const optional = Object.entries(fields).filter(
    ([name, [, need]]) => need === 'optional' && name !== 'user_documents',
  );
  return Object.fromEntries(optional.map(([name]) => [name, null]));
}
