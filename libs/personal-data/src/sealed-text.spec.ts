import { OwnerSeal } from './owner-seal';
import { sealedIn, sealText } from './sealed-text';

const seal = new OwnerSeal('merchant', Buffer.alloc(32, 7));

it('is told from text in clear, and opened', () => {
  const text = sealText(seal, 'wallet_description', 'For Ada');
  expect(text).toMatch(/^sealed:v1\./);
  expect(seal.open('wallet_description', sealedIn(text) ?? '')).toBe('For Ada');
  expect(sealedIn('For Ada')).toBeUndefined();
});
