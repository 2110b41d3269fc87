/** Makes the trees of a signed statement of liabilities anew, and says where it and its stored tiles differ from them. */
import { LiabilityStatement } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { printUnits } from '@stablecoin/event-proofs/liabilities/sum-tree';
import { countTiles, isTileStored, LiabilityRow } from '@stablecoin/ledger-store/liabilities/liability-rows';
import { makeLiabilityTrees, TreeSum } from '@stablecoin/ledger-store/liabilities/liability-trees';
import { PartOfWallets } from '@stablecoin/ledger-store/liabilities/wallet-liabilities';
import { Sql } from '@stablecoin/persistence/sql';

export interface MadeAnew {
  sums: TreeSum[];
  /** The first difference; undefined when the statement is right. */
  problem: string | undefined;
}

/**
 * @param snapshot a transaction that sees one moment of the database with the statements
 * @param parts of each database with shards such a transaction, whose `account_balances`, `wallets` and `transactions` follow
 *   from the log; left out where it is that one alone
 */
export async function madeAnew(
  snapshot: Sql,
  row: LiabilityRow,
  statement: LiabilityStatement,
  parts: readonly PartOfWallets[] = [{ sql: snapshot, positions: statement.shards }],
): Promise<MadeAnew> {
  const { number, secret } = row;
  const stored = await countTiles(snapshot, number);
  let [tiles, differing] = [0, 0];
  const sums = await makeLiabilityTrees(parts, statement, { secret, pending: 'by scan' }, async (tile) => {
    tiles += 1;
    // The trees of older statements are not kept.
    if (stored > 0 && !(await isTileStored(snapshot, number, tile))) differing += 1;
  });
  const problem = differenceOf(statement, sums);
  if (problem || (stored === tiles && differing === 0) || stored === 0) return { sums, problem };
  return {
    sums,
    problem: `${differing + Math.max(0, stored - tiles)} stored tiles of its trees are not as the log says`,
  };
}

function differenceOf(statement: LiabilityStatement, sums: readonly TreeSum[]): string | undefined {
  for (const { currency, sum, depth, root } of sums) {
    const stated = statement.owed.find((one) => one.currency === currency);
    if (!stated) return `it does not say that ${printUnits(sum)} ${currency} are owed`;
    if (stated.sum !== sum) {
      return `it says that ${printUnits(stated.sum)} ${currency} are owed; by the log it is ${printUnits(sum)}`;
    }
    if (!stated.root.equals(root) || stated.depth !== depth) {
      return `its tree of ${currency} is not that of the wallets in the log`;
    }
  }
  const surplus = statement.owed.find(({ currency }) => !sums.some((sum) => sum.currency === currency));
  return surplus && `it names ${surplus.currency}, of which the log knows no wallet`;
}
