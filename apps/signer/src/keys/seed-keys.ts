import { secp256k1 } from '@noble/curves/secp256k1';
import { HDKey } from '@scure/bip32';
import { DepositAddresses } from '@stablecoin/addresses/derive-address';
import type { Hex, Signature } from '../rules/transfer-transaction';
import { addressOf, DEPOSIT_PATH, HOT_PATH, publicKeyOf } from './public-keys';
import { ownSignature } from './signature-of-key';
import { type KeyName, type OtherAddresses, TransactionKeys } from './transaction-keys';

const TRON_PATH = `m/44'/195'/0'/0`;

/**
 * Keys derived from a seed, in this process. Of the seed only what is needed stays in memory: the hot wallet's key, the private
 * parent of the deposit addresses, and what libs/addresses keeps. The key of a deposit address is derived for each signature,
 * and wiped.
 */
export class SeedKeys extends TransactionKeys {
  readonly hot: Hex;
  readonly evmParent: string;
  readonly other: OtherAddresses;
  // Private for Node too: a key prints itself, in JSON, as the extended private key.
  readonly #deposits: HDKey;
  readonly #depositsPublic: HDKey;
  readonly #hot: HDKey;

  /** @param seed 16 to 64 bytes, wiped here @param hotIndex which of the hot wallets is in use */
  constructor(seed: Uint8Array, hotIndex: number) {
    super();
    const master = HDKey.fromMasterSeed(seed);
    this.#deposits = master.derive(DEPOSIT_PATH);
    this.#depositsPublic = master.derive(DEPOSIT_PATH).wipePrivateData();
    const hots = master.derive(HOT_PATH);
    this.#hot = hots.deriveChild(hotIndex);
    this.evmParent = this.#depositsPublic.publicExtendedKey;
    this.hot = addressOf(publicKeyOf(hots, hotIndex));
    const addresses = new DepositAddresses(seed);
    this.other = {
      tronParent: master.derive(TRON_PATH).wipePrivateData().publicExtendedKey,
      solanaAddresses: (from, count) =>
        Array.from({ length: count }, (_, offset) => addresses.derive('solana', from + offset)),
    };
    for (const parent of [hots, master]) parent.wipePrivateData();
    seed.fill(0);
  }

  depositAddress(index: number): Hex {
    return addressOf(publicKeyOf(this.#depositsPublic, index));
  }

  sign(key: KeyName, digest: Uint8Array): Promise<Signature> {
    if (key === 'hot') return Promise.resolve(signature(this.#hot, digest));
    const child = this.#deposits.deriveChild(key);
    try {
      return Promise.resolve(signature(child, digest));
    } finally {
      child.wipePrivateData();
    }
  }
}

function signature({ privateKey }: HDKey, digest: Uint8Array): Signature {
  if (privateKey === null) throw new Error('A derived key has no private key');
  return ownSignature(secp256k1.sign(digest, privateKey, { prehash: false }));
}
