// Figures for people: columns by title, each with the function of its value; the first one is of words, the others of numbers.

export function table(rows, columns) {
  const cells = [Object.keys(columns), ...rows.map((row) => Object.values(columns).map((value) => String(value(row))))];
  const widths = Object.keys(columns).map((_, index) => Math.max(...cells.map((line) => line[index].length)));
  const pad = (text, index) => (index === 0 ? text.padEnd(widths[index]) : text.padStart(widths[index]));
  return cells.map((line) => line.map(pad).join('  ')).join('\n');
}
