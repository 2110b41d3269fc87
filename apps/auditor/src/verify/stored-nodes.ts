/** Compares the stored nodes of a shard's Merkle tree (`ledger_tree_nodes`), from which proofs are made, with the log. */
import { CompleteNode } from '@stablecoin/event-proofs/compact-range';
import { TILE_LEVELS } from '@stablecoin/event-proofs/tree-proofs';
import { differingTreeNodes } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { Sql } from '@stablecoin/persistence/sql';

export class StoredNodesCheck {
  private expected: CompleteNode[] = [];
  private count = 0;
  private differing = 0;

  constructor(
    private readonly sql: Sql,
    private readonly shard: number,
  ) {}

  expect(completed: readonly CompleteNode[]): void {
    this.expected.push(...completed.filter(({ level }) => level % TILE_LEVELS === 0 && level > 0));
  }

  /** After a page: what it has completed. */
  async compare(): Promise<void> {
    if (this.expected.length === 0) return;
    this.differing += await differingTreeNodes(this.sql, this.shard, this.expected);
    this.count += this.expected.length;
    this.expected = [];
  }

  /** After the last page. @returns how many differ, are missing, or are too many */
  async finish(): Promise<number> {
    const [row] = await this.sql.$queryRaw<{ stored: bigint }[]>`
      SELECT count(*) AS stored FROM ledger_tree_nodes WHERE shard = ${this.shard}`;
    return this.differing + Math.max(0, Number(row?.stored ?? 0) - this.count);
  }
}
