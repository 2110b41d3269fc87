import type { EvmNetwork } from '@stablecoin/chains/chains';
import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { IfPresent } from '@stablecoin/contracts/wire/fields/field';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { DEPOSIT_INDEX_MAX } from './movement';

/** Each takes a point multiplication of its own. */
const SOLANA_COUNT_MAX = 100;

/** Which part of Solana's addresses, that no public parent derives, is wanted; without one none are. */
export class DescribeSigner {
  @IfPresent() @IsWholeNumberBetween(0, DEPOSIT_INDEX_MAX) solana_from?: number;
  @IfPresent() @IsWholeNumberBetween(0, SOLANA_COUNT_MAX) solana_count?: number;
}

/** Everything public about the keys. */
export interface SignerDescription {
  hot: Record<EvmNetwork, `0x${string}`>;
  cold: `0x${string}` | null;
  /** The extended public key (xpub) of m/44'/60'/0'/0, whose children are the deposit addresses of EVM networks. */
  evm_parent: string;
  /** That of m/44'/195'/0'/0; null where an outside signer holds the keys. */
  tron_parent: string | null;
  /** Addresses of m/44'/501'/i'/0', from `solana_from` on; none where an outside signer holds the keys. */
  solana: string[];
}

export const describeSigner = operation({
  subject: 'signer.describe',
  readOnly: true,
  request: DescribeSigner,
  reply: replies<SignerDescription>(),
  errors: [],
});
