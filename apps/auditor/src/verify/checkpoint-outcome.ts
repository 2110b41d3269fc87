import { LogFault } from '@stablecoin/ledger-log/log/fault';

export interface CheckpointOutcome {
  shard: number;
  /** How many checkpoints agree with the log. */
  verified: number;
  /** Size and time of the last one that does. */
  size: number;
  time: string | null;
  fault: LogFault | null;
  /** How many stored nodes of the tree differ from the log, are missing, or are too many. */
  nodes_differing: number;
}
