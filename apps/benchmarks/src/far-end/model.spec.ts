import { Figures, figuresOf, INPUTS } from './inputs';
import { farEnd } from './model';

const GIVEN: Figures = { ...figuresOf(INPUTS), merchants: 2_000 };
const fullOf = (changed: Partial<Figures>) =>
  Object.fromEntries(farEnd({ ...GIVEN, ...changed }).parts.map(({ part, full }) => [part, full]));
const before = fullOf({});
/** By how much each part is fuller after a change; parts that are not, left out. */
function fuller(changed: Partial<Figures>): Record<string, number> {
  const after = fullOf(changed);
  const ratios = Object.entries(before).map(([part, full]) => [part, (after[part] ?? 0) / full] as const);
  return Object.fromEntries(ratios.filter(([, ratio]) => Math.abs(ratio - 1) > 1e-9));
}

it('names the fullest first', () => {
  const full = farEnd(GIVEN).parts.map((part) => part.full);
  expect(full).toEqual([...full].sort((one, other) => other - one));
});

it('doubles with the load what works for it, and nothing of what is there at rest', () => {
  const ratios = fuller({ payouts_per_second: 2 * GIVEN.payouts_per_second });
  for (const part of ['writer of the busiest shard', 'stream of facts', 'Postgres of the payout service'])
    expect(ratios[part]).toBeCloseTo(2);
  for (const part of ['connections of a ledger database', 'look-ups of relays in the stream, of idle shards too'])
    expect(ratios).not.toHaveProperty([part]);
});

it('calculates what can be done by hand', () => {
  const { parts } = farEnd(GIVEN);
  const need = (name: string) => parts.find(({ part }) => part === name)?.need;
  expect(need('connections of a ledger database')).toBe(GIVEN.ledgers * GIVEN.pool);
  expect(need('look-ups of relays in the stream, of idle shards too')).toBe(
    (GIVEN.shards * GIVEN.relay_requests) / GIVEN.relay_check_seconds,
  );
  expect(need('stream of facts')).toBe(GIVEN.payouts_per_second * GIVEN.facts_per_payout);
  expect(need('commits of a ledger database at rest')).toBe(GIVEN.ledgers + GIVEN.shards / GIVEN.databases);
});

it('saves look-ups where a merchant comes to one gateway', () => {
  const { keys, keysByMerchant, owners, ownersByMerchant } = farEnd(GIVEN).lookUps;
  expect(keysByMerchant).toBeLessThan(keys);
  expect(ownersByMerchant).toBeLessThan(owners);
});

it('uses every figure of its table', () => {
  const used = new Set<string>();
  farEnd(new Proxy(GIVEN, { get: (figures, name: keyof Figures) => (used.add(name), figures[name]) }));
  expect(Object.keys(INPUTS).filter((name) => !used.has(name))).toEqual([]);
});
