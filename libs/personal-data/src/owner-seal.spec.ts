import { KeyedHash } from './keyed-hash';
import { OwnerSeal } from './owner-seal';
import { PersonalDataUnreadable } from './sealed-bytes';
import { SealingKey } from './sealing-key';

const KEY = Buffer.alloc(32, 7);
const seal = new OwnerSeal('merchant', KEY);
const sealingKeyOf = ({ ownerId, ...owner }: { ownerId: string; seal: OwnerSeal }) =>
  new SealingKey(ownerId, owner.seal.sealingKey().publicKey);
const VALUE = { account_number: '0123456789', recipient_name: 'Ada Òbí' };

describe('what is sealed with the sealing key', () => {
  const sealed = sealingKeyOf({ ownerId: 'merchant', seal }).seal('destination', VALUE);

  it('is opened with the data key, as what was sealed with that is', () => {
    expect(seal.open('destination', sealed)).toEqual(VALUE);
    expect(seal.open('destination', seal.seal('destination', VALUE))).toEqual(VALUE);
  });

  it('tells nothing', () => {
    expect(sealed).toMatch(/^h1\.[\w-]{43}\.[\w-]+$/);
    expect(Buffer.from(sealed.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toMatch(/0123456789|Ada/);
  });

  it('is for ever the same key of the same data key', () => {
    expect(seal.sealingKey().publicKey).toBe('8c9DeN-7HhlciD_tmFfTGehbLslj5NOORi1r4vrImiI');
  });

  const open = (field: string, text: string, by = seal) => {
    expect(() => by.open(field, text)).toThrow(PersonalDataUnreadable);
  };

  it('does not open under another field, for another owner, or with another data key', () => {
    open('other', sealed);
    open('destination', sealed, new OwnerSeal('other', KEY));
    open('destination', sealed, new OwnerSeal('merchant', Buffer.alloc(32, 8)));
    open('destination', sealingKeyOf({ ownerId: 'other', seal }).seal('destination', VALUE));
  });

  it('does not open in another spelling', () => {
    for (const text of [
      `${sealed}.`,
      `${sealed}=`,
      sealed.slice(0, -1),
      sealed.replace('h1.', 'h1..'),
      'h1.',
      'h1.A',
    ]) {
      open('destination', text);
    }
  });

  it('takes no text for a public key that is none', () => {
    expect(() => new SealingKey('merchant', 'AAAA')).toThrow('A public key has 32 bytes');
  });
});

describe('the keyed hash of a text', () => {
  const hashOf = (field: string, text: string, ownerId = 'merchant', key = KEY) =>
    new KeyedHash(ownerId, new OwnerSeal(ownerId, key).hashKey()).of(field, text);

  it('is the same for the same text, for ever, and says nothing of it', () => {
    const hash = hashOf('destination', '0123456789');
    expect(hash).toBe('cfc129bb41e51dbcb2cc0a6979868fbb9d4d1014effcca8951ff031a66965ae9');
    expect(hash).not.toContain('0123456789');
  });

  it.each([
    ['text', hashOf('destination', '0123456780')],
    ['field', hashOf('other', '0123456789')],
    ['owner', hashOf('destination', '0123456789', 'other')],
    ['key', hashOf('destination', '0123456789', 'merchant', Buffer.alloc(32, 8))],
  ])('is another one for another %s', (_what, other) => {
    expect(other).not.toBe(hashOf('destination', '0123456789'));
  });
});
