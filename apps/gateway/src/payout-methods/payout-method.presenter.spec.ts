import { PayoutMethodView } from '@stablecoin/contracts/payout/views';
import { methodPaginationOf, presentPayoutMethod } from './payout-method.presenter';

const common = { id: 'p1', customer_id: null, currency: 'USDT' as const, created_at: 'c', updated_at: 'u' };
const wallet: PayoutMethodView = { ...common, type: 'WALLET', label: null, wallet_address: '0xabc', network: 'erc20' };
const bank: PayoutMethodView = {
  ...common,
  type: 'BANK',
  account_name: 'Ada',
  account_number: '0123456789',
  bank_name: 'GTBank',
  bank_code: '058',
  sort_code: null,
  swift_code: null,
  routing_number: null,
  iban: null,
};

describe('payout method presenter', () => {
  it.each([[wallet], [bank]])('prints the fields of its type, and no other', (view) => {
    expect(presentPayoutMethod(Object.assign({ merchant_id: 'm1' }, view))).toEqual(view);
  });

  it.each([
    [
      { total: 0, page: 1, limit: 20 },
      { totalPages: 0, hasNextPage: false, hasPreviousPage: false },
    ],
    [
      { total: 21, page: 1, limit: 20 },
      { totalPages: 2, hasNextPage: true, hasPreviousPage: false },
    ],
    [
      { total: 21, page: 2, limit: 20 },
      { totalPages: 2, hasNextPage: false, hasPreviousPage: true },
    ],
  ])('%j has %j', (page, expected) => {
    expect(methodPaginationOf({ items: [], ...page })).toEqual({ ...page, ...expected });
  });
});
