/**
 * The chain of the record of operators' acts: each act's hash covers the hash before it and its own text, which is canonical JSON. So who
 * has the acts as they are stored sees by them alone whether one was changed, taken out or put in between.
 */
import { createHash } from 'node:crypto';
import { isCanonicalText } from './canonical-text';

export interface StoredAct {
  number: number;
  act: string;
  hash: Uint8Array;
}

const DOMAIN = Buffer.from('stablecoin-operator-act/1\n');

export const actHash = (previous: Uint8Array, text: string): Buffer =>
  createHash('sha256').update(DOMAIN).update(previous).update(text, 'utf8').digest();

/** @returns what is wrong with the act that should be the next one */
export function actProblem(
  { number, act, hash }: StoredAct,
  expected: number,
  previous: Uint8Array,
): string | undefined {
  if (number !== expected) return `is missing: the next one stored is ${number}`;
  if (!actHash(previous, act).equals(hash)) return 'has a hash that does not fit its text and the hash before';
  const said = parsed(act);
  if (!isCanonicalText(act, said) || (said as { number?: unknown } | null)?.number !== expected)
    return 'has a text that is none of an act, or of another one';
  return undefined;
}

/** As it is written down elsewhere, to show later that the record was not cut off or written anew. */
export const actsHead = (number: number, hash: Uint8Array): string => `${number}:${Buffer.from(hash).toString('hex')}`;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
