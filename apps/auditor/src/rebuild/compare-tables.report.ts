import { counted, table } from '../report/report';
import { isEqual, TableComparison } from './compare-tables';

/** One line per table, and one per row named. */
export function tableLines(tables: readonly TableComparison[]): string[] {
  if (tables.length === 0) return ['   projections not compared: no shard has a sound log'];
  const lines = table(tables.map(tableLine)).split('\n');
  return tables.flatMap(({ first }, index) => [
    lines[index] ?? '',
    ...first.map(
      ({ key, kind, columns }) => `     ${kind}: ${key}${columns.length > 0 ? ` in ${columns.join(', ')}` : ''}`,
    ),
  ]);
}

function tableLine(comparison: TableComparison): string[] {
  const { table: name, rows, missing, surplus, differing } = comparison;
  const verdict = isEqual(comparison)
    ? 'as the log says'
    : `${missing} missing, ${surplus} surplus, ${differing} differing`;
  return [isEqual(comparison) ? '  ' : '!!', name, counted(rows, 'row'), verdict];
}
