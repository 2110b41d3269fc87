/** What the commands are drawn from: few owners, currencies and amounts, so that they meet each other. */
import fc from 'fast-check';
import { Currency } from '../amounts';
import { CustomerName, CUSTOMERS, MERCHANT, Model, OwnerName } from '../model';

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
export const amount = fc.constantFrom(
  ...['10', '10', '10', '1', '1', '25.5', '25.5', '0.01', '33.3333', '7.00000001', '0.000001', '100', '2500'],
);
/** Which of those there are, counted around. */
export const pick = fc.nat({ max: 9 });
export const isKeyed = fc.boolean();

/** One in eight. */
const rarely = fc.nat({ max: 7 }).map((drawn) => drawn === 0);

export const picked = <Item>(items: readonly Item[], index: number): Item => items[index % items.length] as Item;

/** The owner as a request names it: the merchant by leaving it out. */
export const ownerField = (customer_id: string | null) => (customer_id === null ? {} : { customer_id });

/** Whose wallet a command is about, and in which currency: mostly one that is there, sometimes any. */
export interface Account {
  owner: OwnerName;
  currency: Currency;
  /** Of the wallets that there are by then, counted around; undefined: owner and currency as they were drawn. */
  index: number | undefined;
}

export const account: fc.Arbitrary<Account> = fc
  .tuple(ownerName, currency, pick, rarely)
  .map(([owner, of, index, isAny]) => ({ owner, currency: of, index: isAny ? undefined : index }));

/** The account as it turns out to be once the model is known. */
export function accountIn(model: Model, { owner, currency: of, index }: Account): Pick<Account, 'owner' | 'currency'> {
  if (index === undefined || model.wallets.length === 0) return { owner, currency: of };
  return picked(model.wallets, index);
}
