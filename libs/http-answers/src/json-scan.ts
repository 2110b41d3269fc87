/** How much a JSON text may hold. */
export interface JsonBounds {
  /** Arrays and objects inside one another. */
  depthMax: number;
  /** Members of objects and items of arrays, all together. */
  valuesMax: number;
  /** Names of members, all together; a name that is repeated counts each time. */
  namesMax: number;
}

export type JsonExcess = 'depth' | 'values' | 'names';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const [COMMA, COLON] = [0x2c, 0x3a];
const [ARRAY, ARRAY_END] = [0x5b, 0x5d];
const [OBJECT, OBJECT_END] = [0x7b, 0x7d];
const [SPACE, TAB, LINE_FEED, CARRIAGE_RETURN] = [0x20, 0x09, 0x0a, 0x0d];

/**
 * Finds the first bound that a JSON text exceeds, in one pass over its bytes that allocates nothing: a small text can
 * hold so many values that parsing it, and all that is done with each value afterwards, takes seconds.
 *
 * The text need not be valid. What is counted in one that isn't means nothing: it is refused either here or by the parser.
 */
export function findExcess(bytes: Uint8Array, { depthMax, valuesMax, namesMax }: JsonBounds): JsonExcess | undefined {
  let depth = 0;
  let values = 0;
  let names = 0;
  /** The byte before, white space aside, opened an array or object: its first value follows, or its end. */
  let isOpened = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB) continue;
    const isEnd = byte === ARRAY_END || byte === OBJECT_END;
    if (byte === COMMA || (isOpened && !isEnd)) {
      values += 1;
      if (values > valuesMax) return 'values';
    }
    isOpened = byte === ARRAY || byte === OBJECT;
    if (isOpened) {
      depth += 1;
      if (depth > depthMax) return 'depth';
    } else if (isEnd) {
      depth -= 1;
    } else if (byte === COLON) {
      names += 1;
      if (names > namesMax) return 'names';
    } else if (byte === QUOTE) {
      at = endOfString(bytes, at);
    }
  }
  return undefined;
}

/** Where the string ends that begins at `start`: at its closing quote, or where the bytes end. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
