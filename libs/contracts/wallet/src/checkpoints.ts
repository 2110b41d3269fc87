/** The subject on which each signed checkpoint of a shard's log is published, unsealed: it is public. */
export const checkpointSubject = (shard: number): string => `ledger.checkpoints.${shard}`;
/** That of every shard. */
export const CHECKPOINT_SUBJECTS = 'ledger.checkpoints.*';
