import {
  BACKENDS,
  DEPOSIT_SHAPES,
  KILLED,
  NODE_FAULTS,
  NODE_LIES,
  scheduleOf,
  type Step,
  told,
  WALLETS,
} from './schedule';

const SEEDS = Array.from({ length: 1_000 }, (_, index) => index + 1);
const schedules = SEEDS.map(scheduleOf);
const steps = schedules.flatMap((schedule) => schedule.steps.map(({ step }) => step));
const ofKind = <Kind extends Step['kind']>(kind: Kind) =>
  steps.filter((step): step is Extract<Step, { kind: Kind }> => step.kind === kind);

it('is the same for the same seed, and another one for the next', () => {
  expect(scheduleOf(7)).toEqual(scheduleOf(7));
  expect(scheduleOf(7).steps).not.toEqual(scheduleOf(8).steps);
});

it('has, over a thousand seeds, each fault, each way to pay and each depth', () => {
  expect(new Set(ofKind('deposit').map(({ shape }) => shape))).toEqual(new Set(DEPOSIT_SHAPES));
  expect(new Set(ofKind('kill').map(({ what }) => what))).toEqual(new Set(KILLED));
  expect(new Set(ofKind('end backends').map(({ database }) => database))).toEqual(new Set(BACKENDS));
  expect(new Set(ofKind('node fault').map(({ fault }) => fault))).toEqual(new Set([...NODE_FAULTS, ...NODE_LIES]));
  expect(new Set(ofKind('kill as it sends').map(({ moment, node }) => `${moment} ${node}`)).size).toBe(4);
  const depths = new Set(ofKind('reorganise').map(({ depth }) => depth));
  expect([...depths].sort((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
});

it('pays and is paid in each schedule, and kills or cuts something in each', () => {
  for (const { steps: planned } of schedules) {
    const kinds = planned.map(({ step }) => step.kind);
    expect(kinds).toEqual(expect.arrayContaining(['deposit', 'payout', 'mine', 'reorganise']));
    expect(kinds.some((kind) => kind === 'kill' || kind === 'kill as it sends' || kind === 'end backends')).toBe(true);
  }
});

it('has one node that lies at the most', () => {
  for (const { steps: planned } of schedules) {
    const liars = planned.flatMap(({ step }) =>
      step.kind === 'node fault' && (NODE_LIES as readonly string[]).includes(step.fault) ? [step.node] : [],
    );
    expect(new Set(liars).size).toBeLessThanOrEqual(1);
  }
});

it('names wallets that there are, and an amount for each', () => {
  for (const { wallets, units } of ofKind('deposit')) {
    expect(units).toHaveLength(wallets.length);
    expect(Math.max(...wallets)).toBeLessThan(WALLETS);
  }
});

it('is told in words', () => {
  expect(told({ afterMs: 12, step: { kind: 'mine', blocks: 3 } })).toBe('after 12 ms: mine, blocks 3');
});
