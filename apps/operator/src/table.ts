/** Rows for people, under a header: columns as wide as their widest cell; an absent value is a dash. */
export function table(header: string[], rows: (string | null)[][]): string {
  const cells = [header, ...rows.map((row) => row.map((cell) => cell ?? '-'))];
  const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
