import { secp256k1 } from '@noble/curves/secp256k1';
import { HDKey } from '@scure/bip32';
import { accountBytes, evmAddress } from '@stablecoin/addresses/address-text';

/** Beside the deposit addresses, which are m/44'/60'/0'/0/i of the same seed. */
const HOT_WALLETS_PATH = `m/44'/60'/1'/0`;

/** An EVM account, in EIP-55 case. */
export type Address = `0x${string}`;

/** @param privateKey 0x and 64 hex digits */
export const addressOfKey = (privateKey: string): Address =>
  evmAddress(accountBytes(secp256k1.getPublicKey(privateKey.slice(2), false))) as Address;

/** The hot wallet of every EVM chain. @param seed in hex, as DEPOSIT_SEED has it @param index as SIGNER_HOT_INDEX has it */
export function hotWalletAddress(seed: string, index = 0): Address {
  const master = HDKey.fromMasterSeed(Buffer.from(seed, 'hex'));
  const { privateKey } = master.derive(`${HOT_WALLETS_PATH}/${index}`);
  if (privateKey === null) throw new Error('The hot wallet has no key');
  return evmAddress(accountBytes(secp256k1.getPublicKey(privateKey, false))) as Address;
}
