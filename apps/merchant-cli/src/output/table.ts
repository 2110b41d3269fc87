import { printable } from './printable';

/** Rows for people, under a header, each column as wide as its widest cell. Of a list of columns, those that no row has are left out. */
export function table(rows: readonly object[], columns: readonly string[]): string {
  const used = columns.filter((column) => rows.some((row) => valueAt(row, column) !== undefined));
  const cells = rows.map((row) => used.map((column) => cellText(valueAt(row, column))));
  const lines = [used.map((column) => column.toUpperCase()), ...cells];
  const widths = used.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** One thing for people: a line for each of its fields, those of inner objects by their path. */
export function fieldLines(value: unknown): string {
  const fields = fieldsOf(value, '');
  const width = Math.max(0, ...fields.map(([name]) => name.length));
  return fields.map(([name, text]) => `${name.padEnd(width)}  ${text}`.trimEnd()).join('\n');
}

function fieldsOf(value: unknown, path: string): [string, string][] {
  if (typeof value !== 'object' || value === null || isPlainList(value)) return [[path, cellText(value)]];
  return Object.entries(value).flatMap(([name, inner]) => fieldsOf(inner, path === '' ? name : `${path}.${name}`));
}

const isPlainList = (value: object): boolean =>
  Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null);

/** `personal_info.first_name` */
function valueAt(row: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }, row);
}

function cellText(value: unknown): string {
  if (value === null || value === undefined || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map(cellText).join(', ');
  return printable(typeof value === 'string' ? value : JSON.stringify(value));
}
