/**
 * The text under which a name or an address matches: two match where their keys are equal, and only then. So a list of a
 * million entries is one look-up in an index, and a hit can be explained by its two texts alone.
 *
 * | of a name                                                  | before              | after             |
 * |------------------------------------------------------------|---------------------|-------------------|
 * | compatibility forms and accents (NFKD, marks taken away)   | JOSÉ ÁLVAREZ        | jose alvarez      |
 * | letters that NFKD leaves whole                             | Søren Łukasz Weiß   | soren lukasz weiss |
 * | case                                                       | ADA Obi             | ada obi           |
 * | apostrophes, and marks of abbreviation                     | O’Brien & Co. Ltd.  | obrien co ltd     |
 * | all else that is neither letter nor digit parts words      | al-Rashid, Ali      | al rashid ali     |
 * | the order of words                                         | Obi, Ada            | ada obi           |
 *
 * All words must be the same: a name with a further or a missing one does not match, nor does another spelling or script.
 * For these a list has its aliases.
 */
import { createHash } from 'node:crypto';

export type KeyKind = 'address' | 'name';

/** Letters that have no decomposition, in the spelling that passports use for them. */
const UNDECOMPOSED: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i' },
};
const MARKS = /\p{M}/gu;
const WITHIN_WORDS = /['’‘ʼʻ`´.]/g;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/gu;
const EVM_ADDRESS = /^0x[0-9a-f]{40}$/i;

/** Undefined for a text without a letter or a digit, which is no name. */
export function nameKey(name: string): Buffer | undefined {
  const folded = name.normalize('NFKD').replace(MARKS, '').toLowerCase();
  const spelt = folded.replace(/[ßæœøłđðþħı]/g, (letter) => UNDECOMPOSED[letter] ?? letter);
  const words = spelt.replace(WITHIN_WORDS, '').split(BETWEEN_WORDS).filter(Boolean).sort();
  return words.length === 0 ? undefined : keyOf('name', words.join(' '));
}

/**
 * An account of an EVM chain has one address on all of them, whatever case its letters have. Tron's, Solana's and all other
 * addresses differ by the case of their letters.
 */
export function addressKey(address: string): Buffer {
  const text = address.trim();
  return keyOf('address', EVM_ADDRESS.test(text) ? text.toLowerCase() : text);
}

const keyOf = (kind: KeyKind, text: string): Buffer => createHash('sha256').update(`${kind}\n${text}`).digest();
