import { HDKey } from '@scure/bip32';
import { evmAddress } from './address-text';
import { accountOf } from './derive-address';

/** Deposit addresses of EVM networks by their indices, from the extended public key that they are the children of. */
export class PublicEvmParent {
  private readonly parent: HDKey;

  /** @param xpub of m/44'/60'/0'/0. Throws an Error for anything else, for a private key above all. */
  constructor(xpub: string) {
    this.parent = HDKey.fromExtendedKey(xpub);
    if (this.parent.privateKey !== null) throw new Error('An extended public key (xpub) holds no private key');
  }

  /** In EIP-55 case. */
  address(index: number): string {
    return evmAddress(accountOf(this.parent, index));
  }
}
