import { IsWholeNumberBetween } from '@stablecoin/contracts/wire/fields/choice';
import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { ConsistencyDocument } from '@stablecoin/event-proofs/proof-documents';
import { IsTreeSize } from './tree-size';

export class ProveShardConsistency {
  @IsWholeNumberBetween(0, 32_767) shard: number;
  /** Sizes of two checkpoints, the older one first. */
  @IsTreeSize() from: number;
  @IsTreeSize() to: number;
}

/** A proof that a shard's log of one checkpoint is the beginning of another's: for the operator's auditors. */
export const proveShardConsistency = operation({
  subject: 'wallet.prove-shard-consistency',
  readOnly: true,
  request: ProveShardConsistency,
  reply: replies<ConsistencyDocument>(),
  errors: ['not_found'],
});
