/** The text of a list, line by line as it arrives: of a file of gigabytes, no more than a line is in memory. */

/** What a person is told of a list that can't be read: which line, and what is wrong with it. */
export class ListUnreadable extends Error {
  constructor(
    readonly line: number,
    problem: string,
  ) {
    super(`line ${line}: ${problem}`);
  }
}

export interface ListLine {
  number: number;
  text: string;
}

/** The longest entity of OpenSanctions takes some hundred thousand. */
const CHARACTERS_MAX = 4_000_000;

/**
 * Lines that are not empty, without their ends.
 *
 * @throws ListUnreadable for bytes that are no UTF-8, and for a line without an end
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ListLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [number, rest] = [1, ''];
  const decoded = (chunk?: Uint8Array): string => {
    try {
      return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode();
    } catch {
      throw new ListUnreadable(number, 'is not UTF-8, or one of the lines after it');
    }
  };
  for await (const chunk of chunks) {
    const [first = '', ...further] = decoded(chunk).split('\n');
    rest += first;
    const lines = further.length === 0 ? [] : [rest, ...further];
    rest = lines.pop() ?? rest;
    for (const text of lines) {
      yield { number, text: text.replace(/\r$/, '') };
      number += 1;
    }
    if (rest.length > CHARACTERS_MAX) throw new ListUnreadable(number, `is longer than ${CHARACTERS_MAX} characters`);
  }
  const last = rest + decoded();
  if (last !== '') yield { number, text: last.replace(/\r$/, '') };
}

export interface ListRecord {
  number: number;
  fields: string[];
}

/**
 * The records of a CSV text (RFC 4180): fields by commas, quoted where they have commas, quotes or line ends in them.
 *
 * @throws ListUnreadable
 */
export async function* recordsOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<ListRecord> {
  let open: ListLine | undefined;
  for await (const { number, text } of linesOf(chunks)) {
    const record: ListLine = open ? { number: open.number, text: `${open.text}\n${text}` } : { number, text };
    // A record goes on in the next line where a quoted field has not ended.
    const isWhole = ((record.text.match(/"/g) ?? []).length & 1) === 0;
    open = isWhole ? undefined : record;
    if (record.text.length > CHARACTERS_MAX)
      throw new ListUnreadable(record.number, 'has a quoted field without an end');
    if (isWhole && record.text !== '') yield { number: record.number, fields: fieldsOf(record) };
  }
  if (open) throw new ListUnreadable(open.number, 'has a quoted field without an end');
}

const FIELD = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;
const PART = /(?:"((?:[^"]|"")*)"|([^";]*))(;|$)/y;

const fieldsOf = (record: ListLine): string[] => split(record, FIELD);

/** The values in one field of OpenSanctions, by semicolons and quoted like fields. */
export const partsOf = (field: ListLine): string[] => (field.text === '' ? [] : split(field, PART));

function split({ number, text }: ListLine, pattern: RegExp): string[] {
  const parts: string[] = [];
  pattern.lastIndex = 0;
  for (;;) {
    const part = pattern.exec(text);
    if (!part)
      throw new ListUnreadable(number, 'has a quote in a field that is not quoted, or text behind a quoted one');
    const [, quoted, plain = '', end] = part;
    parts.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '') return parts;
  }
}
