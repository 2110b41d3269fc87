import { blindIndex } from './blind-index';

const key = Buffer.alloc(32, 1);
const index = blindIndex(key, 'email', 'ada@example.com');

describe('blindIndex', () => {
  it('is the same for the same value, in every release', () => {
    expect(blindIndex(key, 'email', 'ada@example.com')).toBe(index);
    expect(index).toBe('50I3vABtTB8MRhhqe8wjAmIzOj1PrkXY-eh-CIX9Dz4');
  });

  it('is 43 characters of base64url', () => {
    expect(index).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it.each([
    ['another key', Buffer.alloc(32, 2), 'email', 'ada@example.com'],
    ['another kind', key, 'phone', 'ada@example.com'],
    ['another value', key, 'email', 'ada@example.org'],
    ['another case', key, 'email', 'Ada@example.com'],
    ['the boundary between kind and value moved', key, 'emaila', 'da@example.com'],
    ['a kind that imitates the separator', key, 'email","ada@example.com', ''],
  ])('differs under %s', (_case, otherKey, kind, value) => {
    expect(blindIndex(otherKey, kind, value)).not.toBe(index);
  });

  it.each([0, 16, 31, 33])('refuses a key of %i bytes', (length) => {
    expect(() => blindIndex(Buffer.alloc(length), 'email', 'x')).toThrow('A key has 32 bytes');
  });
});
