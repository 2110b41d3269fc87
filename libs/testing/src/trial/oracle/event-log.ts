/**
 * The ledger's log, read behind the service's back and by code of its own: what was opened, how each transaction ended,
 * whether each group is whole and balanced, and whether all of it sums to zero.
 */
import { Money } from '@stablecoin/money/money';
import type { Currency } from '@stablecoin/money/currency';
import { Client as Postgres } from 'pg';
import { OF_SHARDS_HERE } from '../trial-stack';

const PAGE = 5_000;

/** An event as it lies in the log, as far as it is read here. */
interface LoggedEvent {
  shard: number;
  position: number;
  group: number;
  movement: string;
  merchant_id: string;
  command_id: string;
  event: {
    type: string;
    account_id?: string;
    currency?: Currency;
    amount?: string;
    transaction?: string;
    to?: string;
    opens?: {
      id: string;
      reference_id: string;
      transaction_type: string;
      wallet_id: string;
      currency: Currency;
      amount: string;
    };
  };
}

export interface LoggedTransaction {
  id: string;
  /** Of both sides of a swap: its quote's id. */
  referenceId: string;
  merchantId: string;
  type: string;
  walletId: string;
  currency: Currency;
  amount: string;
  /** How often the log opens it: once, if all is well. */
  opened: number;
  statuses: string[];
}

export interface ReadLog {
  events: number;
  transactions: Map<string, LoggedTransaction>;
  /** What is wrong with the log in itself. */
  faults: string[];
}

/** Groups of these movements differ by what they concern; of all others, each has the events that the first one had. */
const OF_SEVERAL_SHAPES = new Set(['wallet-opened']);

/**
 * Of each database the shards that it says it has: one that two have is opened twice, one that none has is missing.
 *
 * @param urls of all of the ledger's databases
 */
export async function readEventLog(urls: readonly string[], onProgress: (events: number) => void): Promise<ReadLog> {
  const reading = new LogReading();
  for (const url of urls) await readDatabase(url, reading, onProgress);
  return reading.end();
}

async function readDatabase(url: string, reading: LogReading, onProgress: (events: number) => void): Promise<void> {
  const database = new Postgres({ connectionString: url });
  await database.connect();
  try {
    for (let [shard, position] = [-1, 0]; ;) {
      const { rows } = await database.query<{ shard: number; position: string; body: string }>(
        `SELECT shard, position, body FROM ledger_events WHERE (shard, position) > ($1, $2) AND ${OF_SHARDS_HERE}
         ORDER BY shard, position LIMIT ${PAGE}`,
        [shard, position],
      );
      for (const { body } of rows) reading.take(JSON.parse(body) as LoggedEvent);
      onProgress(reading.events);
      const last = rows.at(-1);
      if (!last) return;
      [shard, position] = [last.shard, Number(last.position)];
    }
  } finally {
    await database.end();
  }
}

class LogReading {
  events = 0;
  private readonly transactions = new Map<string, LoggedTransaction>();
  private readonly faults: string[] = [];
  private readonly totals = new Map<Currency, Money>();
  /** Of each kind of movement: the group that was seen first, as the types of its events. */
  private readonly shapes = new Map<string, string>();
  private group: LoggedEvent[] = [];
  private last: { shard: number; position: number } = { shard: -1, position: 0 };

  take(logged: LoggedEvent): void {
    const follows = logged.shard === this.last.shard ? this.last.position + 1 : 1;
    if (logged.position !== follows) this.fault(logged, `position ${follows} is missing`);
    this.last = logged;
    this.events += 1;
    const before = this.group[0];
    if (before && (before.shard !== logged.shard || before.group !== logged.group)) this.endGroup();
    this.group.push(logged);
  }

  end(): ReadLog {
    this.endGroup();
    for (const [currency, total] of this.totals) {
      if (!total.isZero()) this.faults.push(`${currency} sums to ${total.toString()} over all accounts`);
    }
    return { events: this.events, transactions: this.transactions, faults: this.faults };
  }

  private endGroup(): void {
    const [first] = this.group;
    if (!first) return;
    const sums = new Map<Currency, Money>();
    for (const logged of this.group) this.takeEvent(logged, sums);
    for (const [currency, sum] of sums) {
      if (!sum.isZero()) this.fault(first, `a ${first.movement} that is ${sum.toString()} ${currency} out of balance`);
    }
    const shape = this.group.map(({ event }) => event.type).join(' ');
    const known = OF_SEVERAL_SHAPES.has(first.movement) ? shape : (this.shapes.get(first.movement) ?? shape);
    this.shapes.set(first.movement, known);
    if (shape !== known) this.fault(first, `a ${first.movement} of ${shape}, others are of ${known}`);
    this.group = [];
  }

  private takeEvent(logged: LoggedEvent, sums: Map<Currency, Money>): void {
    const { event } = logged;
    if (event.opens) this.openTransaction(logged, event.opens);
    if (event.type === 'TransactionStatusChanged' && event.to) this.changeStatus(logged, event.to);
    if (!event.currency || event.amount === undefined) return;
    const amount = Money.parse(event.currency, event.amount);
    const signed = event.type === 'DebitPosted' ? amount.negated() : amount;
    for (const into of [sums, this.totals]) {
      into.set(event.currency, (into.get(event.currency) ?? Money.zero(event.currency)).plus(signed));
    }
  }

  private openTransaction({ merchant_id }: LoggedEvent, opens: NonNullable<LoggedEvent['event']['opens']>): void {
    const known = this.transactions.get(opens.id);
    if (known) known.opened += 1;
    else {
      this.transactions.set(opens.id, {
        ...{
          id: opens.id,
          referenceId: opens.reference_id,
          merchantId: merchant_id,
          type: opens.transaction_type,
          walletId: opens.wallet_id,
        },
        ...{ currency: opens.currency, amount: opens.amount, opened: 1, statuses: ['PENDING'] },
      });
    }
  }

  private changeStatus(logged: LoggedEvent, status: string): void {
    const known = this.transactions.get(logged.event.transaction ?? '');
    if (!known) this.fault(logged, `the state of a transaction that was never opened`);
    else if (known.statuses.at(-1) !== status) known.statuses.push(status);
    else if (status !== 'PENDING') this.fault(logged, `${known.id} is ${status} twice`);
  }

  private fault({ shard, position }: LoggedEvent, problem: string): void {
    this.faults.push(`shard ${shard} position ${position}: ${problem}`);
  }
}
