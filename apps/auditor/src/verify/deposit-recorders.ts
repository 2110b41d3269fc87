/**
 * What a deposit's beginning says of its end, and of other deposits: it is ended by the service that recorded it, one of a chain under the
 * id that is derived from it, and a transfer on a chain is credited once. What is stated is signed by the service of a
 * rail, and is right as long as one looks at it alone; that it is the end of another service's deposit, or one
 * transfer once more, shows only beside the other one, which may be years before.
 */
import { depositCommandName, DepositStep } from '@stablecoin/command-proofs/deposit-name';
import { DepositEvidence, readEvidence } from '@stablecoin/command-proofs/evidence';
import { Movement, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { nameOfDeposit } from '@stablecoin/ledger-log/log/asker-rules';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { RawSql, Sql } from '@stablecoin/persistence/sql';
import { LogFault } from '@stablecoin/ledger-log/log/fault';
import { repeatedAmong } from './booked-twice';

const NAMED_MAX = 10;

/** Of this connection alone: who recorded each deposit, as far as the log names it, and by which transfer it came. */
export async function createDepositRecorders(sql: Pick<Sql, '$executeRaw'>): Promise<void> {
  await sql.$executeRaw`CREATE TEMPORARY TABLE deposit_recorders (
    transaction uuid PRIMARY KEY, service text NOT NULL, transfer text, name text, shard int NOT NULL,
    position bigint NOT NULL)`;
}

interface Said extends Pick<RecordedEvent, 'shard' | 'position' | 'command_id' | 'movement'> {
  transaction: string;
  service: string;
  /** Network, transaction, and place among those of its token; empty for one that came over no chain. */
  transfer: string;
  /** From which the ids of its commands are derived; empty for one that came over no chain, or that a version before named otherwise. */
  name: string;
}

/** Follows the log page by page and names the first few deposits that another service ended, or another command. */
export class DepositRecorders {
  readonly faults: LogFault[] = [];

  constructor(private readonly sql: Sql) {}

  /** After a page of a shard was found sound. */
  async follow(page: readonly RecordedEvent[]): Promise<void> {
    const recorded = page.filter(({ movement }) => movement === 'deposit-recorded').flatMap(saidBy);
    if (recorded.length > 0) await this.note(recorded);
    // What follows a deposit in its own command names no asker.
    const ends = page.filter(({ movement }) => movement in ENDS).flatMap(saidBy);
    if (ends.length === 0) return;
    const recorders = await this.recordersOf(ends.map(({ transaction }) => transaction));
    for (const end of ends) {
      const recorded = recorders.get(end.transaction);
      // Versions before did not keep who recorded one.
      const problem = recorded && endProblem(end, recorded);
      if (!problem || this.faults.length >= NAMED_MAX) continue;
      this.faults.push({ shard: end.shard, position: end.position, problem });
    }
  }

  private async note(recorded: readonly Said[]): Promise<void> {
    const column = (of: (said: Said) => string) => arrayColumn(recorded.map(of));
    const [ids, services] = [column(({ transaction }) => transaction), column(({ service }) => service)];
    const [shards, positions] = [column(({ shard }) => String(shard)), column(({ position }) => String(position))];
    await this.sql.$executeRaw`
      INSERT INTO deposit_recorders SELECT id, service, nullif(transfer, ''), nullif(name, ''), shard, position
      FROM unnest(${ids}::uuid[], ${services}::text[], ${column(({ transfer }) => transfer)}::text[],
        ${column(({ name }) => name)}::text[], ${shards}::int[], ${positions}::bigint[])
        AS said (id, service, transfer, name, shard, position) ON CONFLICT DO NOTHING`;
  }

  private async recordersOf(ids: readonly string[]): Promise<ReadonlyMap<string, Recorded>> {
    const rows = await this.sql.$queryRaw<Recorded[]>`
      SELECT transaction::text, service, coalesce(name, '') AS name FROM deposit_recorders
      WHERE transaction = ANY (${arrayColumn(ids)}::uuid[])`;
    return new Map(rows.map((row) => [row.transaction, row]));
  }
}

type Recorded = Pick<Said, 'transaction' | 'service' | 'name'>;

function endProblem({ transaction, service, movement, command_id }: Said, recorded: Recorded): string | undefined {
  if (recorded.service !== service)
    return `${service} ends deposit ${transaction}, which ${recorded.service} has recorded`;
  const step = ENDS[movement];
  if (recorded.name === '' || !step || command_id === derivedUuid(depositCommandName(step, recorded.name)))
    return undefined;
  return `${service} ends deposit ${transaction} under an id that is not derived from it`;
}

/**
 * The first few transfers that are credited more than once: by the transactions that were rebuilt. A transfer whose block
 * was orphaned is recorded anew when another block has it; its first deposit may still wait, or has failed.
 *
 * @param snapshots of all databases of the ledger, each after its `DepositRecorders` have followed the log
 */
export async function findCreditedTwice(snapshots: readonly (Sql & RawSql)[]): Promise<LogFault[]> {
  const [only, ...others] = snapshots;
  if (only && others.length === 0) return creditedTwiceIn(only);
  return repeatedAmong(snapshots, CREDITED, ({ key }) => {
    const [, transfer = ''] = key.split('|');
    return `credits transfer ${Buffer.from(transfer, 'hex').toString()} once more`;
  });
}

const creditedTwiceIn = (sql: Sql): PromiseLike<LogFault[]> => sql.$queryRaw<LogFault[]>`
  SELECT shard, position::float8 AS position, format('credits transfer %s once more', transfer) AS problem FROM (
    SELECT recorded.shard, recorded.position, transfer,
      row_number() OVER (PARTITION BY transfer, currency ORDER BY recorded.shard, recorded.position) AS nth
    FROM deposit_recorders AS recorded JOIN transactions ON transactions.id = transaction
    WHERE transfer IS NOT NULL AND status = 'COMPLETED'
  ) AS credited WHERE nth > 1 ORDER BY shard, position LIMIT ${NAMED_MAX}`;

/** A transfer's name is what a chain said: in hexadecimal digits it has one order everywhere. */
const CREDITED = `SELECT currency || '|' || encode(convert_to(transfer, 'UTF8'), 'hex') AS key, recorded.shard,
    recorded.position::float8 AS position
  FROM deposit_recorders AS recorded JOIN transactions ON transactions.id = transaction
  WHERE transfer IS NOT NULL AND status = 'COMPLETED'`;

const ENDS: Readonly<Partial<Record<Movement, DepositStep>>> = {
  'deposit-completed': 'confirm',
  'deposit-failed': 'fail',
  'deposit-reversed': 'reverse',
};

/** The first event of a command names who asked, and each event of a deposit its transaction. */
function saidBy({ asked_by, event, shard, position, command_id, movement }: RecordedEvent): Said[] {
  if (!asked_by || !('transaction' in event)) return [];
  const stated = readEvidence('deposit', asked_by.evidence ?? '');
  const name = stated?.rail === 'chain' ? nameOfDeposit(stated, command_id) : undefined;
  const of = { transfer: transferIn(stated), name: name ?? '' };
  return [{ transaction: event.transaction, service: asked_by.service, ...of, shard, position, command_id, movement }];
}

function transferIn(stated: DepositEvidence | undefined): string {
  const { network, crypto_transaction_id: hash, ordinal } = stated ?? {};
  return network && hash && typeof ordinal === 'number' ? `${network} ${hash.toLowerCase()} ${ordinal}` : '';
}
