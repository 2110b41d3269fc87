/**
 * Whether each deposit was ended by the service that recorded it. What the end says is signed by the service of a rail, and is right as
 * long as one looks at it alone; that it is the end of another service's deposit shows only beside the deposit's beginning, which may
 * be years before.
 */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { Sql } from '@stablecoin/persistence/sql';
import { LogFault } from '../log/fault';

const NAMED_MAX = 10;

/** Of this connection alone: who recorded each deposit, as far as the log names it. */
export async function createDepositRecorders(sql: Pick<Sql, '$executeRaw'>): Promise<void> {
  await sql.$executeRaw`CREATE TEMPORARY TABLE deposit_recorders (transaction uuid PRIMARY KEY, service text NOT NULL)`;
}

interface Said {
  transaction: string;
  service: string;
}

/** Follows the log page by page and names the first few deposits that another service ended. */
export class DepositRecorders {
  readonly faults: LogFault[] = [];

  constructor(private readonly sql: Sql) {}

  /** After a page of a shard was found sound. */
  async follow(page: readonly RecordedEvent[]): Promise<void> {
    const recorded = page.filter(({ movement }) => movement === 'deposit-recorded').flatMap(saidBy);
    if (recorded.length > 0) await this.note(recorded);
    const ends = endsIn(page);
    if (ends.length === 0) return;
    const recorders = await this.recordersOf(ends.map(({ transaction }) => transaction));
    for (const { transaction, service, shard, position } of ends) {
      const recorder = recorders.get(transaction);
      // Versions before did not keep who recorded one.
      if (recorder === undefined || recorder === service || this.faults.length >= NAMED_MAX) continue;
      const problem = `${service} ends deposit ${transaction}, which ${recorder} has recorded`;
      this.faults.push({ shard, position, problem });
    }
  }

  private async note(recorded: readonly Said[]): Promise<void> {
    const ids = arrayColumn(recorded.map(({ transaction }) => transaction));
    const services = arrayColumn(recorded.map(({ service }) => service));
    await this.sql.$executeRaw`
      INSERT INTO deposit_recorders SELECT * FROM unnest(${ids}::uuid[], ${services}::text[]) ON CONFLICT DO NOTHING`;
  }

  private async recordersOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await this.sql.$queryRaw<Said[]>`
      SELECT transaction::text, service FROM deposit_recorders WHERE transaction = ANY (${arrayColumn(ids)}::uuid[])`;
    return new Map(rows.map(({ transaction, service }) => [transaction, service]));
  }
}

const ENDS: ReadonlySet<string> = new Set(['deposit-completed', 'deposit-failed', 'deposit-reversed']);

/** Ends that were asked for by themselves: what follows a deposit in its own command is of who asked for that. */
function endsIn(page: readonly RecordedEvent[]): (Said & Pick<RecordedEvent, 'shard' | 'position'>)[] {
  return page
    .filter(({ movement, asked_by }) => asked_by && ENDS.has(movement))
    .flatMap((recorded) =>
      saidBy(recorded).map((said) => ({ ...said, shard: recorded.shard, position: recorded.position })),
    );
}

/** The first event of a command names who asked, and each event of a deposit its transaction. */
const saidBy = ({ asked_by, event }: RecordedEvent): Said[] =>
  asked_by && 'transaction' in event ? [{ transaction: event.transaction, service: asked_by.service }] : [];
