import { OwnerSeal } from './owner-seal';

const KEY = Buffer.alloc(32, 7);
const seal = new OwnerSeal('merchant', KEY);

describe('the keyed hash of a text', () => {
  it('is the same for the same text, and says nothing of it', () => {
    const hash = seal.hashOf('destination', '0123456789');
    expect(new OwnerSeal('merchant', KEY).hashOf('destination', '0123456789')).toBe(hash);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(hash).not.toContain('0123456789');
  });

  it.each([
    ['text', seal.hashOf('destination', '0123456780')],
    ['field', seal.hashOf('other', '0123456789')],
    ['owner', new OwnerSeal('other', KEY).hashOf('destination', '0123456789')],
    ['key', new OwnerSeal('merchant', Buffer.alloc(32, 8)).hashOf('destination', '0123456789')],
  ])('is another one for another %s', (_what, other) => {
    expect(other).not.toBe(seal.hashOf('destination', '0123456789'));
  });
});
