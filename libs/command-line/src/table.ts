/** Rows for people, under a header: columns as wide as their widest cell. What is absent is shown as a dash. */
export function table(header: readonly string[], rows: readonly (readonly (string | null)[])[]): string {
  return aligned([header, ...rows.map((row) => row.map((cell) => cell ?? '-'))], header.length);
}

/** Figures for people: columns by title, each with the function of its value. The first holds words, the others numbers. */
export function figures<Row>(rows: readonly Row[], columns: Record<string, (row: Row) => unknown>): string {
  return aligned(
    [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((value) => String(value(row))))],
    1,
  );
}

/** The first `words` columns begin at the left, the others end at the right. */
function aligned(rows: readonly (readonly string[])[], words: number): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const pad = (text: string, column: number) =>
    column < words ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
  return rows.map((row) => row.map(pad).join('  ').trimEnd()).join('\n');
}
