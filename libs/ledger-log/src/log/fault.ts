/** The first position at which the log is not what the ledger would have written, and why. */
export interface LogFault {
  shard: number;
  position: number;
  problem: string;
  /** The service whose word a ledger of a version before has believed, and no ledger does now. */
  stated_by?: string;
}

/** The one that comes first in the log; both are of one shard. */
export function earlier(one: LogFault | undefined, other: LogFault | undefined): LogFault | undefined {
  if (!one || !other) return one ?? other;
  return other.position < one.position ? other : one;
}
