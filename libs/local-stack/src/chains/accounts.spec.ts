import { addressOfKey, hotWalletAddress } from './accounts';

/** Hardhat's and anvil's first account, published with its key. */
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
/** The seed of the BIP-39 mnemonic "abandon … about" with no passphrase, as BIP-39's test vectors have it. */
const SEED =
  '5eb00bbddcf069084889a8ab9155568165f5c453ccb85e70811aaed6f6da5fc19a5ac40b389cd370d086206dec8aa6c43daea6690f20ad3d8d48b2d2ce9e38e4';

it('the address of a key is the published one', () =>
  expect(addressOfKey(KEY)).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'));

it("the hot wallet is m/44'/60'/1'/0/0, beside the deposit addresses", () =>
  expect(hotWalletAddress(SEED)).toBe('0x78839F6054d7ed13918bAe0473BA31b1Ca9D7265'));
