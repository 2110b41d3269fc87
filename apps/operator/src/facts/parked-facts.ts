import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, errorMessage } from '@stablecoin/command-line/error-code';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { Client } from 'pg';

/** A row of `parked_facts` in a service's own database. */
export interface ParkedFact {
  consumer: string;
  shard: number;
  position: string;
  movement: string;
  concerns: string;
  reason: string | null;
  attempts: number;
  parked_at: Date;
  /** Whether a retry is requested and not yet made. */
  requested: boolean;
  /** The position of the parked fact that holds this one back; null for the parked one itself. */
  behind: string | null;
}

export interface Retried {
  handled: ParkedFact[];
  parked: ParkedFact[];
}

const CONNECT_TIMEOUT_MS = 5_000;
const POLL_MS = 200;

export const placeOf = ({ shard, position }: ParkedFact): string => `${shard}:${position}`;

/** The parked facts of one service, and the later ones that wait behind them. */
export class ParkedFacts {
  private constructor(private readonly client: Client) {}

  /** @param database its name, for messages */
  static async of<Result>(
    { database, url }: { database: string; url: string },
    work: (facts: ParkedFacts) => Promise<Result>,
  ): Promise<Result> {
    const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
    client.on('error', () => undefined);
    await client.connect().catch((error: unknown) => {
      throw new OperatorError(
        `The ${database} database does not answer (${errorCode(error) ?? errorMessage(error)}): is the stack running?`,
      );
    });
    try {
      return await work(new ParkedFacts(client));
    } finally {
      await client.end().catch(() => undefined);
    }
  }

  /** All of them, in the order of the log. */
  async list(): Promise<ParkedFact[]> {
    const { rows } = await this.client.query<ParkedFact>(`
      SELECT consumer, shard, position, movement, concerns, reason, attempts, parked_at,
        retry_requested_at IS NOT NULL AS requested,
        nullif(min(position) OVER (PARTITION BY consumer, shard, concerns), position) AS behind
      FROM parked_facts ORDER BY consumer, shard, position`);
    return rows;
  }

  /**
   * Requests a retry of the parked facts that are `chosen`, each with the facts behind it, and waits until the service
   * has made it; undefined when nothing happens for `silenceMaxMs`.
   *
   * @param record puts the retry of these on the record, before it is requested
   */
  async retry(
    chosen: (parked: readonly ParkedFact[]) => ParkedFact[],
    { silenceMaxMs, record }: { silenceMaxMs: number; record: (retried: readonly ParkedFact[]) => Promise<void> },
  ): Promise<Retried | undefined> {
    const before = await this.list();
    const retried = chosen(before);
    await record(retried);
    for (const { consumer, shard, position } of retried) {
      await this.client.query(
        'UPDATE parked_facts SET retry_requested_at = clock_timestamp() WHERE consumer = $1 AND shard = $2 AND position = $3',
        [consumer, shard, position],
      );
    }
    const queues = new Set(retried.map(queueOf));
    const isAffected = (fact: ParkedFact) => queues.has(queueOf(fact));
    const after = await this.untilTried(isAffected, silenceMaxMs);
    if (after === undefined) return undefined;
    const parked = after.filter(isAffected);
    const handled = before.filter((fact) => isAffected(fact) && !parked.some((other) => isSame(fact, other)));
    return { handled, parked };
  }

  private async untilTried(
    isAffected: (fact: ParkedFact) => boolean,
    silenceMaxMs: number,
  ): Promise<ParkedFact[] | undefined> {
    let deadline = Date.now() + silenceMaxMs;
    let left = Infinity;
    while (Date.now() < deadline) {
      const facts = await this.list();
      if (!facts.some((fact) => fact.requested && isAffected(fact))) return facts;
      if (facts.length < left) deadline = Date.now() + silenceMaxMs;
      left = facts.length;
      await sleep(POLL_MS);
    }
    return undefined;
  }
}

/** Facts that concern the same are handled in order: a parked one holds back those behind it. */
const queueOf = ({ consumer, shard, concerns }: ParkedFact) => JSON.stringify([consumer, shard, concerns]);
const isSame = (one: ParkedFact, other: ParkedFact) =>
  queueOf(one) === queueOf(other) && one.position === other.position;
