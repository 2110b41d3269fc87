/**
 * What a log sends to a witness (c2sp.org/tlog-witness, `add-checkpoint`): the size of the checkpoint that the witness has,
 * the proof that the new one extends it, and the new one.
 *
 *   old 1190
 *   PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
 *
 *   ledger.example/shard/0
 *   1204
 *   …
 */
import { Hash } from './merkle-tree';

export interface WitnessRequest {
  oldSize: number;
  path: readonly Hash[];
  /** The checkpoint, a signed note. */
  note: string;
}

const OLD = /^old (0|[1-9]\d{0,14})$/;
const HASH = /^[A-Za-z0-9+/]{43}=$/;
export const PATH_HASHES_MAX = 63;

export function formatWitnessRequest({ oldSize, path, note }: WitnessRequest): string {
  return `old ${oldSize}\n${path.map((hash) => `${hash.toString('base64')}\n`).join('')}\n${note}`;
}

/** Undefined if the text is no such request; the note in it is not looked at. */
export function parseWitnessRequest(text: string): WitnessRequest | undefined {
  const end = text.indexOf('\n\n');
  const [old = '', ...hashes] = text.slice(0, Math.max(end, 0)).split('\n');
  const [, oldSize] = OLD.exec(old) ?? [];
  if (oldSize === undefined || hashes.length > PATH_HASHES_MAX || !hashes.every((hash) => HASH.test(hash))) {
    return undefined;
  }
  return {
    oldSize: Number(oldSize),
    path: hashes.map((hash) => Buffer.from(hash, 'base64')),
    note: text.slice(end + 2),
  };
}
