import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { append, Batch, LeaseLost, PreparedAppend } from './append';
import { Head, headPosition, Lease, settledHead } from './lease';

const LOOK_UP_PAUSE_MS = 200;

/** A shard's log under a lease: knows where it ends, and appends batches. */
export class ShardLog {
  constructor(
    private readonly database: LedgerDatabase,
    private readonly lease: Lease,
    private end: Head,
    private readonly log: Logger,
  ) {}

  get head(): Head {
    return this.end;
  }

  /**
   * @returns whether there was anything to commit
   * @throws LeaseLost, or the error of a commit that failed: nothing of the batch is in the log then
   */
  async write(batch: Batch, prepared: PreparedAppend): Promise<boolean> {
    if (batch.results.length === 0) {
      await this.assertHeadUnmoved();
      return false;
    }
    try {
      await append(this.database, this.lease, prepared, batch);
    } catch (error) {
      if (error instanceof LeaseLost || databaseFailure(error).kind !== 'unknown') throw error;
      // A batch without events leaves the head as it was, so the head can't tell; its commands change nothing and can be retried.
      if (batch.events.length === 0 || !(await this.wasCommitted(prepared.after))) throw error;
    }
    this.end = prepared.after;
    return true;
  }

  /**
   * A batch of refusals alone writes nothing that would check the lease, but a writer that was overtaken must not refuse by
   * its outdated memory.
   */
  private async assertHeadUnmoved(): Promise<void> {
    const position = await headPosition(this.database, this.lease);
    if (position !== this.end.position) throw new LeaseLost(`shard ${this.lease.shard} has another holder`);
  }

  /** Asks until the database answers: nothing may be written before the outcome is known. */
  private async wasCommitted(head: Head): Promise<boolean> {
    this.log.warn({ msg: 'the outcome of an append is unknown: looking it up', position: head.position });
    for (;;) {
      try {
        const found = await settledHead(this.database, this.lease);
        if (!found) throw new LeaseLost(`shard ${this.lease.shard} has another holder`);
        return found.position === head.position && found.hash.equals(head.hash);
      } catch (error) {
        if (error instanceof LeaseLost || databaseFailure(error).kind === 'bug') throw error;
        await delay(LOOK_UP_PAUSE_MS);
      }
    }
  }
}
