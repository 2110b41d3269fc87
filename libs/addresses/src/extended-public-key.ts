import { HDKey } from '@scure/bip32';

/**
 * Reads an extended public key (xpub, BIP-32), by its own check sum.
 *
 * @throws Error that says what was expected, for a private key above all
 */
export function extendedPublicKey(text: string): HDKey {
  try {
    const key = HDKey.fromExtendedKey(text);
    if (key.privateKey === null) return key;
  } catch {
    // Its check sum is wrong.
  }
  throw new Error('an extended public key (xpub)');
}
