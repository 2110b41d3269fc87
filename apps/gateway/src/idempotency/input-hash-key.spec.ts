import { inputHashKeyOf } from './input-hash-key';

const [personalDataKey, personalDataPreviousKey, inputHashKey] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte));
const masterKey = { personalDataKey: personalDataKey as Buffer };

describe('the key of input hashes', () => {
  it('follows from the master key, and stays so between releases', () => {
    expect(inputHashKeyOf(masterKey).toString('base64')).toBe('79dUP7c8MiIJ1Zb1FmjWPcML7hZrx+l8wyRcDfcMivc=');
  });

  it('is one of its own where one is set, whatever becomes of the master key', () => {
    expect(inputHashKeyOf({ ...masterKey, personalDataPreviousKey, inputHashKey })).toBe(inputHashKey);
  });

  it('must be one of its own before the master key is changed', () => {
    expect(() => inputHashKeyOf({ ...masterKey, personalDataPreviousKey })).toThrow(
      /^INPUT_HASH_KEY: expected it to be/,
    );
  });
});
