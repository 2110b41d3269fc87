import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HDKey } from '@scure/bip32';
import { DepositAddresses } from '@stablecoin/addresses/derive-address';
import { AddressSettings, configuredAddresses } from './configured-addresses';

const SEED = Buffer.alloc(64, 1);
const seeded = new DepositAddresses(SEED);
const parent = (path: string) => HDKey.fromMasterSeed(SEED).derive(path).wipePrivateData();
const NONE: AddressSettings = {
  ...{ depositSeed: null, depositEvmParent: null, depositTronParent: null, depositSolanaPool: null },
};
const PARENTS: AddressSettings = {
  ...{ ...NONE, depositEvmParent: parent(`m/44'/60'/0'/0`), depositTronParent: parent(`m/44'/195'/0'/0`) },
};

const folder = mkdtempSync(join(tmpdir(), 'pool-'));
afterAll(() => rmSync(folder, { recursive: true }));

function withPool(text: string): AddressSettings {
  const depositSolanaPool = join(folder, 'pool.txt');
  writeFileSync(depositSolanaPool, text);
  return { ...PARENTS, depositSolanaPool };
}
const solana = (index: number) => seeded.derive('solana', index);

it('gives the same addresses for the seed as for its parents and pool', () => {
  const ofSeed = configuredAddresses({ ...NONE, depositSeed: SEED });
  const ofParents = configuredAddresses(withPool(`${solana(0)}\n${solana(1)}\n`));
  for (const network of ['erc20', 'trc20', 'solana'] as const)
    expect(ofParents.derive(network, 1)).toBe(ofSeed.derive(network, 1));
});

it.each<[string, () => AddressSettings, RegExp]>([
  ['neither seed nor parents', () => NONE, /DEPOSIT_EVM_PARENT/],
  ['the seed beside parents', () => ({ ...PARENTS, depositSeed: SEED }), /take the seed away/],
  [
    'a pool with a line that is no address',
    () => withPool(`${solana(0)}\n\n${solana(1)}\n`),
    /line 2 of .* is no address/,
  ],
  ['a pool with an address twice', () => withPool(`${solana(0)}\n${solana(0)}`), /twice/],
  ['a pool that is not there', () => ({ ...PARENTS, depositSolanaPool: join(folder, 'none') }), /can't be read/],
])('does not start with %s', (_, settings, message) => expect(() => configuredAddresses(settings())).toThrow(message));
