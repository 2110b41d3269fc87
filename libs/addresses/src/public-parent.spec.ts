import { HDKey } from '@scure/bip32';
import { DepositAddresses } from './derive-address';
import { PublicEvmParent } from './public-parent';

const SEED = Buffer.alloc(64, 7);
const node = HDKey.fromMasterSeed(SEED).derive(`m/44'/60'/0'/0`);

it('gives the addresses that the seed gives', () => {
  const parent = new PublicEvmParent(node.publicExtendedKey);
  const addresses = new DepositAddresses(SEED);
  for (const index of [0, 1, 77, 2 ** 31 - 1]) expect(parent.address(index)).toBe(addresses.derive('erc20', index));
});

it('takes no private key', () => {
  expect(() => new PublicEvmParent(node.privateExtendedKey)).toThrow('holds no private key');
});
