import { Client, ClientConfig } from 'pg';

/** What a server says of itself when it lets a session in: that it replays another one's log, and only reads. */
const STANDBY = { parameterName: 'in_hot_standby', parameterValue: 'on' };

/**
 * A connection that gives itself up when nothing comes back for what was asked on it. A peer that is gone without a word (a
 * cable, a firewall that forgot the connection, a process that hangs) sends no reset, and neither the database's own
 * timeouts nor TCP tell for a long time: whoever waited would wait with its place in the pool. Here such a connection ends
 * like one that was cut, which everybody knows how to deal with. So does one to a standby, unless that is wanted: where an
 * address moves from one server to another, it may do so before the other is the primary. What it has may be old, and
 * nothing can be written; nobody should hold on to it.
 *
 * @param patienceMs longer than the database itself lets a statement take
 */
export function clientWithAnswerTimeout(
  patienceMs: number,
  takesStandby = false,
): new (config?: string | ClientConfig) => Client {
  return class ClientWithAnswerTimeout extends Client {
    private unanswered = 0;
    private timer: NodeJS.Timeout | undefined;

    constructor(config?: string | ClientConfig) {
      super(config);
      // While it passes from the pool to whoever asked for it nobody listens, and an error then would end the process: the
      // database may say in one breath that a connection is ready and that it ends. Its next statement fails in any case.
      this.on('error', () => undefined);
      const ask = this.query.bind(this) as (...asked: unknown[]) => unknown;
      this.query = ((...asked: unknown[]) => {
        this.unanswered += 1;
        if (this.unanswered === 1) this.wait();
        return ask(...asked);
      }) as Client['query'];
      // The database says so once for each, whether it succeeded or failed; also at the beginning, when nothing was asked.
      this.connection.on('readyForQuery', () => this.answered());
      this.once('end', () => clearTimeout(this.timer));
      if (!takesStandby) this.refuseStandby();
    }

    private refuseStandby(): void {
      this.connection.on('parameterStatus', ({ parameterName, parameterValue }: typeof STANDBY) => {
        if (parameterName !== STANDBY.parameterName || parameterValue !== STANDBY.parameterValue) return;
        // It comes with the same packet, and would count as being let in.
        this.connection.removeAllListeners('readyForQuery');
        this.connection.stream.destroy(new Error('connection terminated: the server is a standby'));
      });
    }

    private answered(): void {
      clearTimeout(this.timer);
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
