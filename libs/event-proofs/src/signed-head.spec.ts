import { isHeadSigned, readHeadSignature, signHead } from './signed-head';
import { NoteSigner } from './signed-note';

const origin = 'ledger.test/shard/0';
const signer = new NoteSigner(origin, Buffer.alloc(32, 1));
const keys = [{ publicKey: signer.publicKey }];
const hash = Buffer.alloc(32, 5);
const read = (bytes: Uint8Array) => {
  const signature = readHeadSignature(bytes);
  if (!signature) throw new Error('no signature');
  return signature;
};

describe('the signature of a head', () => {
  const bytes = signHead({ position: 2 ** 40, hash }, signer);

  it('names its key and its position, and is valid for that hash and log alone', () => {
    const signature = read(bytes);
    expect(signature).toMatchObject({ keyId: signer.keyId, position: 2 ** 40 });
    expect(isHeadSigned(signature, hash, origin, keys)).toBe(true);
    expect(isHeadSigned(signature, Buffer.alloc(32, 6), origin, keys)).toBe(false);
    expect(isHeadSigned({ ...signature, position: 2 ** 40 + 1 }, hash, origin, keys)).toBe(false);
  });

  it('of another log, or by a key that is not known, can’t be judged', () => {
    const other = new NoteSigner(origin, Buffer.alloc(32, 2));
    expect(isHeadSigned(read(bytes), hash, origin, [{ publicKey: other.publicKey }])).toBeUndefined();
    expect(isHeadSigned(read(bytes), hash, 'ledger.test/shard/1', keys)).toBeUndefined();
    expect(
      isHeadSigned(read(bytes), hash, origin, [{ name: 'elsewhere', publicKey: signer.publicKey }]),
    ).toBeUndefined();
  });

  it('is refused where a byte differs, and bytes of another length are none', () => {
    for (let index = 12; index < bytes.length; index += 7) {
      const changed = Buffer.from(bytes);
      changed[index] = 255 - (changed[index] ?? 0);
      expect(isHeadSigned(read(changed), hash, origin, keys)).toBe(false);
    }
    expect(readHeadSignature(bytes.subarray(1))).toBeUndefined();
    expect(readHeadSignature(Buffer.alloc(0))).toBeUndefined();
  });
});
