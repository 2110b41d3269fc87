import { DescribeSigner } from '@stablecoin/contracts/signer/describe';
import { operation, replies } from '@stablecoin/contracts/wire/operation';

export class GetPublicKeys extends DescribeSigner {}

/** What the signer makes public of its keys, for a ledger that gives out addresses without any. */
export interface PublicKeys {
  evm_parent: string;
  /** Null where an outside signer holds the keys; then there are no addresses on Solana either. */
  tron_parent: string | null;
  /** From `solana_from` on. */
  solana: string[];
}

export const getPublicKeys = operation({
  subject: 'chain.get-public-keys',
  readOnly: true,
  request: GetPublicKeys,
  reply: replies<PublicKeys>(),
  errors: [],
});
