import { Client, ClientConfig } from 'pg';

/** The parameter by which a server says, when a session begins, that it replays another server's log and only reads. */
const STANDBY = { parameterName: 'in_hot_standby', parameterValue: 'on' };

/** When any connection was last answered, on the monotonic clock, by the URL of its database: a process has few. */
const answeredAt = new Map<string, number>();

/** When a connection to that database was last answered, on the monotonic clock. */
export const answeredAtMs = (url: string): number => answeredAt.get(url) ?? -Infinity;

/**
 * A client that closes its connection when a statement is not answered in time. A peer that is silently gone (a cable,
 * a firewall that forgot the connection, a process that hangs) sends no reset, and the database's own timeouts and TCP
 * take long to notice: the caller would wait, and its connection would stay taken from the pool. The caller sees a
 * closed connection, which all code handles already. A connection to a standby is closed as well, unless it is wanted:
 * when an address moves to another server, that server may still be a standby, whose data may be old and which takes no
 * writes.
 *
 * @param patienceMs longer than the database itself lets a statement run
 */
export function clientWithAnswerTimeout(
  patienceMs: number,
  takesStandby = false,
): new (config?: string | ClientConfig) => Client {
  return class ClientWithAnswerTimeout extends Client {
    private unanswered = 0;
    private timer: NodeJS.Timeout | undefined;
    private readonly url: string;

    constructor(config?: string | ClientConfig) {
      super(config);
      this.url = (typeof config === 'string' ? config : config?.connectionString) ?? '';
      // While the pool hands the client to its caller, neither listens for errors, and one would end the process: a
      // database may send in one packet that the connection is ready and that it ends. The caller's next statement
      // fails anyway.
      this.on('error', () => undefined);
      const ask = this.query.bind(this) as (...asked: unknown[]) => unknown;
      this.query = ((...asked: unknown[]) => {
        this.unanswered += 1;
        if (this.unanswered === 1) this.wait();
        return ask(...asked);
      }) as Client['query'];
      // The database sends it once per statement, whether that succeeded or failed, and once when the session begins.
      this.connection.on('readyForQuery', () => this.answered());
      this.once('end', () => clearTimeout(this.timer));
      if (!takesStandby) this.refuseStandby();
    }

    private refuseStandby(): void {
      this.connection.on('parameterStatus', ({ parameterName, parameterValue }: typeof STANDBY) => {
        if (parameterName !== STANDBY.parameterName || parameterValue !== STANDBY.parameterValue) return;
        // It arrives in the same packet, and the client would take the session for ready.
        this.connection.removeAllListeners('readyForQuery');
        this.connection.stream.destroy(new Error('connection terminated: the server is a standby'));
      });
    }

    private answered(): void {
      clearTimeout(this.timer);
      answeredAt.set(this.url, performance.now());
      this.unanswered = Math.max(0, this.unanswered - 1);
      if (this.unanswered > 0) this.wait();
    }

    private wait(): void {
      this.timer = setTimeout(() => {
        this.connection.stream.destroy(new Error(`connection terminated: no answer within ${patienceMs} ms`));
      }, patienceMs);
    }
  };
}
