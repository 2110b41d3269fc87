import { createDataKey, unwrapDataKey, wrapDataKey } from './data-key';
import { openField, sealField } from './sealed-field';
import { PersonalDataUnreadable } from './sealed-bytes';

const masterKey = Buffer.alloc(32, 1);
const dataKey = Buffer.alloc(32, 2);

describe('data keys', () => {
  it('are 32 random bytes', () => {
    const keys = Array.from({ length: 100 }, () => createDataKey());
    expect(keys.every((key) => key.length === 32)).toBe(true);
    expect(new Set(keys.map((key) => key.toString('hex'))).size).toBe(100);
  });

  it('are the same after unwrapping, and each wrapping differs', () => {
    const wrapped = wrapDataKey(masterKey, dataKey, 'owner-1');
    expect(wrapped).toMatch(/^v1\.[A-Za-z0-9_-]{16}\.[A-Za-z0-9_-]{64}$/);
    expect(unwrapDataKey(masterKey, wrapped, 'owner-1')).toEqual(dataKey);
    expect(wrapDataKey(masterKey, dataKey, 'owner-1')).not.toBe(wrapped);
  });

  it.each([
    ['another master key', Buffer.alloc(32, 3), 'owner-1'],
    ['another owner', masterKey, 'owner-2'],
    ['no owner', masterKey, ''],
  ])('stay wrapped under %s', (_case, key, owner) => {
    const wrapped = wrapDataKey(masterKey, dataKey, 'owner-1');
    expect(() => unwrapDataKey(key, wrapped, owner)).toThrow(PersonalDataUnreadable);
  });

  it('are distinct from fields: a wrapped key does not open as a field, nor a field as a key', () => {
    const wrapped = wrapDataKey(masterKey, dataKey, 'owner-1');
    expect(() => openField(masterKey, 'owner-1', '', wrapped)).toThrow(PersonalDataUnreadable);
    const field = sealField(masterKey, 'owner-1', '', dataKey);
    expect(() => unwrapDataKey(masterKey, field, 'owner-1')).toThrow(PersonalDataUnreadable);
  });

  it.each([0, 16, 31, 33])('of %i bytes are refused', (length) => {
    expect(() => wrapDataKey(masterKey, Buffer.alloc(length), 'owner-1')).toThrow('A data key has 32 bytes');
    expect(() => wrapDataKey(Buffer.alloc(length), dataKey, 'owner-1')).toThrow('A key has 32 bytes');
  });
});
