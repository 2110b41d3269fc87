/**
 * What operations cost besides processor time: statements by database, transactions that wrote, messages over the broker,
 * facts that left the ledger. Counted while the service works as it does under the same load, in a stretch of its own.
 */
import { connect } from 'nats';
import type { Client } from 'pg';
import type { StatementLog } from './statement-log';

export interface Traffic {
  /** By database. */
  statements: Record<string, number>;
  /** Transactions that wrote, over all databases: each is a durable commit. */
  commits: number;
  /** By what their subjects have in common. */
  messages: Record<string, number>;
  /** The mean of one. */
  message_bytes: Record<string, number>;
  /** Events that left the ledger, in facts. */
  facts: number;
}

export interface Sources {
  natsUrl: string;
  /** Of the whole server. */
  postgres: Client;
  /** The ledger's database. */
  ledger: Client;
  statements: StatementLog;
  /** Of the way that is counted; what the others do at rest is not its own. */
  databases: readonly string[];
}

/** @param work does its operations and returns their number @returns per operation */
export async function trafficOf(sources: Sources, work: () => Promise<number>): Promise<Traffic> {
  const tap = await MessageTap.open(sources.natsUrl);
  let operations = 0;
  const before = await countersOf(sources);
  const statements = await sources.statements.during(async () => {
    operations = await work();
  });
  const after = await countersOf(sources);
  const { counts, bytes } = await tap.close();
  const each = (values: Record<string, number>) =>
    Object.fromEntries(Object.entries(values).map(([name, count]) => [name, count / operations]));
  const meanBytes = Object.entries(bytes).map(([name, sum]) => [name, sum / (counts[name] ?? 1)] as const);
  return {
    statements: each(
      Object.fromEntries(Object.entries(statements).filter(([database]) => sources.databases.includes(database))),
    ),
    commits: (after.transactions - before.transactions) / operations,
    messages: each(counts),
    message_bytes: Object.fromEntries(meanBytes),
    facts: (after.facts - before.facts) / operations,
  };
}

/** A transaction is given a number when it first writes. */
async function countersOf({ postgres, ledger }: Sources): Promise<{ transactions: number; facts: number }> {
  const numbers = await postgres.query<{ next: string }>('SELECT pg_snapshot_xmax(pg_current_snapshot()) AS next');
  const facts = await ledger.query<{ published: string }>(
    'SELECT coalesce(sum(position), 0) AS published FROM relay_checkpoints',
  );
  return { transactions: Number(numbers.rows[0]?.next), facts: Number(facts.rows[0]?.published) };
}

/** Hears everything that anyone publishes, answers and acknowledgements included, and keeps only counts and sizes. */
class MessageTap {
  private readonly counts: Record<string, number> = {};
  private readonly bytes: Record<string, number> = {};

  private constructor(private readonly connection: Awaited<ReturnType<typeof connect>>) {
    connection.subscribe('>', {
      callback: (_, { subject, data }) => {
        const name = kindOfSubject(subject);
        this.counts[name] = (this.counts[name] ?? 0) + 1;
        this.bytes[name] = (this.bytes[name] ?? 0) + data.length;
      },
    });
  }

  static async open(url: string): Promise<MessageTap> {
    const { username, password, host } = new URL(url);
    const tap = new MessageTap(await connect({ servers: host, user: username, pass: password, noEcho: true }));
    await tap.connection.flush();
    return tap;
  }

  async close(): Promise<{ counts: Record<string, number>; bytes: Record<string, number> }> {
    await this.connection.drain();
    return { counts: this.counts, bytes: this.bytes };
  }
}

/** Subjects without what differs from message to message: ids, shards, inboxes. */
export function kindOfSubject(subject: string): string {
  const [first = '', second = '', third = ''] = subject.split('.');
  // Each program has an inbox of its own name.
  if (first.startsWith('_INBOX')) return 'answers';
  if (first === '$JS') return second === 'ACK' ? 'acknowledgements' : `$JS.${second}.${third}`;
  return first === 'ledger' ? `${first}.*.${third}` : `${first}.${second}`;
}
