import { inputHashKeyOf } from './input-hash-key';

const [personalDataKey, personalDataPreviousKey, inputHashKey] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte));
const masterKey = { personalDataKey: personalDataKey as Buffer };

describe('the key of input hashes', () => {
  it('is derived from the master key, in the same way by every release', () => {
    expect(inputHashKeyOf(masterKey).toString('base64')).toBe('79dUP7c8MiIJ1Zb1FmjWPcML7hZrx+l8wyRcDfcMivc=');
  });

  it('is the configured one if there is one, also after the master key was changed', () => {
    expect(inputHashKeyOf({ ...masterKey, personalDataPreviousKey, inputHashKey })).toBe(inputHashKey);
  });

  it('must be configured before the master key is changed', () => {
    expect(() => inputHashKeyOf({ ...masterKey, personalDataPreviousKey })).toThrow(
      /^INPUT_HASH_KEY: expected it to be/,
    );
  });
});
