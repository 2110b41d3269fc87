import { ed25519 } from '@noble/curves/ed25519';
import { secp256k1 } from '@noble/curves/secp256k1';
import { base58 } from '@scure/base';
import { HDKey } from '@scure/bip32';
import type { Network } from '@stablecoin/money/currency';
import { accountBytes, evmAddress, tronAddress } from './address-text';
import { hardenedChild, masterNode, type Slip10Node } from './slip10';

/** BIP-44 paths with the coin types of SLIP-0044; the index of the address comes behind. */
const EVM_PATH = `m/44'/60'/0'/0`;
const TRON_PATH = `m/44'/195'/0'/0`;
/** m/44'/501', then i'/0', as Solana's wallets have it. */
const SOLANA_PATH = [44, 501];

const INDEX_MAX = 2 ** 31 - 1;

/** Which address a wallet has on a network, by the wallet's index. */
export interface DerivesAddresses {
  /** @param index 0 to 2^31 − 1; RangeError otherwise */
  derive(network: Network, index: number): string;
}

/**
 * Deposit addresses from one seed: the same seed, network and index always give the same address.
 *
 * - erc20, bep20, polygon: m/44'/60'/0'/0/i (BIP-32), one address for all three, in EIP-55 case
 * - trc20: m/44'/195'/0'/0/i (BIP-32)
 * - solana: m/44'/501'/i'/0' (SLIP-0010)
 *
 * Keeps neither the seed nor any private key of EVM and Tron, only public parents. Solana has no public derivation, so
 * the private parent of its accounts stays in memory.
 */
export class DepositAddresses implements DerivesAddresses {
  private readonly evmParent: HDKey;
  private readonly tronParent: HDKey;
  private readonly solanaParent: Slip10Node;

  /** @param seed 16 to 64 bytes (BIP-32); a BIP-39 mnemonic gives 64. Throws an Error on another length. */
  constructor(seed: Uint8Array) {
    const master = HDKey.fromMasterSeed(seed);
    this.evmParent = master.derive(EVM_PATH).wipePrivateData();
    this.tronParent = master.derive(TRON_PATH).wipePrivateData();
    this.solanaParent = SOLANA_PATH.reduce(hardenedChild, masterNode(seed));
    master.wipePrivateData();
  }

  derive(network: Network, index: number): string {
    requireIndex(index);
    switch (network) {
      case 'erc20':
      case 'bep20':
      case 'polygon':
        return evmChild(this.evmParent, index);
      case 'trc20':
        return tronChild(this.tronParent, index);
      case 'solana':
        return this.solanaAddress(index);
      default:
        return unknownNetwork(network);
    }
  }

  private solanaAddress(index: number): string {
    const node = hardenedChild(hardenedChild(this.solanaParent, index), 0);
    return base58.encode(ed25519.getPublicKey(node.privateKey));
  }
}

export function requireIndex(index: number): void {
  if (!Number.isInteger(index) || index < 0 || index > INDEX_MAX) {
    throw new RangeError(`An address index is a whole number from 0 to ${INDEX_MAX}`);
  }
}

/** @param parent of m/44'/60'/0'/0; its public key is enough */
export const evmChild = (parent: HDKey, index: number): string => evmAddress(accountOf(parent, index));

/** @param parent of m/44'/195'/0'/0; its public key is enough */
export const tronChild = (parent: HDKey, index: number): string => tronAddress(accountOf(parent, index));

function accountOf(parent: HDKey, index: number): Uint8Array {
  const { publicKey } = parent.deriveChild(index);
  if (publicKey === null) {
    throw new Error('A derived key has no public key');
  }
  return accountBytes(secp256k1.Point.fromHex(publicKey).toBytes(false));
}

export function unknownNetwork(network: never): never {
  throw new Error(`No derivation for the network ${String(network)}`);
}
