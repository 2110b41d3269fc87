import { operation, replies } from '@stablecoin/contracts/wire/operation';
import { CheckpointView } from './list-checkpoints';

/** Of the whole ledger: for the operator's auditors, and for no merchant. */
export class ListSignedShards {}

export interface SignedShardView {
  shard: number;
  /** How many events its log has. */
  events: number;
  /** The newest that was signed; null before the first. */
  checkpoint: CheckpointView | null;
}

export const listSignedShards = operation({
  subject: 'wallet.list-signed-shards',
  readOnly: true,
  request: ListSignedShards,
  reply: replies<{ shards: SignedShardView[] }>(),
  errors: [],
});
