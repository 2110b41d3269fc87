import { currentRequest } from '@stablecoin/messaging/request-context';
import { Pool, PoolClient } from 'pg';

type Connected = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (broken?: unknown) => void,
) => void;

/**
 * A pool that begins nothing for a request whose deadline has passed, before or while it waited for a connection: its
 * caller has been answered, and requests whose callers still wait need the connection. A transaction that is under way
 * is not interrupted: it may be about to commit.
 */
export class DeadlinePool extends Pool {
  override connect(): Promise<PoolClient>;
  override connect(connected: Connected): void;
  override connect(connected?: Connected): Promise<PoolClient> | void {
    const deadline = currentRequest()?.deadline;
    if (deadline === undefined) return connected ? super.connect(connected) : super.connect();
    if (connected) return this.connectBy(deadline, connected);
    return new Promise((resolve, reject) =>
      this.connectBy(deadline, (error, client) =>
        client ? resolve(client) : reject(error ?? new Error('no connection')),
      ),
    );
  }

  private connectBy(deadline: number, connected: Connected): void {
    const nothing = () => undefined;
    if (Date.now() >= deadline) return connected(new DeadlinePassed(), undefined, nothing);
    super.connect((error, client, release) => {
      if (!client || Date.now() < deadline) return connected(error, client, release);
      release();
      connected(new DeadlinePassed(), undefined, nothing);
    });
  }
}

/** For the caller the same as a database that did not answer in time. */
export class DeadlinePassed extends Error {
  readonly code = 'ETIMEDOUT';
  readonly syscall = 'connect';

  constructor() {
    super("timeout exceeded when trying to connect: the request's deadline has passed");
  }
}
