/** The stored nodes of one shard's Merkle tree, made anew from its log: one for every 256 events, so they fit into memory. */
import { CompactRange, CompleteNode } from '@stablecoin/event-proofs/compact-range';
import { leafOfEvent } from '@stablecoin/event-proofs/ledger-leaf';
import { TILE_LEVELS } from '@stablecoin/event-proofs/tree-proofs';
import {
  deleteTreeNodes,
  differingTreeNodes,
  insertTreeNodes,
  latestCheckpoint,
} from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { EventRow } from '@stablecoin/ledger-store/event-rows';
import { Sql } from '@stablecoin/persistence/sql';

export class RebuiltTree {
  private readonly range = new CompactRange();
  private readonly nodes: CompleteNode[] = [];

  append(rows: readonly EventRow[]): void {
    for (const { body, hash } of rows) {
      const completed = this.range.append(leafOfEvent(body, hash));
      this.nodes.push(...completed.filter(({ level }) => level % TILE_LEVELS === 0));
    }
  }

  /** Those that a tree of so many events has, and one of fewer did not have yet. */
  completedBetween(from: number, to: number): CompleteNode[] {
    const isComplete = ({ level, index }: CompleteNode, size: number) => (index + 1) * 2 ** level <= size;
    return this.nodes.filter((node) => isComplete(node, to) && !isComplete(node, from));
  }

  /** @returns how many are missing, are stored with another hash, or are too many */
  async differing(sql: Sql, shard: number): Promise<number> {
    const nodes = await this.storedNodes(sql, shard);
    const [row] = await sql.$queryRaw<{ stored: bigint }[]>`
      SELECT count(*) AS stored FROM ledger_tree_nodes WHERE shard = ${shard}`;
    return (await differingTreeNodes(sql, shard, nodes)) + Math.max(0, Number(row?.stored ?? 0) - nodes.length);
  }

  /** Only where the nodes are locked. */
  async mend(sql: Sql, shard: number): Promise<void> {
    if ((await this.differing(sql, shard)) === 0) return;
    await deleteTreeNodes(sql, shard);
    await insertTreeNodes(sql, shard, await this.storedNodes(sql, shard));
  }

  /** Those that were complete at the last checkpoint: the next one stores the others. */
  private async storedNodes(sql: Sql, shard: number): Promise<CompleteNode[]> {
    const size = (await latestCheckpoint(sql, shard))?.size ?? 0;
    return this.completedBetween(0, size);
  }
}
