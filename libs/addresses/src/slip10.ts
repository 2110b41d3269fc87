import { hmac } from '@noble/hashes/hmac';
import { sha512 } from '@noble/hashes/sha2';
import { concatBytes, utf8ToBytes } from '@noble/hashes/utils';

/**
 * Key derivation for ed25519 (SLIP-0010), which BIP-32 doesn't define. Only hardened children exist, so every step
 * needs the private key of its parent.
 */
export interface Slip10Node {
  /** 32 bytes. */
  readonly privateKey: Uint8Array;
  /** 32 bytes. */
  readonly chainCode: Uint8Array;
}

const MASTER_KEY = utf8ToBytes('ed25519 seed');
const HARDENED = 0x80000000;

export function masterNode(seed: Uint8Array): Slip10Node {
  return nodeOf(hmac(sha512, MASTER_KEY, seed));
}

/** The child `index`' of a node. @param index 0 to 2^31 − 1, the hardening is added here */
export function hardenedChild(parent: Slip10Node, index: number): Slip10Node {
  const number = new Uint8Array(4);
  new DataView(number.buffer).setUint32(0, index + HARDENED);
  return nodeOf(hmac(sha512, parent.chainCode, concatBytes(Uint8Array.of(0), parent.privateKey, number)));
}

function nodeOf(digest: Uint8Array): Slip10Node {
  return { privateKey: digest.slice(0, 32), chainCode: digest.slice(32) };
}
