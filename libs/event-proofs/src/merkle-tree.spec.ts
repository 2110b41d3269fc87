import fc from 'fast-check';
import { CompactRange } from './compact-range';
import { EMPTY_ROOT, Hash, isConsistent, isIncluded, leafHash, nodeHash } from './merkle-tree';
import { consistencyPath, inclusionPath, Tile, TILE_LEVELS, TILE_WIDTH, TileSource } from './tree-proofs';

/** The inputs and roots by which implementations of RFC 6962 check themselves. */
const ENTRIES = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

/** The definition of the root, word for word from the RFC: slow, but easy to check. */
function rootOf(leaves: readonly Hash[]): Hash {
  if (leaves.length <= 1) return leaves[0] ?? EMPTY_ROOT;
  let split = 1;
  while (split * 2 < leaves.length) split *= 2;
  return nodeHash(rootOf(leaves.slice(0, split)), rootOf(leaves.slice(split)));
}

const leavesOf = (count: number) => Array.from({ length: count }, (_, index) => leafHash(`entry ${index}`));

/** Tiles with the leaves of the list and the nodes that appending them completes. */
function tilesOf(leaves: readonly Hash[]): TileSource {
  const range = new CompactRange();
  const nodes = new Map<string, Hash>();
  for (const leaf of leaves) {
    for (const { level, index, hash } of range.append(leaf)) {
      if (level % TILE_LEVELS === 0) nodes.set(`${level}/${index}`, hash);
    }
  }
  const widthOf = (level: number) => Math.floor(leaves.length / 2 ** level);
  return (level, index) => {
    const first = index * TILE_WIDTH;
    if (level === 0) return Promise.resolve(new Tile(leaves.slice(first, first + TILE_WIDTH)));
    const count = Math.max(0, Math.min(TILE_WIDTH, widthOf(level) - first));
    const hashes = Array.from({ length: count }, (_, offset) => nodes.get(`${level}/${first + offset}`) as Hash);
    return Promise.resolve(new Tile(hashes));
  };
}

const flipped = (hash: Hash, bit: number) => {
  const copy = Buffer.from(hash);
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
};

describe('the Merkle tree of RFC 6962', () => {
  it('has the known roots', () => {
    expect(EMPTY_ROOT.toString('hex')).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    expect(new CompactRange().root).toEqual(EMPTY_ROOT);
    const range = new CompactRange();
    const roots = ENTRIES.map((entry) => {
      range.append(leafHash(Buffer.from(entry, 'hex')));
      return range.root.toString('hex');
    });
    expect(roots).toEqual(ROOTS);
  });

  it('has the known paths', async () => {
    const tiles = tilesOf(ENTRIES.map((entry) => leafHash(Buffer.from(entry, 'hex'))));
    const hex = (path: Hash[]) => path.map((hash) => hash.toString('hex'));
    expect(hex(await inclusionPath(tiles, 5, 8))).toEqual([
      'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
    expect(hex(await consistencyPath(tiles, 6, 8))).toEqual([
      '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a',
      'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0',
      'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
    ]);
  });

  it('grows entry by entry to the same root from every stored size', () => {
    const leaves = leavesOf(70);
    let range = new CompactRange();
    leaves.forEach((leaf, index) => {
      range = CompactRange.of(range.size, range.hashes);
      range.append(leaf);
      expect(range.root).toEqual(rootOf(leaves.slice(0, index + 1)));
    });
    expect(() => CompactRange.of(69, range.hashes.slice(0, 1))).toThrow(/69/);
    expect(() => CompactRange.of(64, range.hashes)).toThrow(/too many/);
  });
});

describe('an inclusion proof', () => {
  it('holds for every entry of every tree up to 70', async () => {
    const leaves = leavesOf(70);
    const tiles = tilesOf(leaves);
    for (let size = 1; size <= leaves.length; size += 1) {
      const root = rootOf(leaves.slice(0, size));
      for (let index = 0; index < size; index += 1) {
        const path = await inclusionPath(tiles, index, size);
        expect(isIncluded({ leaf: leaves[index] as Hash, index, size, path, root })).toBe(true);
      }
    }
  });

  it('holds across the borders of tiles, made from the nodes that tiles keep', async () => {
    const leaves = leavesOf(66_000);
    const tiles = tilesOf(leaves);
    for (const size of [255, 256, 257, 511, 513, 65_535, 65_536, 65_537, 66_000]) {
      const range = new CompactRange();
      leaves.slice(0, size).forEach((leaf) => range.append(leaf));
      for (const index of [0, 100, 254, size - 2, size - 1]) {
        const path = await inclusionPath(tiles, index, size);
        expect(isIncluded({ leaf: leaves[index] as Hash, index, size, path, root: range.root })).toBe(true);
      }
    }
  });

  it('fails when any bit, the index or the number of its hashes is changed', async () => {
    const leaves = leavesOf(70);
    const tiles = tilesOf(leaves);
    const places = fc.integer({ min: 2, max: 70 }).chain((size) => fc.tuple(fc.constant(size), fc.nat(size - 1)));
    await fc.assert(
      fc.asyncProperty(places, fc.nat(), fc.nat(255), async ([size, index], which, bit) => {
        const path = await inclusionPath(tiles, index, size);
        const [leaf, root] = [leaves[index] as Hash, rootOf(leaves.slice(0, size))];
        const proof = { leaf, index, size, path, root };
        const changed = path.map((hash, place) => (place === which % path.length ? flipped(hash, bit) : hash));
        expect(isIncluded(proof)).toBe(true);
        expect(isIncluded({ ...proof, path: changed })).toBe(false);
        expect(isIncluded({ ...proof, leaf: flipped(leaf, bit) })).toBe(false);
        expect(isIncluded({ ...proof, root: flipped(root, bit) })).toBe(false);
        expect(isIncluded({ ...proof, path: path.slice(1) })).toBe(false);
        expect(isIncluded({ ...proof, path: path.slice(0, -1) })).toBe(false);
        expect(isIncluded({ ...proof, path: [...path, leaf] })).toBe(false);
        expect(isIncluded({ ...proof, index: (index + 1) % size })).toBe(false);
        expect(isIncluded({ ...proof, index: size })).toBe(false);
        expect(isIncluded({ ...proof, index: -1 })).toBe(false);
      }),
    );
  });
});

describe('a consistency proof', () => {
  it('holds between every two trees up to 70', async () => {
    const leaves = leavesOf(70);
    const tiles = tilesOf(leaves);
    const roots = Array.from({ length: 71 }, (_, size) => rootOf(leaves.slice(0, size)));
    for (let newSize = 0; newSize <= 70; newSize += 1) {
      for (let oldSize = 0; oldSize <= newSize; oldSize += 1) {
        const path = await consistencyPath(tiles, oldSize, newSize);
        const [oldRoot, newRoot] = [roots[oldSize] as Hash, roots[newSize] as Hash];
        expect(isConsistent({ oldSize, oldRoot, newSize, newRoot, path })).toBe(true);
        // With old and new exchanged, the proof must never verify.
        if (oldSize < newSize) {
          const turned = { oldSize: newSize, oldRoot: newRoot, newSize: oldSize, newRoot: oldRoot, path };
          expect(isConsistent(turned)).toBe(false);
        }
      }
    }
  });

  it('fails when any bit or the number of its hashes is changed', async () => {
    const leaves = leavesOf(70);
    const tiles = tilesOf(leaves);
    const sizes = fc
      .integer({ min: 2, max: 70 })
      .chain((size) => fc.tuple(fc.integer({ min: 1, max: size - 1 }), fc.constant(size)));
    await fc.assert(
      fc.asyncProperty(sizes, fc.nat(), fc.nat(255), async ([oldSize, newSize], which, bit) => {
        const path = await consistencyPath(tiles, oldSize, newSize);
        const [oldRoot, newRoot] = [rootOf(leaves.slice(0, oldSize)), rootOf(leaves.slice(0, newSize))];
        const proof = { oldSize, oldRoot, newSize, newRoot, path };
        const changed = path.map((hash, place) => (place === which % path.length ? flipped(hash, bit) : hash));
        expect(isConsistent(proof)).toBe(true);
        expect(isConsistent({ ...proof, path: changed })).toBe(false);
        expect(isConsistent({ ...proof, oldRoot: flipped(oldRoot, bit) })).toBe(false);
        expect(isConsistent({ ...proof, newRoot: flipped(newRoot, bit) })).toBe(false);
        expect(isConsistent({ ...proof, path: path.slice(0, -1) })).toBe(false);
        expect(isConsistent({ ...proof, path: [...path, oldRoot] })).toBe(false);
      }),
    );
  });

  it('distinguishes a log that was rewritten from one that grew', async () => {
    const leaves = leavesOf(40);
    const rewritten = leaves.map((leaf, index) => (index === 17 ? leafHash('another') : leaf));
    const [oldRoot, newRoot] = [rootOf(leaves.slice(0, 30)), rootOf(rewritten)];
    const path = await consistencyPath(tilesOf(rewritten), 30, 40);
    expect(isConsistent({ oldSize: 30, oldRoot, newSize: 40, newRoot, path })).toBe(false);
  });
});
