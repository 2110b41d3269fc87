import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { MerchantRequest } from '@stablecoin/contracts/wire/merchant-request';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { ConsistencyDocument } from '@stablecoin/event-proofs/proof-documents';
import { IsTreeSize } from './tree-size';

export class ProveConsistency extends MerchantRequest {
  /** The merchant's ledger shard. */
  @IsWholeNumberBetween(0, 32_767) shard: number;
  /** Sizes of two checkpoints, the older one first. */
  @IsTreeSize() from: number;
  @IsTreeSize() to: number;
}

/** A proof that the log of one checkpoint is the beginning of another's. */
export const proveConsistency = operation({
  subject: 'wallet.prove-consistency',
  readOnly: true,
  request: ProveConsistency,
  reply: replies<ConsistencyDocument>(),
  errors: ['not_found'],
});
