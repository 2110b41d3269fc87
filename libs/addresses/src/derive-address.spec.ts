import { mnemonicToSeedSync } from '@scure/bip39';
import { NETWORKS, type Network } from '@stablecoin/money/currency';
import { DepositAddresses } from './derive-address';
import { isAddress } from './validate-address';

/**
 * The first test mnemonic of BIP-39 (with no passphrase), whose addresses wallets publish: MetaMask for Ethereum, Trust
 * Wallet's wallet-core tests for Tron, Phantom for Solana. The second is the default mnemonic of Hardhat and Anvil.
 */
const ABANDON = `${'abandon '.repeat(11)}about`;
const JUNK = `${'test '.repeat(11)}junk`;

const addresses = new DepositAddresses(mnemonicToSeedSync(ABANDON));

describe('deposit addresses', () => {
  it.each<[string, Network, number, string]>([
    [ABANDON, 'erc20', 0, '0x9858EfFD232B4033E47d90003D41EC34EcaEda94'],
    [ABANDON, 'erc20', 1, '0x6Fac4D18c912343BF86fa7049364Dd4E424Ab9C0'],
    [JUNK, 'erc20', 0, '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'],
    [JUNK, 'erc20', 1, '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'],
    [ABANDON, 'trc20', 0, 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'],
    [ABANDON, 'solana', 0, 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'],
  ])('%s: %s %i is %s', (mnemonic, network, index, address) => {
    expect(new DepositAddresses(mnemonicToSeedSync(mnemonic)).derive(network, index)).toBe(address);
  });

  it.each(NETWORKS)('are valid on %s, differ by index, and repeat', (network) => {
    const indexes = [0, 1, 2, 1_000, 2 ** 31 - 1];
    const derived = indexes.map((index) => addresses.derive(network, index));
    expect(derived.every((address) => isAddress(network, address))).toBe(true);
    expect(new Set(derived).size).toBe(indexes.length);
    expect(indexes.map((index) => addresses.derive(network, index))).toEqual(derived);
  });

  it('are shared by the EVM networks', () => {
    expect(addresses.derive('bep20', 7)).toBe(addresses.derive('erc20', 7));
    expect(addresses.derive('polygon', 7)).toBe(addresses.derive('erc20', 7));
  });

  it.each([-1, 2 ** 31, 0.5, NaN, Infinity])('refuse the index %p on every network', (index) => {
    for (const network of NETWORKS) {
      expect(() => addresses.derive(network, index)).toThrow(RangeError);
    }
  });

  it.each([0, 15, 65])('refuse a seed of %i bytes', (length) => {
    expect(() => new DepositAddresses(new Uint8Array(length))).toThrow(/seed/);
  });

  it('keep neither the seed nor a private key of EVM and Tron', () => {
    const { evmParent, tronParent } = addresses as unknown as Record<string, { privateKey: unknown }>;
    expect([evmParent?.privateKey, tronParent?.privateKey]).toEqual([null, null]);
    expect(Object.keys(addresses).sort()).toEqual(['evmParent', 'solanaParent', 'tronParent']);
  });
});
