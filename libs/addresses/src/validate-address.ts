import { base58 } from '@scure/base';
import type { Network } from '@stablecoin/money/currency';
import { base58check, checksummed, TRON_PREFIX } from './address-text';

const EVM_PATTERN = /^0x[0-9a-fA-F]{40}$/;

/** 1 prefix byte + 20 account bytes. */
const TRON_BYTES = 21;
/** These and the 4 bytes of the checksum take 34 characters. */
const TRON_CHARACTERS_MAX = 34;

const SOLANA_BYTES = 32;
/** 32 bytes in base58 take at most this many characters. Bounded before decoding, which takes quadratic time. */
const SOLANA_CHARACTERS_MAX = 44;

/**
 * Whether money can be sent to this text on this network. Says nothing about who holds the key or whether it exists.
 *
 * - erc20, bep20, polygon: 0x and 40 hex digits; mixed case must carry the EIP-55 checksum, while all-lower and
 *   all-upper carry none and pass, as EIP-55 allows
 * - trc20: base58check of byte 0x41 and 20 bytes
 * - solana: base58 of exactly 32 bytes; no check that they are a point of the curve, as program-owned accounts aren't
 *
 * Exact: surrounding space is part of the text and refused. Never throws.
 */
export function isAddress(network: Network, text: string): boolean {
  switch (network) {
    case 'erc20':
    case 'bep20':
    case 'polygon':
      return isEvmAddress(text);
    case 'trc20':
      return isTronAddress(text);
    case 'solana':
      return isSolanaAddress(text);
    default:
      return unknownNetwork(network);
  }
}

function isEvmAddress(text: string): boolean {
  if (!EVM_PATTERN.test(text)) {
    return false;
  }
  const hex = text.slice(2);
  const lower = hex.toLowerCase();
  return hex === lower || hex === hex.toUpperCase() || text === checksummed(lower);
}

function isTronAddress(text: string): boolean {
  if (text.length > TRON_CHARACTERS_MAX) {
    return false;
  }
  const bytes = decoded(() => base58check.decode(text));
  return bytes?.length === TRON_BYTES && bytes[0] === TRON_PREFIX;
}

function isSolanaAddress(text: string): boolean {
  if (text.length > SOLANA_CHARACTERS_MAX) {
    return false;
  }
  return decoded(() => base58.decode(text))?.length === SOLANA_BYTES;
}

function decoded(decode: () => Uint8Array): Uint8Array | undefined {
  try {
    return decode();
  } catch {
    return undefined;
  }
}

function unknownNetwork(network: never): never {
  throw new Error(`No address rule for the network ${String(network)}`);
}
