/**
 * The Merkle tree of RFC 6962: a log's entries are its leaves, in order, and one root hash commits to all of them. It
 * supports two kinds of proof: that an entry is in the tree of a root (inclusion), and that one tree is the beginning of
 * another (consistency). Leaves and nodes are hashed with different first bytes, so that neither passes for the other.
 * This file checks proofs; `tree-proofs` makes them.
 */
import { hash } from 'node:crypto';

/** 32 bytes. */
export type Hash = Buffer;

const LEAF = Buffer.from([0]);
const NODE = Buffer.from([1]);

/** The root of the tree without leaves. */
export const EMPTY_ROOT: Hash = hash('sha256', '', 'buffer');

/** The hash's input, reused because hashing is synchronous; longer inputs get their own. */
const together = Buffer.alloc(16_384);

/**
 * A leaf takes four hashes and an audit makes millions of leaves, so only the digest is allocated: a hashing object and a
 * buffer of its own would take Node longer to make and collect than the hash itself.
 */
export function sha256(...parts: readonly (Uint8Array | string)[]): Hash {
  let end = 0;
  for (const part of parts) {
    // UTF-8 takes at most three bytes per UTF-16 code unit.
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
 * @param path the sibling hashes on the way from the leaf to the root, the leaf's sibling first
 */
export function isIncluded(proof: { leaf: Hash; index: number; size: number; path: readonly Hash[]; root: Hash }) {
  const { leaf, index, size, path, root } = proof;
  if (!isCount(index) || !isCount(size) || index >= size) return false;
  let [place, last, hash] = [index, size - 1, leaf];
  for (const beside of path) {
    if (last === 0) return false;
    if (place % 2 === 1 || place === last) {
      hash = nodeHash(beside, hash);
      // At the right edge, levels on which the node has no sibling are skipped.
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
  // An old tree that is complete is a node of the new one; the proof leaves it out, because the verifier has its root.
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
/** A shift would truncate to 32 bits. */
const half = (value: number) => Math.floor(value / 2);
