import { TILE_WIDTH } from '@stablecoin/event-proofs/tree-proofs';
import { Sql } from '@stablecoin/persistence/sql';
import { logTiles, TileCache } from './log-tiles';

/** A log of `length` events. Counts what is read of it, and how much at the same time. */
class CountedLog {
  reads = 0;
  atOnceMost = 0;
  isAway = false;
  private atOnce = 0;

  constructor(public length: number) {}

  readonly sql = {
    $queryRaw: async (_statement: unknown, _shard: number, first: number, last: number) => {
      this.reads += 1;
      this.atOnce += 1;
      this.atOnceMost = Math.max(this.atOnceMost, this.atOnce);
      await new Promise(setImmediate);
      this.atOnce -= 1;
      if (this.isAway) throw new Error('away');
      const count = Math.max(0, Math.min(last, this.length) - first + 1);
      return Array.from({ length: count }, (_, index) => ({ body: `event ${first + index}`, hash: Buffer.alloc(32) }));
    },
  } as unknown as Sql;
}

describe('the tiles of a log', () => {
  it('that are complete are read once, whatever size the tree has', async () => {
    const log = new CountedLog(1_000);
    const cache = new TileCache();
    const first = await logTiles(log.sql, 0, 256, cache)(0, 0);
    expect(first.width).toBe(TILE_WIDTH);
    expect(await logTiles(log.sql, 0, 1_000, cache)(0, 0)).toBe(first);
    expect(log.reads).toBe(1);
    await logTiles(log.sql, 1, 1_000, cache)(0, 0);
    expect(log.reads).toBe(2);
  });

  it('at the right edge are read once per size of the tree, since they grow', async () => {
    const log = new CountedLog(10);
    const cache = new TileCache();
    expect((await logTiles(log.sql, 0, 10, cache)(0, 0)).width).toBe(10);
    await logTiles(log.sql, 0, 10, cache)(0, 0);
    expect(log.reads).toBe(1);
    log.length = 20;
    expect((await logTiles(log.sql, 0, 20, cache)(0, 0)).width).toBe(20);
  });

  it('are read one after the other for one proof', async () => {
    const log = new CountedLog(1_000);
    const tiles = logTiles(log.sql, 0, 1_000);
    await Promise.all([tiles(0, 0), tiles(0, 1), tiles(0, 2), tiles(0, 0)]);
    expect(log).toMatchObject({ reads: 3, atOnceMost: 1 });
  });

  it('that could not be read, or lack nodes, are read anew', async () => {
    const log = new CountedLog(200);
    const cache = new TileCache();
    log.isAway = true;
    await expect(logTiles(log.sql, 0, 256, cache)(0, 0)).rejects.toThrow('away');
    log.isAway = false;
    await expect(logTiles(log.sql, 0, 256, cache)(0, 0)).rejects.toThrow('has 200 nodes');
    log.length = 256;
    expect((await logTiles(log.sql, 0, 256, cache)(0, 0)).width).toBe(TILE_WIDTH);
  });
});
