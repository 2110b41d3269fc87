/** Makes the document that `verify-liability` checks, from the stored tiles of a statement's tree. */
import { treeNamesOf, readLiabilities, StatedSum } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { printUnits } from '@stablecoin/event-proofs/liabilities/sum-tree';
import { branchOf } from '@stablecoin/event-proofs/liabilities/sum-tree-tiles';
import { LIABILITY_FORMAT, LiabilityDocument } from '@stablecoin/event-proofs/liabilities/verify-liability';
import { Currency } from '@stablecoin/money/currency';
import { Sql } from '@stablecoin/persistence/sql';
import { findLeaf, FoundLeaf, LiabilityRow, readTile } from './liability-rows';

/** Undefined when the statement doesn't count the wallet: it was opened later. */
export async function liabilityDocument(
  sql: Sql,
  row: LiabilityRow,
  { id, currency }: { id: string; currency: Currency },
): Promise<LiabilityDocument<Currency> | undefined> {
  const trees = readLiabilities(row.note)?.owed.filter((sum) => treeNamesOf(currency).includes(sum.currency)) ?? [];
  for (const tree of trees) {
    const leaf = await findLeaf(sql, row, tree.currency, id);
    if (leaf) return documentOf(sql, row, { currency, tree, leaf });
  }
  return undefined;
}

async function documentOf(
  sql: Sql,
  row: LiabilityRow,
  { currency, tree, leaf }: { currency: Currency; tree: StatedSum; leaf: FoundLeaf },
): Promise<LiabilityDocument<Currency>> {
  const place = { number: row.number, currency: tree.currency };
  const tileAt = (level: number, index: number) => readTile(sql, { ...place, level, index });
  const path = await branchOf(tileAt, leaf.index, tree.depth);
  return {
    format: LIABILITY_FORMAT,
    wallet_id: leaf.liability.wallet_id,
    currency,
    balance: printUnits(leaf.liability.balance),
    held: printUnits(leaf.liability.held),
    salt: leaf.salt.toString('hex'),
    index: leaf.index,
    path: path.map(({ hash, sum }) => ({ hash: hash.toString('hex'), sum: printUnits(sum) })),
    statement: row.note,
  };
}
