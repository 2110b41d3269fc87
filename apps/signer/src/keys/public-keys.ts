import { secp256k1 } from '@noble/curves/secp256k1';
import { HDKey } from '@scure/bip32';
import { accountBytes, evmAddress } from '@stablecoin/addresses/address-text';
import type { Hex } from '../rules/transfer-transaction';

/** BIP-44: deposit addresses are the children of the first, as libs/addresses derives them; hot wallets of the second. */
export const DEPOSIT_PATH = `m/44'/60'/0'/0`;
export const HOT_PATH = `m/44'/60'/1'/0`;

/** A public parent's child. @throws Error where the parent has no public key */
export function publicKeyOf(parent: HDKey, index: number): Uint8Array {
  const { publicKey } = parent.deriveChild(index);
  if (publicKey === null) throw new Error('A derived key has no public key');
  return publicKey;
}

/** @param publicKey in either form, compressed or not */
export function addressOf(publicKey: Uint8Array): Hex {
  return evmAddress(accountBytes(secp256k1.Point.fromBytes(publicKey).toBytes(false))) as Hex;
}

/** @throws Error that says what was expected */
export function compressedPublicKey(text: string): Buffer {
  try {
    if (/^0[23][0-9a-f]{64}$/.test(text)) return Buffer.from(secp256k1.Point.fromHex(text).toBytes(true));
  } catch {
    // Not a point of the curve.
  }
  throw new Error('a public key of secp256k1, compressed, as 66 hex digits');
}
