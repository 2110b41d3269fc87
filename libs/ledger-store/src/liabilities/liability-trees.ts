/**
 * Makes the Merkle-sum trees of a statement in one pass over the wallets, in the caller's snapshot and in constant memory: the
 * service stores their tiles, an auditor compares them.
 */
import { contextOf, LiabilityPlace, StatedSum } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { depthFor, paddingLeaf, walletLeaf } from '@stablecoin/event-proofs/liabilities/sum-tree';
import { SumTile, SumTreeBuilder } from '@stablecoin/event-proofs/liabilities/sum-tree-tiles';
import { leafBytes, nodesOf, StoredTile } from './liability-rows';
import { countedAt, LeafRow, PartOfWallets, PendingPayouts, readLeaves, walletCounts } from './wallet-liabilities';

/** What all wallets of a tree have, beside what is stated of them. */
export interface TreeSum extends StatedSum {
  wallets: number;
  /** Those below zero too, as the house's accounts have it. */
  balances: bigint;
  held: bigint;
}

/**
 * @param parts of each database a transaction that sees one moment; together they have the shards of the place
 * @param onTile called with each tile, in order, and awaited
 */
export async function makeLiabilityTrees(
  parts: readonly PartOfWallets[],
  place: LiabilityPlace,
  { secret, pending }: { secret: Buffer; pending: PendingPayouts },
  onTile: (tile: StoredTile) => Promise<void>,
): Promise<TreeSum[]> {
  const counted = await countedAt(parts, place);
  const counts = await walletCounts(counted);
  const depths = new Map([...counts].map(([currency, wallets]) => [currency, depthFor(wallets)]));
  const widths = new Map([...depths].map(([currency, depth]) => [currency, 2 ** depth]));
  const sums: TreeSum[] = [];
  let tree: CurrencyTree | undefined;
  for await (const row of readLeaves(counted, { secret, widths, pending })) {
    if (tree?.currency !== row.currency) {
      if (tree) sums.push(tree.sum());
      tree = new CurrencyTree(place, row.currency, depths.get(row.currency) ?? 0);
    }
    for (const tile of tree.push(row)) await onTile(tile);
  }
  if (tree) sums.push(tree.sum());
  return sums;
}

class CurrencyTree {
  private readonly context: Buffer;
  private readonly builder: SumTreeBuilder;
  /** Of the tile that is not complete yet. */
  private leaves: Buffer[] = [];
  private firstPlace: Buffer | undefined;
  private wallets = 0;
  private balances = 0n;
  private held = 0n;

  constructor(
    place: LiabilityPlace,
    readonly currency: string,
    private readonly depth: number,
  ) {
    this.context = contextOf(place, currency);
    this.builder = new SumTreeBuilder(depth);
  }

  push({ place, salt, liability }: LeafRow): StoredTile[] {
    this.firstPlace ??= place;
    this.leaves.push(leafBytes(liability));
    if (liability) {
      this.wallets += 1;
      this.balances += liability.balance;
      this.held += liability.held;
    }
    const leaf = liability ? walletLeaf(this.context, salt, liability) : paddingLeaf(this.context, salt);
    return this.builder.push(leaf).map((tile) => this.stored(tile));
  }

  sum(): TreeSum {
    const { currency, depth, wallets, balances, held } = this;
    const { hash: root, sum } = this.builder.root;
    return { currency, depth, root, sum, wallets, balances, held };
  }

  private stored({ level, index, nodes }: SumTile): StoredTile {
    const tile = { currency: this.currency, level, index, nodes: nodesOf(nodes) };
    if (level > 0 || !this.firstPlace) return tile;
    const leaves = { wallets: Buffer.concat(this.leaves), first_place: this.firstPlace };
    this.leaves = [];
    this.firstPlace = undefined;
    return { ...tile, leaves };
  }
}
