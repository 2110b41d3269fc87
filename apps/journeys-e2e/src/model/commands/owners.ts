/** What the commands are drawn from: few owners, currencies and amounts, so that they meet each other. */
import fc from 'fast-check';
import { Currency, NETWORKS_OF } from '../amounts';
import { CustomerName, CUSTOMERS, MERCHANT, OwnerName } from '../model';

export const customerName = fc.constantFrom(...(Object.keys(CUSTOMERS) as CustomerName[]));
export const ownerName = fc.constantFrom<OwnerName>(
  'Ada',
  'Ada',
  'Ada',
  MERCHANT,
  MERCHANT,
  MERCHANT,
  'Bea',
  'Marina Ltd',
);
export const currency = fc.constantFrom<Currency>(
  'USDT',
  'USDT',
  'USDT',
  'USD',
  'USD',
  'USD',
  'NGN',
  'NGN',
  'USDC',
  'EUR',
);
export const stablecoin = fc.constantFrom<Currency>('USDT', 'USDT', 'USDC');
export const networkOf = (of: Currency) => fc.constantFrom(...NETWORKS_OF[of]);
export const amount = fc.constantFrom(
  '10',
  '10',
  '25.5',
  '1',
  '0.01',
  '100',
  '7.00000001',
  '0.000001',
  '33.3333',
  '2500',
);
/** Which of those there are, counted around. */
export const pick = fc.nat({ max: 9 });
export const isKeyed = fc.boolean();

/** One in eight. */
export const rarely = fc.nat({ max: 7 }).map((drawn) => drawn === 0);

export const picked = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

/** The owner as a request names it: the merchant by leaving it out. */
export const ownerField = (customer_id: string | null) => (customer_id === null ? {} : { customer_id });
