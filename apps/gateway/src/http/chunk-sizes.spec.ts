import { ChunkSizes } from './chunk-sizes';

/** How many chunks of this size are taken, of at most `tried`. */
function taken(bytes: number, tried = 10_000): number {
  const sizes = new ChunkSizes();
  for (let count = 0; count < tried; count += 1) if (!sizes.add(bytes)) return count;
  return tried;
}

describe('the chunks of a body', () => {
  it.each([1, 63])('of %i bytes are refused after two thousand', (bytes) => {
    expect(taken(bytes)).toBe(2_000);
  });

  it('of 64 bytes are taken, however many', () => {
    expect(taken(64)).toBe(10_000);
  });

  it('may be small where others are large', () => {
    const sizes = new ChunkSizes();
    sizes.add(1_000_000);
    for (let count = 0; count < 10_000; count += 1) expect(sizes.add(1)).toBe(true);
  });
});
