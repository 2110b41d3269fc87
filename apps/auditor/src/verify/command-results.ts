/**
 * Exactly one effect rests on the stored results, and a retry is answered from them. So every command in the log must have
 * its result, stored under its own merchant, and it must say what its events say. Only one command can change nothing, the
 * closing of a customer who is closed: any other result without an event in the log was stored by somebody who wanted that
 * the command never takes effect. What can't be worked out is the hash of a command's input, which only decides whether a
 * retry is one.
 */
import { closeCustomerCommandName } from '@stablecoin/contracts/wallet/close-customer-account';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import { derivedUuid } from '@stablecoin/messaging/derived-command';
import { Prisma } from '@stablecoin/ledger-store/generated/client';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { Sql } from '@stablecoin/persistence/sql';
import { inTurn } from '../database/in-turn';
import { resultKey } from '../rebuild/left-out';
import { Answer, contradictedFields, expectedResult, parsedAnswer } from '@stablecoin/ledger-log/log/expected-result';

export interface CommandFault {
  /** Null for a result that no event belongs to. */
  shard: number | null;
  position: number | null;
  command_id: string;
  problem: string;
}

const NAMED_MAX = 10;
const AT_ONCE = 1_000;

/** Of a database that has results of shards on others: the events of these commands are there, and `results_elsewhere` has the results. */
export interface CopiedResults {
  /** The other databases, each with the customers that were closed there. */
  others: readonly Sql[];
}

/** Of this connection alone: the commands that were found in the log, and where each begins. */
export async function createLoggedCommands(sql: Pick<Sql, '$executeRaw'>): Promise<void> {
  await sql.$executeRaw`CREATE TEMPORARY TABLE logged_commands (command_id uuid, shard int, position bigint)`;
}

const NOT_ELSEWHERE = Prisma.sql`
  AND NOT EXISTS (SELECT FROM results_elsewhere AS elsewhere WHERE elsewhere.key = ${Prisma.raw(resultKey('stored'))})`;

interface Command {
  first: RecordedEvent;
  /** Its first group of events. */
  group: RecordedEvent[];
  expected: string | undefined;
}

interface StoredRow {
  command_id: string;
  merchant_id: string;
  result: string;
}

/** Follows the log page by page and names the first few faults. */
export class CommandResultsCheck {
  readonly faults: CommandFault[] = [];
  /** How many commands have a result and no event. */
  unlogged = 0;
  private readonly commands = new Map<string, Command>();
  /** The last one seen: its events are neighbours, but may lie on two pages. */
  private last = '';

  constructor(private readonly sql: Sql) {}

  /** @param isLast of its group, as far as it has been read */
  readonly apply = (state: LedgerState, recorded: RecordedEvent, isLast: boolean): void => {
    const command = this.commandOf(recorded);
    if (command?.first.group !== recorded.group) return;
    // A page may be folded twice.
    if (command.group.at(-1)?.position !== recorded.position) command.group.push(recorded);
    if (isLast) command.expected = expectedResult(command.group, state);
  };

  private commandOf(recorded: RecordedEvent): Command | undefined {
    const { command_id, position } = recorded;
    const known = this.commands.get(command_id);
    if (!known && command_id === this.last) return undefined;
    if (known && known.first.position !== position) return known;
    const command = { first: recorded, group: [], expected: undefined };
    this.commands.set(command_id, command);
    return command;
  }

  /** After a page of a shard was found sound. */
  async follow(page: readonly RecordedEvent[]): Promise<void> {
    const last = page.at(-1)?.command_id ?? this.last;
    await this.note(page.filter(({ command_id }, index) => command_id !== (page[index - 1]?.command_id ?? this.last)));
    const ended = [...this.commands].filter(([command_id]) => command_id !== last);
    await this.compare(ended);
    this.last = last;
  }

  /** @param begun the first event of each command: its groups are neighbours */
  private async note(begun: readonly RecordedEvent[]): Promise<void> {
    const [ids, shards, positions] = [
      arrayColumn(begun.map(({ command_id }) => command_id)),
      arrayColumn(begun.map(({ shard }) => String(shard))),
      arrayColumn(begun.map(({ position }) => String(position))),
    ];
    await this.sql.$executeRaw`
      INSERT INTO logged_commands SELECT * FROM unnest(${ids}::uuid[], ${shards}::int[], ${positions}::bigint[])`;
  }

  /** After the last page of a shard. */
  async finishShard(isSound: boolean): Promise<void> {
    if (isSound) await this.compare([...this.commands]);
    this.commands.clear();
    this.last = '';
  }

  private async compare(commands: [string, Command][]): Promise<void> {
    if (commands.length === 0) return;
    commands.forEach(([command_id]) => this.commands.delete(command_id));
    const ids = arrayColumn(commands.map(([command_id]) => command_id));
    const rows = await this.sql.$queryRaw<StoredRow[]>`
      SELECT command_id::text, merchant_id::text, result FROM command_results WHERE command_id = ANY (${ids}::uuid[])`;
    const stored = new Map(rows.map((row) => [row.command_id, row]));
    for (const [command_id, { first, expected }] of commands) {
      const problem = problemOf(stored.get(command_id), first, expected);
      if (problem) this.fail({ shard: first.shard, position: first.position, command_id, problem });
    }
  }

  /** When the whole log is sound: the results that no event belongs to. The tables are those rebuilt from the log. */
  async finish(copied?: CopiedResults): Promise<void> {
    await this.sql.$executeRaw`ANALYZE logged_commands`;
    let after = '00000000-0000-0000-0000-000000000000';
    for (;;) {
      const rows = await this.sql.$queryRaw<StoredRow[]>`
        SELECT command_id::text, merchant_id::text, result FROM command_results AS stored
        WHERE command_id > ${after}::uuid
          AND NOT EXISTS (SELECT FROM logged_commands AS logged WHERE logged.command_id = stored.command_id)
          ${copied ? NOT_ELSEWHERE : Prisma.empty}
        ORDER BY stored.command_id LIMIT ${AT_ONCE}`;
      await this.compareUnlogged(rows, copied?.others ?? []);
      if (rows.length < AT_ONCE) return;
      after = (rows.at(-1) as StoredRow).command_id;
    }
  }

  private async compareUnlogged(rows: readonly StoredRow[], others: readonly Sql[]): Promise<void> {
    if (rows.length === 0) return;
    const answers = rows.map((row) => ({ ...row, answer: parsedAnswer(row.result) }));
    const ids = answers.map(({ answer }) => answer?.['customer_id']);
    const closed = await closedCustomers(this.sql, ids);
    const closedElsewhere = await inTurn(others, (sql) => closedCustomers(sql, ids));
    for (const { command_id, merchant_id, answer } of answers) {
      const problem = unloggedProblem(closed, { command_id, merchant_id, answer });
      if (problem && closedElsewhere.some((one) => !unloggedProblem(one, { command_id, merchant_id, answer })))
        continue;
      this.unlogged += 1;
      if (problem) this.fail({ shard: null, position: null, command_id, problem });
    }
  }

  private fail(fault: CommandFault): void {
    if (this.faults.length < NAMED_MAX) this.faults.push(fault);
  }
}

async function closedCustomers(sql: Sql, ids: readonly unknown[]): Promise<Map<string, string>> {
  const uuids = ids.filter((id): id is string => typeof id === 'string' && UUID.test(id));
  const rows = await sql.$queryRaw<{ customer_id: string; merchant_id: string }[]>`
      SELECT customer_id::text, merchant_id::text FROM closed_customers
      WHERE customer_id = ANY (${arrayColumn(uuids)}::uuid[])`;
  return new Map(rows.map(({ customer_id, merchant_id }) => [customer_id, merchant_id]));
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function problemOf(row: StoredRow | undefined, first: RecordedEvent, expected: string | undefined): string | undefined {
  if (!row) return 'has no stored result';
  if (row.merchant_id !== first.merchant_id) return 'has a stored result of another merchant';
  if (!expected) return undefined;
  const fields = contradictedFields(row.result, expected);
  return fields.length > 0 ? `has a stored result that its events contradict, in ${fields.join(', ')}` : undefined;
}

/**
 * All that leaves no event is to close a customer who is closed. Its command has the id that the customer service derives of the customer:
 * under any other one stands a command that somebody wants to take no effect when it comes, a deposit or a payout's end, whose ids can
 * be worked out in advance.
 */
function unloggedProblem(
  closed: ReadonlyMap<string, string>,
  { command_id, merchant_id, answer }: Pick<StoredRow, 'command_id' | 'merchant_id'> & { answer: Answer | undefined },
): string | undefined {
  const customer_id = answer?.['customer_id'];
  const isOfClosed =
    answer !== undefined &&
    Object.keys(answer).length === 1 &&
    typeof customer_id === 'string' &&
    command_id === derivedUuid(closeCustomerCommandName(customer_id)) &&
    closed.get(customer_id) === merchant_id;
  return isOfClosed
    ? undefined
    : 'has a stored result, but no event, and is not the closing of a customer who was closed: sent again it would take no effect';
}
