import { HDKey } from '@scure/bip32';
import { mnemonicToSeedSync } from '@scure/bip39';
import { NETWORKS } from '@stablecoin/money/currency';
import { DepositAddresses } from './derive-address';
import { extendedPublicKey } from './extended-public-key';
import { AddressesExhausted, PublicDepositAddresses, PublicParents } from './public-addresses';

const SEED = mnemonicToSeedSync(`${'abandon '.repeat(11)}about`);
const seeded = new DepositAddresses(SEED);
const master = HDKey.fromMasterSeed(SEED);
const parentOf = (path: string) => extendedPublicKey(master.derive(path).publicExtendedKey);
const parents: PublicParents = {
  evmParent: parentOf(`m/44'/60'/0'/0`),
  tronParent: parentOf(`m/44'/195'/0'/0`),
  solanaPool: [0, 1, 2].map((index) => seeded.derive('solana', index)),
};
const addresses = new PublicDepositAddresses(parents);

describe('deposit addresses of public parents', () => {
  it.each(NETWORKS)('on %s are those of the seed', (network) => {
    for (const index of [0, 1, 2]) expect(addresses.derive(network, index)).toBe(seeded.derive(network, index));
  });

  it('on EVM networks and Tron go on to the last index', () => {
    for (const network of ['erc20', 'trc20'] as const)
      expect(addresses.derive(network, 2 ** 31 - 1)).toBe(seeded.derive(network, 2 ** 31 - 1));
  });

  it('end with the pool on Solana, and are not there on Tron without its parent', () => {
    expect(() => addresses.derive('solana', 3)).toThrow(AddressesExhausted);
    const withoutTron = new PublicDepositAddresses({ ...parents, tronParent: null });
    expect(() => withoutTron.derive('trc20', 0)).toThrow('there is no deposit address left on trc20');
  });

  it.each([-1, 2 ** 31, 0.5, NaN])('refuse the index %p', (index) => {
    for (const network of NETWORKS) expect(() => addresses.derive(network, index)).toThrow(RangeError);
  });
});

describe('an extended public key', () => {
  const { privateExtendedKey, publicExtendedKey } = master;

  it('is read as it is written', () =>
    expect(extendedPublicKey(publicExtendedKey).publicExtendedKey).toBe(publicExtendedKey));

  it.each([
    ['a private one', privateExtendedKey],
    ['one with a slip in it', publicExtendedKey.replace(/.$/, '1')],
    ['nothing', ''],
  ])('is not %s', (_, text) => expect(() => extendedPublicKey(text)).toThrow('an extended public key (xpub)'));
});
