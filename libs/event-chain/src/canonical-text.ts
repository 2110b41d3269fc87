export type CanonicalValue =
  string | number | boolean | null | undefined | readonly CanonicalValue[] | { readonly [key: string]: CanonicalValue };

/**
 * JSON with one spelling per value, after RFC 8785: no white space, keys in the order of their UTF-16 code units,
 * strings as JSON.stringify writes them. Numbers are safe integers: an amount with a fraction is a string. Fields that
 * are undefined are left out.
 *
 * @throws TypeError for a number that is not a safe integer, and for text with lone surrogates
 */
export function canonicalText(value: CanonicalValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not a safe integer`);
    return String(value);
  }
  if (typeof value === 'boolean' || value === null || value === undefined) return String(value ?? null);
  if (Array.isArray(value)) return `[${value.map(canonicalText).join(',')}]`;
  const object = value as { readonly [key: string]: CanonicalValue };
  let members = '';
  for (const key of sortedKeys(object)) {
    const member = object[key];
    if (member !== undefined) members += `${members && ','}${quoted(key)}:${canonicalText(member)}`;
  }
  return `{${members}}`;
}

/** A node of a tree of key lists: the path from the root to it is one list, in the order in which an object has its keys. */
interface KeyList {
  longer: Map<string, KeyList>;
  sorted: readonly string[] | undefined;
}

const newKeyList = (): KeyList => ({ longer: new Map(), sorted: undefined });
const keyLists = newKeyList();
/** The ledger's events need fewer than 200 nodes; texts from outside must not make the tree grow without bound. */
const KEY_LISTS_MAX = 1_000;
let keyListCount = 0;

/** Objects of a program have few different lists of keys, so each list is sorted once and then looked up. */
function sortedKeys(object: object): readonly string[] {
  const keys = Object.keys(object);
  let list = keyLists;
  for (const key of keys) {
    let longer = list.longer.get(key);
    if (!longer) {
      if (keyListCount >= KEY_LISTS_MAX) return keys.sort();
      longer = newKeyList();
      list.longer.set(key, longer);
      keyListCount += 1;
    }
    list = longer;
  }
  return (list.sorted ??= keys.sort());
}

/**
 * Whether a text is the canonical text of its value.
 *
 * @param value the text, parsed by JSON.parse
 */
export function isCanonicalText(text: string, value: unknown): boolean {
  try {
    return isSurelyCanonical(text, value) || canonicalText(value as CanonicalValue) === text;
  } catch {
    return false;
  }
}

/**
 * True for nearly every canonical text, without writing it anew; false means unknown. A text that JSON.stringify gives back
 * unchanged has no white space, no member twice, and every string and number in one spelling. Left to check are the order
 * of keys, safe integers, and lone surrogates.
 */
function isSurelyCanonical(text: string, value: unknown): boolean {
  if (JSON.stringify(value) !== text || !isInOrder(value)) return false;
  return !(text.includes('\\ud') && LONE_SURROGATE.test(text));
}

/** A lone surrogate as JSON.stringify escapes it (it writes a pair as it is), and not an escaped backslash before `ud…`. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

function isInOrder(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let last: string | undefined;
  for (const key in value) {
    if (last !== undefined && key < last) return false;
    last = key;
    if (!isInOrder((value as Record<string, unknown>)[key])) return false;
  }
  return true;
}

/** Printable ASCII without quotation mark and backslash, which JSON writes as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('text with a lone surrogate has no canonical form');
  return JSON.stringify(text);
}
