import { ed25519 } from '@noble/curves/ed25519';
import { hardenedChild, masterNode } from './slip10';

/** Test vectors of SLIP-0010 for ed25519, https://github.com/satoshilabs/slips/blob/master/slip-0010.md. */
const VECTOR_1 = '000102030405060708090a0b0c0d0e0f';
const VECTOR_2 =
  'fffcf9f6f3f0edeae7e4e1dedbd8d5d2cfccc9c6c3c0bdbab7b4b1aeaba8a5a2' +
  '9f9c999693908d8a8784817e7b7875726f6c696663605d5a5754514e4b484542';

describe('SLIP-0010 on ed25519', () => {
  it.each([
    {
      seed: VECTOR_1,
      path: [],
      chainCode: '90046a93de5380a72b5e45010748567d5ea02bbf6522f979e05c0d8d8ca9fffb',
      privateKey: '2b4be7f19ee27bbf30c667b642d5f4aa69fd169872f8fc3059c08ebae2eb19e7',
      publicKey: 'a4b2856bfec510abab89753fac1ac0e1112364e7d250545963f135f2a33188ed',
    },
    {
      seed: VECTOR_1,
      path: [0],
      chainCode: '8b59aa11380b624e81507a27fedda59fea6d0b779a778918a2fd3590e16e9c69',
      privateKey: '68e0fe46dfb67e368c75379acec591dad19df3cde26e63b93a8e704f1dade7a3',
      publicKey: '8c8a13df77a28f3445213a0f432fde644acaa215fc72dcdf300d5efaa85d350c',
    },
    {
      seed: VECTOR_1,
      path: [0, 1, 2, 2, 1_000_000_000],
      chainCode: '68789923a0cac2cd5a29172a475fe9e0fb14cd6adb5ad98a3fa70333e7afa230',
      privateKey: '8f94d394a8e8fd6b1bc2f3f49f5c47e385281d5c17e65324b0f62483e37e8793',
      publicKey: '3c24da049451555d51a7014a37337aa4e12d41e485abccfa46b47dfb2af54b7a',
    },
    {
      seed: VECTOR_2,
      path: [0, 2_147_483_647],
      chainCode: '138f0b2551bcafeca6ff2aa88ba8ed0ed8de070841f0c4ef0165df8181eaad7f',
      privateKey: 'ea4f5bfe8694d8bb74b7b59404632fd5968b774ed545e810de9c32a4fb4192f4',
      publicKey: '5ba3b9ac6e90e83effcd25ac4e58a1365a9e35a3d3ae5eb07b9e4d90bcf7506d',
    },
  ])('$seed at $path', ({ seed, path, chainCode, privateKey, publicKey }) => {
    const node = path.reduce(hardenedChild, masterNode(Buffer.from(seed, 'hex')));
    expect(hex(node.chainCode)).toBe(chainCode);
    expect(hex(node.privateKey)).toBe(privateKey);
    expect(hex(ed25519.getPublicKey(node.privateKey))).toBe(publicKey);
  });
});

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
