import type { Hex, Signature } from '../rules/transfer-transaction';

/** The hot wallet's key, or that of the deposit address of an index. */
export type KeyName = 'hot' | number;

/** Beside EVM's parent key: what the ledger derives deposit addresses of other networks from. */
export interface OtherAddresses {
  readonly tronParent: string | null;
  solanaAddresses(from: number, count: number): string[];
}

/**
 * Where the keys are: in this process, derived from a seed, or with an outside signer (a KMS, an HSM's front end), which is
 * sent digests. What is public about them is known here either way, so that no signature by another key is taken.
 */
export abstract class TransactionKeys {
  abstract readonly hot: Hex;
  /** The extended public key of m/44'/60'/0'/0. */
  abstract readonly evmParent: string;
  abstract readonly other: OtherAddresses;
  abstract depositAddress(index: number): Hex;
  /**
   * By secp256k1, with the lower of the two values of s and the parity that recovers this key and no other.
   *
   * @param digest 32 bytes @throws Refusal `unavailable` where an outside signer doesn't answer
   */
  abstract sign(key: KeyName, digest: Uint8Array): Promise<Signature>;
}
