/** What merchants of the model may pay out; every third may pay out whatever it has. */
import { Currency } from './amounts';

export interface Limit {
  currency: Currency;
  per: 'merchant' | 'customer' | 'destination';
  /** Of the periods only their beginning is tried: no sequence lasts an hour. */
  within: 'payment' | 'hour' | 'day';
  amount?: string;
  count?: number;
}

export interface Policy {
  limits: readonly Limit[];
  new_destination_wait_seconds: 0;
  approval?: {
    above: readonly { currency: Currency; amount: string }[];
    new_destination: false;
    new_rail: false;
    approvers: 1;
    expires_after_seconds: 86_400;
  };
}

const CURRENCIES: readonly Currency[] = ['USDT', 'USD', 'NGN', 'USDC', 'EUR'];
const ofEach = <Made>(make: (currency: Currency) => Made): Made[] => CURRENCIES.map(make);

/** Low, so that sequences of a few payouts meet them. */
const LIMITED: Policy = {
  limits: [
    ...ofEach((currency): Limit => ({ currency, per: 'merchant', within: 'day', amount: '150', count: 12 })),
    ...ofEach((currency): Limit => ({ currency, per: 'customer', within: 'hour', amount: '60' })),
    ...ofEach((currency): Limit => ({ currency, per: 'destination', within: 'hour', count: 4 })),
  ],
  new_destination_wait_seconds: 0,
};

/** No euro goes out. */
const APPROVED: Policy = {
  limits: CURRENCIES.filter((currency) => currency !== 'EUR').map((currency): Limit => ({
    currency,
    per: 'merchant',
    within: 'payment',
    amount: '2000',
  })),
  new_destination_wait_seconds: 0,
  approval: {
    ...{ above: ofEach((currency) => ({ currency, amount: '9.99' })), new_destination: false, new_rail: false },
    ...{ approvers: 1, expires_after_seconds: 86_400 },
  },
};

export const POLICIES: readonly (Policy | null)[] = [null, LIMITED, APPROVED, LIMITED];
