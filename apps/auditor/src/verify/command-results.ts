/**
 * Exactly one effect rests on the stored results: a command whose result is missing would take effect again when it is
 * retried, and a result stored under another merchant would have its own merchant's retry refused. So every command in the
 * log must have its result. The reverse is no rule: a command that changed nothing has a result and no event.
 */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { Sql } from '@stablecoin/persistence/sql';

export interface CommandFault {
  shard: number;
  position: number;
  command_id: string;
  problem: string;
}

const NAMED_MAX = 10;

/** Follows the log page by page and names the first few faults. */
export class CommandResultsCheck {
  readonly faults: CommandFault[] = [];
  /** The last command seen: its events are neighbours, but may lie on two pages. */
  private last = '';

  constructor(private readonly sql: Sql) {}

  async follow(page: readonly RecordedEvent[]): Promise<void> {
    const first = new Map<string, RecordedEvent>();
    for (const recorded of page) {
      if (recorded.command_id !== this.last) first.set(recorded.command_id, recorded);
      this.last = recorded.command_id;
    }
    if (first.size === 0 || this.faults.length >= NAMED_MAX) return;
    const rows = await this.sql.$queryRaw<{ command_id: string; merchant_id: string }[]>`
      SELECT command_id::text, merchant_id::text FROM command_results
      WHERE command_id = ANY (${arrayColumn([...first.keys()])}::uuid[])`;
    const owners = new Map(rows.map(({ command_id, merchant_id }) => [command_id, merchant_id]));
    for (const { shard, position, command_id, merchant_id } of first.values()) {
      const owner = owners.get(command_id);
      if (owner === merchant_id || this.faults.length >= NAMED_MAX) continue;
      const problem = owner === undefined ? 'has no stored result' : 'has a stored result of another merchant';
      this.faults.push({ shard, position, command_id, problem });
    }
  }
}
