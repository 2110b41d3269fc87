export type CanonicalValue =
  string | number | boolean | null | undefined | readonly CanonicalValue[] | { readonly [key: string]: CanonicalValue };

/**
 * JSON with one spelling per value, after RFC 8785: no white space, keys in the order of their UTF-16 code units,
 * strings as JSON.stringify writes them. Numbers are whole and safe; everything with a fraction is text already.
 * Fields that are undefined are left out.
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

/** A list of keys in the order in which objects were made with them: the path of keys from the root leads to it. */
interface KeyList {
  longer: Map<string, KeyList>;
  sorted: readonly string[] | undefined;
}

const newKeyList = (): KeyList => ({ longer: new Map(), sorted: undefined });
const keyLists = newKeyList();
/** Events have some twenty lists of keys; texts from elsewhere must not make the memory grow. */
const MAX_KEY_LISTS = 1_000;
let keyListCount = 0;

/** A program makes objects with few lists of keys, so each list is sorted once: looking it up costs less than sorting. */
function sortedKeys(object: object): readonly string[] {
  const keys = Object.keys(object);
  let list = keyLists;
  for (const key of keys) {
    let longer = list.longer.get(key);
    if (!longer) {
      if (keyListCount >= MAX_KEY_LISTS) return keys.sort();
      longer = newKeyList();
      list.longer.set(key, longer);
      keyListCount += 1;
    }
    list = longer;
  }
  return (list.sorted ??= keys.sort());
}

/**
 * Whether a text is the canonical one of what it says.
 *
 * @param value what JSON.parse has made of the text
 */
export function isCanonicalText(text: string, value: unknown): boolean {
  try {
    return isSurelyCanonical(text, value) || canonicalText(value as CanonicalValue) === text;
  } catch {
    return false;
  }
}

/**
 * For nearly every text there is: without writing it anew. What JSON.stringify gives back letter by letter has no white
 * space, no member twice, and every string and number in the one spelling that JSON.stringify knows; then only the
 * order of the keys, numbers that are whole and safe, and lone surrogates are left to be seen.
 */
function isSurelyCanonical(text: string, value: unknown): boolean {
  if (JSON.stringify(value) !== text || !isInOrder(value)) return false;
  return !(text.includes('\\ud') && LONE_SURROGATE.test(text));
}

/** As JSON.stringify escapes it; a pair of them it writes as they are. Behind a backslash it would be four letters. */
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

/** Printable ASCII but for the quotation mark and the backslash: what JSON writes as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('text with a lone surrogate has no canonical form');
  return JSON.stringify(text);
}
