/**
 * Copies a shard's log page by page, each in one transaction of the target: its events, as far as an older copy lacks them, what they
 * project, and how far the copy goes. The page is read back and checked as a rebuild checks it before it is committed, so that what is
 * on the target at any moment is a sound prefix of the log, with its projections up to the head that its row names: by that `verify`
 * compares them, also while the move is under way. Of what payouts count for, all is there up to the head.
 */
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { addFigures } from '@stablecoin/ledger-store/daily-figures';
import { appendEventRows, EventRow, readEventRows } from '@stablecoin/ledger-store/event-rows';
import { followedUpTo } from '@stablecoin/ledger-store/following-tables';
import { addToSearch } from '@stablecoin/ledger-store/transaction-search';
import { Sql } from '@stablecoin/persistence/sql';
import { Head } from '../log/log-inspector';
import { ShardFollower } from '../rebuild/rebuild-log';
import { RebuiltTree } from '../rebuild/rebuilt-tree';
import { Move, onCopy, parted } from './move';

/** Small enough that other shards' commits wait for no long transaction, and no processor is taken for long at a time. */
export const PAGE_SIZE = 500;

export class LogCopy {
  readonly tree = new RebuiltTree();
  /** All that the log names so far. */
  readonly merchants = new Set<string>();
  private readonly follower: ShardFollower;

  constructor(
    private readonly move: Move,
    private readonly pageSize = PAGE_SIZE,
  ) {
    this.follower = new ShardFollower(move.shard, {
      pageSize,
      onPage: (page, rows) => {
        this.tree.append(rows);
        for (const { merchant_id } of page) this.merchants.add(merchant_id);
        return Promise.resolve();
      },
    });
  }

  /** The last event that is on the target. */
  get position(): number {
    return this.follower.position;
  }

  /**
   * @param from the source, or the transaction that has locked the shard there
   * @param isLast leaves the tables that follow the log to the next holder, which is waited for
   * @returns the number of events; 0 at the end of the log
   */
  async page(from: Sql, { isLast = false } = {}): Promise<number> {
    const { shard } = this.move;
    const rows = await readEventRows(from, shard, this.position, this.pageSize);
    const last = rows.at(-1);
    if (!last) return 0;
    await onCopy(this.move, async (sql) => {
      await appendEventRows(sql, await this.missingOf(sql, rows));
      const read = await this.follower.step(sql);
      this.refuseFault();
      if (read !== rows.length) throw parted(this.move, `position ${last.position + 1}`);
      if (!isLast) {
        await addToSearch(sql, shard, await followedUpTo(sql, 'transaction_search', shard), last.position);
        await addFigures(sql, shard, await followedUpTo(sql, 'daily_figures', shard), last.position);
      }
      await sql.$executeRaw`
        UPDATE ledger_shards SET head_position = ${last.position}, head_hash = ${last.hash}, counting_epoch = NULL
        WHERE shard = ${shard}`;
    });
    return rows.length;
  }

  /** Those that an older copy on the target has not. @throws OperatorError where it has others */
  private async missingOf(sql: Sql, rows: readonly EventRow[]): Promise<EventRow[]> {
    const [first, last] = [rows[0]?.position, rows.at(-1)?.position];
    const found = await sql.$queryRaw<{ position: bigint; hash: Uint8Array }[]>`
      SELECT position, hash FROM ledger_events
      WHERE shard = ${this.move.shard} AND position >= ${first} AND position <= ${last}`;
    const known = new Map(found.map(({ position, hash }) => [Number(position), hash]));
    return rows.filter(({ position, hash }) => {
      const other = known.get(position);
      if (other && !hash.equals(other)) throw parted(this.move, `position ${position}`);
      return !other;
    });
  }

  /** The log ends here, and so does the copy. @throws OperatorError */
  async finish(head: Head): Promise<void> {
    this.follower.finish(head);
    this.refuseFault();
    const [row] = await this.move.target.sql.$queryRaw<{ position: bigint }[]>`
      SELECT position FROM ledger_events WHERE shard = ${this.move.shard} ORDER BY position DESC LIMIT 1`;
    if (Number(row?.position ?? 0) !== head.position) throw parted(this.move, `position ${head.position + 1}`);
  }

  private refuseFault(): void {
    const { fault } = this.follower;
    if (!fault) return;
    const { shard, source } = this.move;
    throw new OperatorError(
      `Shard ${shard}, position ${fault.position}: ${fault.problem}. A log with a fault is not moved; it is on ${source.name} as ` +
        'before. Run audit verify.',
    );
  }
}
