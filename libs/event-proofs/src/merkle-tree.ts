/**
 * The Merkle tree of RFC 6962: a log's entries are its leaves, in their order, and one root hash stands for all of
 * them. Two kinds of proof rest on it: that an entry is in the tree of a root (inclusion), and that one tree is the
 * beginning of another (consistency). Leaves and nodes are hashed with different first bytes, so that none passes for
 * the other. Here is what checks proofs; `tree-proofs` makes them.
 */
import { hash } from 'node:crypto';

/** 32 bytes. */
export type Hash = Buffer;

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/** The root of the tree without leaves. */
export const EMPTY_ROOT: Hash = hash('sha256', '', 'buffer');

/** Where parts are put together, as long as there is room for them; each use ends before the next one begins. */
const together = Buffer.alloc(16_384);

/**
 * A leaf takes four of these and an audit makes millions of leaves, so nothing is made for a hash but the hash itself:
 * no hashing object and no memory of its own, which Node takes longer to make and clear away than to hash.
 */
export function sha256(...parts: readonly (Uint8Array | string)[]): Hash {
  let end = 0;
  for (const part of parts) {
    // No character takes more than three bytes for each of its units.
    if (end + part.length * 3 > together.length) return digest(Buffer.concat(parts.map((one) => Buffer.from(one))));
    if (typeof part === 'string') end += together.write(part, end);
    else {
      together.set(part, end);
      end += part.length;
    }
  }
  return digest(together.subarray(0, end));
}

const digest = (bytes: Uint8Array): Hash => Buffer.from(hash('sha256', bytes, 'binary'), 'binary');

export function leafHash(...data: readonly (Uint8Array | string)[]): Hash {
  return sha256(LEAF, ...data);
}

export function nodeHash(left: Uint8Array, right: Uint8Array): Hash {
  return sha256(NODE, left, right);
}

/**
 * Whether `leaf` is the entry at `index` (counted from 0) of the tree of `size` entries with this root.
 *
 * @param path the hashes beside the way from the leaf to the root, the leaf's neighbour first
 */
export function isIncluded(proof: { leaf: Hash; index: number; size: number; path: readonly Hash[]; root: Hash }) {
  const { leaf, index, size, path, root } = proof;
  if (!isCount(index) || !isCount(size) || index >= size) return false;
  let [place, last, hash] = [index, size - 1, leaf];
  for (const beside of path) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(beside, hash);
      // At the right edge, levels on which there is nothing beside are skipped.
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      hash = nodeHash(hash, beside);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && hash.equals(root);
}

/** Whether the tree of `oldSize` entries with `oldRoot` is the beginning of the one of `newSize` with `newRoot`. */
export function isConsistent(proof: {
  oldSize: number;
  oldRoot: Hash;
  newSize: number;
  newRoot: Hash;
  path: readonly Hash[];
}): boolean {
  const { oldSize, oldRoot, newSize, newRoot, path } = proof;
  if (!isCount(oldSize) || !isCount(newSize) || oldSize > newSize) return false;
  if (oldSize === newSize) return path.length === 0 && oldRoot.equals(newRoot);
  if (oldSize === 0) return path.length === 0 && oldRoot.equals(EMPTY_ROOT);
  let [place, last] = [oldSize - 1, newSize - 1];
  while (place % 2 === 1) [place, last] = [half(place), half(last)];
  // A whole old tree is a node of the new one, and the proof leaves out what the verifier has.
  const [start, ...rest] = place === 0 ? [oldRoot, ...path] : path;
  if (!start) return false;
  let [old, grown] = [start, start];
  for (const beside of rest) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      [old, grown] = [nodeHash(beside, old), nodeHash(beside, grown)];
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)];
    } else {
      grown = nodeHash(grown, beside);
    }
    [place, last] = [half(place), half(last)];
  }
  return last === 0 && old.equals(oldRoot) && grown.equals(newRoot);
}

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0;
/** Shifting would cut at 32 bits. */
const half = (value: number) => Math.floor(value / 2);
