/**
 * Columns of many rows, each sent as one text that Postgres splits. Sent as arrays, every value would pass through the
 * client's and the driver's own escaping, which took most of the time of a large insert.
 */

/** What an element of an array must be quoted for: see "Array Input and Output Syntax" of Postgres. */
const NEEDS_QUOTES = /[\s{}",\\]|^$|^null$/i;
const NEEDS_ESCAPE = /["\\]/g;

/** For `unnest(…::type[])`: the array's literal. Any text is taken; null is null. */
export function arrayColumn(values: readonly (string | number | null)[]): string {
  return `{${values.map(element).join(',')}}`;
}

/** `arrayColumn` of a property of each row. */
export function columnsOf<Row>(rows: readonly Row[]): <Key extends ColumnKeys<Row>>(key: Key) => string {
  return (key) => arrayColumn(rows.map((row) => row[key] as string | number | null));
}

type ColumnKeys<Row> = { [Key in keyof Row]: Row[Key] extends string | number | null ? Key : never }[keyof Row];

function element(value: string | number | null): string {
  if (value === null) return 'NULL';
  if (typeof value === 'number' || !NEEDS_QUOTES.test(value)) return String(value);
  return `"${value.replace(NEEDS_ESCAPE, '\\$&')}"`;
}

/**
 * For `string_to_table(…, E'\n')`: one line for each text, unquoted, because JSON is full of quotation marks.
 *
 * @param texts without line feeds, and none of them empty; JSON from JSON.stringify is such a text
 * @throws Error for any other text: its parts would become other rows
 */
export function lineColumn(texts: readonly string[]): string {
  const column = texts.join('\n');
  let lines = texts.length === 0 ? 0 : 1;
  for (let end = column.indexOf('\n'); end >= 0; end = column.indexOf('\n', end + 1)) lines += 1;
  if (lines !== texts.length || texts.includes('')) throw new Error('a text of the column is empty or has a line feed');
  return column;
}
