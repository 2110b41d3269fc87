import { webcrypto } from 'node:crypto';
import { offeredPayout, offeredSwap } from '../testing/order-content';
import { isOfItsTerms } from './offer';

beforeAll(() => Object.defineProperty(globalThis, 'crypto', { value: webcrypto, configurable: true }));

describe('what is shown', () => {
  const payout = offeredPayout({ amount: '5', recipient_name: 'Ada', account_number: '0123456789' });

  it('is what the passkey would sign, as the ledger computes it', async () => {
    expect(await isOfItsTerms(payout)).toBe(true);
    expect(await isOfItsTerms(offeredSwap({ amount: '5' }))).toBe(true);
  });

  it.each([
    ['another amount', { terms: { ...payout.terms, amount: '6.00000000' } }],
    ['a term more', { terms: { ...payout.terms, note: 'more' } }],
    ['another hash', { hash: 'ab'.repeat(32) }],
    ['another challenge', { options: { challenge: Buffer.alloc(32, 1).toString('base64url') } }],
    ['no challenge', { options: {} }],
  ])('is not, with %s', async (_name, over) => {
    expect(await isOfItsTerms({ ...payout, ...over })).toBe(false);
  });
});
