/** Makes the document that `verify-liability` checks, from the stored tiles of a statement's tree. */
import { readLiabilities } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { printUnits } from '@stablecoin/event-proofs/liabilities/sum-tree';
import { branchOf } from '@stablecoin/event-proofs/liabilities/sum-tree-tiles';
import { LIABILITY_FORMAT, LiabilityDocument } from '@stablecoin/event-proofs/liabilities/verify-liability';
import { Currency } from '@stablecoin/money/currency';
import { Sql } from '@stablecoin/persistence/sql';
import { findLeaf, LiabilityRow, readTile } from './liability-rows';

/** Undefined when the statement doesn't count the wallet: it was opened later. */
export async function liabilityDocument(
  sql: Sql,
  row: LiabilityRow,
  { id, currency }: { id: string; currency: Currency },
): Promise<LiabilityDocument<Currency> | undefined> {
  const stated = readLiabilities(row.note)?.owed.find((sum) => sum.currency === currency);
  const leaf = stated && (await findLeaf(sql, row, currency, id));
  if (!leaf) return undefined;
  const tileAt = (level: number, index: number) => readTile(sql, { number: row.number, currency, level, index });
  const path = await branchOf(tileAt, leaf.index, stated.depth);
  return {
    format: LIABILITY_FORMAT,
    wallet_id: id,
    currency,
    balance: printUnits(leaf.liability.balance),
    held: printUnits(leaf.liability.held),
    salt: leaf.salt.toString('hex'),
    index: leaf.index,
    path: path.map(({ hash, sum }) => ({ hash: hash.toString('hex'), sum: printUnits(sum) })),
    statement: row.note,
  };
}
