import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Currency } from '@stablecoin/money/currency';
import { termsOf } from './quote-terms';

const terms = (from: Currency, amount: string, to: Currency, price: string, spreadBasisPoints = 0) =>
  termsOf({ from, to, amount, price, spreadBasisPoints }, 'amount');

describe('the terms of a quote', () => {
  it.each([
    ['USDT', '10', 'NGN', '1538.461538461538', 0, '1538.461538461538', '15384.61000000'],
    ['USDT', '10', 'NGN', '1538.461538461538', 25, '1534.615384615384', '15346.15000000'],
    ['NGN', '1000', 'USDT', '0.00065', 25, '0.000648375', '0.64837500'],
    ['NGN', '0.01', 'USDT', '0.00065', 0, '0.00065', '0.00000600'],
    ['USD', '0.99999999', 'EUR', '1', 0, '1', '0.99000000'],
  ] as const)('%s %s to %s at %s less %i: %s gives %s', (from, amount, to, price, spread, quotedPrice, toAmount) => {
    expect(terms(from, amount, to, price, spread)).toMatchObject({ quotedPrice, toAmount });
  });

  it.each([
    ['NGN', '0.0001', 'USDT', '0.00065', new Refusal('amount_too_small')],
    ['USDT', '0.009', 'USD', '1', new Refusal('amount_too_small')],
    ['USD', '999999999999999999', 'NGN', '1538', new Refusal('validation_failed')],
  ] as const)('%s %s to %s at %s is refused', (from, amount, to, price, refusal) => {
    expect(() => terms(from, amount, to, price)).toThrow(refusal);
  });
});
