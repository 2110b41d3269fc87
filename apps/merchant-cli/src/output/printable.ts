/** What a terminal would take as an order, an escape sequence or a line break in the middle of a table, is shown as a mark. */
export const printable = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\u{FFFD}');
