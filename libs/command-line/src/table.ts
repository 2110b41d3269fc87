/** Figures for people: columns by title, each with the function of its value; the first is of words, the others of numbers. */
export function table<Row>(rows: readonly Row[], columns: Record<string, (row: Row) => unknown>): string {
  const cells = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((value) => String(value(row))))];
  const widths = Object.keys(columns).map((_, index) => Math.max(...cells.map((line) => (line[index] ?? '').length)));
  const pad = (text: string, index: number) => {
    const width = widths[index] ?? 0;
    return index === 0 ? text.padEnd(width) : text.padStart(width);
  };
  return cells.map((line) => line.map(pad).join('  ')).join('\n');
}
