import { operation, replies } from '@stablecoin/contracts/wire/operation';

/** Of the shard that answers: asked by the operator's command line, by no merchant. */
export class MakeCheckpoint {}

export interface MadeCheckpoint {
  shard: number;
  /** The newest signed checkpoint; null for a log without events. */
  checkpoint: string | null;
}

/** Signs the log as it stands, if it has grown since the last checkpoint. Asking again does no harm. */
export const makeCheckpoint = operation({
  subject: 'wallet.make-checkpoint',
  answeredBy: 'shard',
  request: MakeCheckpoint,
  reply: replies<MadeCheckpoint>(),
  errors: [],
});
