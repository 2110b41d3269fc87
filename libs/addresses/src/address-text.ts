import { createBase58check } from '@scure/base';
import { sha256 } from '@noble/hashes/sha2';
import { keccak_256 } from '@noble/hashes/sha3';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils';

/** Base58 with the first four bytes of a double SHA-256, as Bitcoin and Tron use it. */
export const base58check = createBase58check(sha256);

/** The byte in front of every Tron main net address, which makes its text start with T (Tron protocol document). */
export const TRON_PREFIX = 0x41;

/**
 * The mixed-case form of an EVM address, EIP-55: a letter is upper case where the hash of the lower-case hex has a
 * nibble of 8 or more.
 *
 * @param lowerHex 40 hex digits, lower case, without 0x
 */
export function checksummed(lowerHex: string): string {
  const hash = bytesToHex(keccak_256(utf8ToBytes(lowerHex)));
  const cased = Array.from(lowerHex, (digit, i) => (parseInt(hash.charAt(i), 16) >= 8 ? digit.toUpperCase() : digit));
  return `0x${cased.join('')}`;
}

/** The last 20 bytes of the key's Keccak-256: what EVM chains and Tron both call the account. */
export function accountBytes(uncompressedPublicKey: Uint8Array): Uint8Array {
  // The first byte (0x04) only names the encoding of the point.
  return keccak_256(uncompressedPublicKey.subarray(1)).subarray(-20);
}

export function evmAddress(account: Uint8Array): string {
  return checksummed(bytesToHex(account));
}

export function tronAddress(account: Uint8Array): string {
  return base58check.encode(concatBytes(Uint8Array.of(TRON_PREFIX), account));
}
