/** Where each signed checkpoint of a shard's log is published, as it is: it is for everybody. */
export const checkpointSubject = (shard: number): string => `ledger.checkpoints.${shard}`;
/** That of every shard. */
export const CHECKPOINT_SUBJECTS = 'ledger.checkpoints.*';
