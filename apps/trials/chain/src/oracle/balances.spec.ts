import { Money } from '@stablecoin/money/money';
import { findingsOfBalances } from './balances';

const due = new Map([['w', Money.parse('USDT', '5')]]);

it('finds nothing where a wallet has what came in and did not leave', () => {
  expect(findingsOfBalances(new Map([['w', '5.00000000']]), due)).toEqual([]);
  expect(findingsOfBalances(new Map(), new Map([['w', Money.zero('USDT')]]))).toEqual([]);
});

it.each([
  ['another balance', '4.99999999'],
  ['no balance', undefined],
])('finds a wallet with %s', (_, balance) => {
  expect(findingsOfBalances(new Map(balance ? [['w', balance]] : []), due)).toEqual([
    `wallet w has ${balance ?? 'no balance'} USDT, and 5.00000000 came in and did not leave`,
  ]);
});
