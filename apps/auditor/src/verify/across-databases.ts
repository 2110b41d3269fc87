/**
 * What may be there once in all of the ledger, where its shards lie on several databases: each gives its keys in order, from a cursor, and
 * equal ones meet here. Where there is one database, a statement finds them.
 */
import { RawSql, Sql } from '@stablecoin/persistence/sql';

export interface Keyed {
  /** Of ASCII, in the order of `COLLATE "C"`. */
  key: string;
}

export interface PlacedKey extends Keyed {
  shard: number;
  position: number;
}

const ROWS_AT_ONCE = 1_000;

/**
 * The rows of all databases that share their key with another one.
 *
 * @param rows selects them with their keys; it names no order
 */
export async function* sharingKeys<Row extends Keyed>(
  snapshots: readonly (Sql & RawSql)[],
  rows: string,
): AsyncGenerator<[Row, Row, ...Row[]]> {
  let same: Row[] = [];
  for await (const row of merged(snapshots.map((snapshot) => inOrder<Row>(snapshot, rows)))) {
    if (same[0]?.key !== row.key) {
      if (isShared(same)) yield same;
      same = [];
    }
    same.push(row);
  }
  if (isShared(same)) yield same;
}

const isShared = <Row>(rows: Row[]): rows is [Row, Row, ...Row[]] => rows.length > 1;

async function* inOrder<Row extends Keyed>(snapshot: Sql & RawSql, rows: string): AsyncGenerator<Row, void> {
  await snapshot.$executeRawUnsafe(
    `DECLARE keys_in_order NO SCROLL CURSOR FOR SELECT * FROM (${rows}) AS keyed ORDER BY key COLLATE "C"`,
  );
  for (;;) {
    const found = await snapshot.$queryRawUnsafe<Row[]>(`FETCH ${ROWS_AT_ONCE} FROM keys_in_order`);
    yield* found;
    if (found.length < ROWS_AT_ONCE) break;
  }
  await snapshot.$executeRawUnsafe('CLOSE keys_in_order');
}

/** The one with the least key of all, each time, until none has more. */
async function* merged<Row extends Keyed>(sources: readonly AsyncGenerator<Row, void>[]): AsyncGenerator<Row> {
  const headOf = async (source: AsyncGenerator<Row, void>) => ({ source, next: await source.next() });
  let heads = await Promise.all(sources.map(headOf));
  for (;;) {
    const open = heads.flatMap(({ source, next }) => (next.done ? [] : [{ source, next, row: next.value }]));
    const [first, ...others] = open.sort((one, other) => (one.row.key < other.row.key ? -1 : 1));
    if (!first) return;
    yield first.row;
    heads = [await headOf(first.source), ...others];
  }
}
