import fc from 'fast-check';
import { openBytes, openField, sealBytes, sealField } from './sealed-field';
import { authenticatedData, PersonalDataUnreadable } from './sealed-bytes';

const key = Buffer.alloc(32, 1);
const owner = '5f0c7b1e-9d3a-4c5e-8f21-0a1b2c3d4e5f';
const field = 'email';
const secret = 'ada@example.com';

describe('sealed fields', () => {
  it('give back every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string(), fc.string(), (text, ownerId, fieldName) => {
        expect(openField(key, ownerId, fieldName, sealField(key, ownerId, fieldName, text))).toBe(text);
      }),
    );
  });

  it('show nothing of the text and never repeat', () => {
    const sealed = sealField(key, owner, field, secret);
    expect(sealed).toMatch(/^v1\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]+$/);
    expect(Buffer.from(String(sealed.split('.')[2]), 'base64url').includes('ada')).toBe(false);
    expect(sealField(key, owner, field, secret)).not.toBe(sealed);
  });

  it.each([
    ['another key', Buffer.alloc(32, 2), owner, field],
    ['another owner', key, '5f0c7b1e-9d3a-4c5e-8f21-0a1b2c3d4e50', field],
    ['another field', key, owner, 'phone'],
    ['the boundary between owner and field moved', key, `${owner}e`, 'mail'],
    ['owner and field swapped', key, field, owner],
  ])('do not open under %s', (_case, otherKey, otherOwner, otherField) => {
    expect(() => openField(otherKey, otherOwner, otherField, sealField(key, owner, field, secret))).toThrow(
      PersonalDataUnreadable,
    );
    const sealedBytes = sealBytes(key, owner, field, Buffer.from(secret));
    expect(() => openBytes(otherKey, otherOwner, otherField, sealedBytes)).toThrow(PersonalDataUnreadable);
  });

  const parts = (sealed: string) => sealed.split('.') as [string, string, string];
  it.each<[string, (sealed: string) => string]>([
    ['nothing', () => ''],
    ['plain text', () => secret],
    ['another version', (sealed) => sealed.replace('v1', 'v2')],
    ['no version', (sealed) => sealed.slice(3)],
    ['a fourth part', (sealed) => `${sealed}.AA`],
    ['a missing body', (sealed) => parts(sealed).slice(0, 2).join('.')],
    ['an empty body', (sealed) => `v1.${parts(sealed)[1]}.`],
    ['an empty nonce', (sealed) => `v1..${parts(sealed)[2]}`],
    ['a shorter nonce', (sealed) => `v1.${parts(sealed)[1].slice(4)}.${parts(sealed)[2]}`],
    ['a longer nonce', (sealed) => `v1.AAAA${parts(sealed)[1]}.${parts(sealed)[2]}`],
    ['another nonce', (sealed) => `v1.${'A'.repeat(16)}.${parts(sealed)[2]}`],
    ['a tag cut short', (sealed) => sealed.slice(0, -4)],
    ['only a tag', (sealed) => `v1.${parts(sealed)[1]}.${'A'.repeat(22)}`],
    ['an appended byte', (sealed) => `${sealed}AA`],
    ['padding', (sealed) => `${sealed}=`],
    ['a space', (sealed) => `${sealed} `],
    ['a foreign character', (sealed) => `v1.${parts(sealed)[1]}.*${parts(sealed)[2]}`],
  ])('do not open after tampering: %s', (_case, tamper) => {
    expect(() => openField(key, owner, field, tamper(sealField(key, owner, field, secret)))).toThrow(
      PersonalDataUnreadable,
    );
  });

  it('do not open after any one character was changed', () => {
    const sealed = sealField(key, owner, field, secret);
    for (let i = 0; i < sealed.length; i++) {
      const changed = sealed.slice(0, i) + (sealed[i] === 'A' ? 'B' : 'A') + sealed.slice(i + 1);
      expect(() => openField(key, owner, field, changed)).toThrow(PersonalDataUnreadable);
    }
  });

  it.each([0, 16, 31, 33])('a key of %i bytes is a bug, not unreadable data', (length) => {
    const short = Buffer.alloc(length);
    expect(() => sealField(short, owner, field, secret)).toThrow('A key has 32 bytes');
    expect(() => openField(short, owner, field, sealField(key, owner, field, secret))).toThrow('A key has 32 bytes');
    expect(() => openBytes(short, owner, field, sealBytes(key, owner, field, key))).toThrow('A key has 32 bytes');
  });
});

describe('sealed documents', () => {
  it('give back every byte', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        const sealed = sealBytes(key, owner, field, Buffer.from(bytes));
        expect(sealed.length).toBe(bytes.length + 29);
        expect(openBytes(key, owner, field, sealed)).toEqual(Buffer.from(bytes));
      }),
    );
  });

  it('do not open after any one byte was changed, cut or added', () => {
    const sealed = sealBytes(key, owner, field, Buffer.from(secret));
    for (let i = 0; i < sealed.length; i++) {
      const changed = Buffer.from(sealed);
      changed[i] = (changed[i] ?? 0) ^ 1;
      expect(() => openBytes(key, owner, field, changed)).toThrow(PersonalDataUnreadable);
      expect(() => openBytes(key, owner, field, sealed.subarray(0, i))).toThrow(PersonalDataUnreadable);
    }
    expect(() => openBytes(key, owner, field, Buffer.concat([sealed, Buffer.of(0)]))).toThrow(PersonalDataUnreadable);
  });
});

describe('authenticated data', () => {
  it('differs whenever the context differs', () => {
    const part = fc.string({ maxLength: 4 });
    fc.assert(
      fc.property(fc.tuple(part, part, part), fc.tuple(part, part, part), (a, b) => {
        const same = a.every((text, i) => text === b[i]);
        expect(authenticatedData(a).equals(authenticatedData(b))).toBe(same);
      }),
    );
  });

  it('puts every part after its length', () => {
    expect(authenticatedData(['field', 'é', '']).toString('hex')).toBe(
      `00000002${hex('v1')}00000005${hex('field')}00000002${hex('é')}00000000`,
    );
  });
});

function hex(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex');
}
