import { Drawing } from '../../drawing';
import { Arrivals } from './arrivals';
import { Merchant } from './merchants';
import { Capability, OPERATION_KINDS } from './operation';

const merchants = [0, 1, 2].map((shard): Merchant => ({ id: `m${shard}`, apiKey: '', shard, owners: [] }));
let awaited: Capability[];
let arrivals: Arrivals;

beforeEach(() => {
  jest.useFakeTimers();
  awaited = [];
  arrivals = new Arrivals(merchants, new Drawing(1), () => awaited);
});

afterEach(() => jest.useRealTimers());

const next = (count: number) => Array.from({ length: count }, () => arrivals.next());

describe('what arrives next', () => {
  it('is drawn from the mix, on any shard, when nothing is awaited', () => {
    const drawn = next(400);
    expect(new Set(drawn.map(({ kind }) => kind))).toEqual(new Set(['deposit', 'payout', 'swap', 'read']));
    expect(new Set(drawn.map(({ merchant }) => merchant.shard))).toEqual(new Set([0, 1, 2]));
    expect(new Set(drawn.map(({ followed }) => followed))).toEqual(new Set([true, false]));
  });

  it('is what is awaited, on its shard; a settlement is seen by following a payout', () => {
    awaited = OPERATION_KINDS.map((kind) => ({ kind, shard: 2 }));
    const asked = next(OPERATION_KINDS.length).map(({ kind, followed, merchant }) => [kind, followed, merchant.shard]);
    expect(asked).toEqual([
      ['deposit', false, 2],
      ['swap', false, 2],
      ['swap', false, 2],
      ['payout', false, 2],
      ['read', false, 2],
      ['payout', true, 2],
    ]);
  });

  it('is what is awaited twice a second, and drawn from the mix in between', () => {
    awaited = [{ kind: 'settlement', shard: 1 }];
    const probe = { kind: 'payout', followed: true, merchant: merchants[1] };
    const chance = new Arrivals(merchants, new Drawing(1), () => []);
    const byChance = (count: number) => Array.from({ length: count }, () => chance.next());
    expect(arrivals.next()).toEqual(probe);
    expect(next(50)).toEqual(byChance(50));
    jest.advanceTimersByTime(499);
    expect(next(50)).toEqual(byChance(50));
    jest.advanceTimersByTime(1);
    expect(next(2)).toEqual([probe, ...byChance(1)]);
  });

  it('is what has waited longest for its turn', () => {
    awaited = [0, 1, 2].map((shard) => ({ kind: 'read', shard }));
    const shards = (count: number) => next(count).map(({ merchant }) => merchant.shard);
    expect(shards(2)).toEqual([0, 1]);
    jest.advanceTimersByTime(500);
    expect(shards(3)).toEqual([2, 0, 1]);
  });
});
