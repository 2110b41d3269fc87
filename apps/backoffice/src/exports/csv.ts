/** What a spreadsheet would take for a formula, unless it is a number. */
const FORMULA = /^[=+\-@\t\r]/;
const NUMBER = /^-?\d+(\.\d+)?$/;
const QUOTED = /[",\r\n]/;

/** A line of RFC 4180; null is an empty cell. A text that a spreadsheet would run is shown as a text. */
export const csvLine = (cells: readonly (string | null)[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(value: string | null): string {
  if (value === null) return '';
  const text = FORMULA.test(value) && !NUMBER.test(value) ? `'${value}` : value;
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
