export type CanonicalValue =
  string | number | boolean | null | undefined | readonly CanonicalValue[] | { readonly [key: string]: CanonicalValue };

/**
 * JSON with one spelling per value, after RFC 8785: no white space, keys in the order of their UTF-16 code units,
 * strings as JSON.stringify writes them. Numbers are safe integers: an amount with a fraction is a string. Fields that
 * are undefined are left out.
 *
 * Of a value whose objects have their members in that order already it is what JSON.stringify prints, in one piece: written
 * member by member, each comma would be one string more. The writer makes the ledger's events so.
 *
 * @throws TypeError for a number that is not a safe integer, and for text with lone surrogates
 */
export function canonicalText(value: CanonicalValue): string {
  const text = isInOrder(value) ? JSON.stringify(value ?? null) : undefined;
  return text === undefined || text.includes(SURROGATE_ESCAPED) ? written(value) : text;
}

/** So JSON.stringify begins to escape a lone surrogate, which has no canonical form. An escaped backslash before `ud` looks the same. */
const SURROGATE_ESCAPED = '\\ud';

/** Also false for a value with a number that has no canonical text. */
function isInOrder(value: unknown): boolean {
  if (typeof value === 'number') return Number.isSafeInteger(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isInOrder);
  let last = '';
  for (const key in value) {
    if (key < last) return false;
    last = key;
    if (!isInOrder((value as Record<string, unknown>)[key])) return false;
  }
  return true;
}

function written(value: CanonicalValue): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') {
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is not a safe integer`);
    return String(value);
  }
  if (typeof value === 'boolean' || value === null || value === undefined) return String(value ?? null);
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  const object = value as { readonly [key: string]: CanonicalValue };
  let members = '';
  for (const key of sortedKeys(object)) {
    const member = object[key];
    if (member !== undefined) members += `${members && ','}${quoted(key)}:${written(member)}`;
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
 * True for nearly every canonical text, without writing it anew; false means unknown. White space, a member that stands twice,
 * and any other spelling of a string or a number only make a text longer. So it is canonical if it is as long as that of its
 * value, and the keys are in order. Which spellings could be shorter is left to the slow way: an escape (of a line feed, for
 * example), and an exponent.
 */
const isSurelyCanonical = (text: string, value: unknown): boolean =>
  !text.includes('\\') && lengthOf(value) === text.length && text.isWellFormed();

/** The length of the canonical text of a value whose strings need no escape. NaN where it is unknown, or keys are not in order. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value === 'number') return lengthOfNumber(value);
  if (typeof value === 'boolean' || value === null) return value === false ? 5 : 4;
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + lengthOf(one), lengthOfList(value.length));
  let [length, count, last] = [0, 0, ''];
  for (const key in value as object) {
    // An object has those that are numbers in their own order, wherever they stand in the text.
    if (key < last || isDigit(key.charCodeAt(0))) return NaN;
    length += key.length + 3 + lengthOf((value as Record<string, unknown>)[key]);
    last = key;
    count += 1;
  }
  return length + lengthOfList(count);
}

/** Brackets and commas. */
const lengthOfList = (members: number): number => 2 + Math.max(0, members - 1);

/** With an exponent only multiples of 100 are as short as without, or shorter. */
const lengthOfNumber = (value: number): number =>
  Number.isSafeInteger(value) && (value === 0 || value % 100 !== 0) ? String(value).length : NaN;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;

/** Printable ASCII without quotation mark and backslash, which JSON writes as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (!text.isWellFormed()) throw new TypeError('text with a lone surrogate has no canonical form');
  return JSON.stringify(text);
}
