import { allSpecs, formsOf, type Spec, specsBearingOn } from './bearing-specs';

const SPECS: Spec[] = [
  { file: 'apps/payout/src/rails/rail.spec.ts', project: 'unit', covers: [] },
  { file: 'apps/payout/src/worker.int.spec.ts', project: 'int', covers: [] },
  { file: 'libs/money/src/currency.spec.ts', project: 'unit', covers: [] },
  { file: 'apps/journeys-e2e/src/idempotency.e2e.spec.ts', project: 'e2e', covers: ['POST /payouts/banks'] },
  { file: 'apps/journeys-e2e/src/swaps.e2e.spec.ts', project: 'e2e', covers: ['POST /swaps'] },
];

it('finds specs by their path and by the routes they cover, in singular and plural, in any case', () => {
  const expected = {
    unit: ['apps/payout/src/rails/rail.spec.ts'],
    int: ['apps/payout/src/worker.int.spec.ts'],
    e2e: ['apps/journeys-e2e/src/idempotency.e2e.spec.ts'],
    console: [],
  };
  for (const word of ['payouts', 'payout', 'Payouts']) expect(specsBearingOn([word], SPECS)).toEqual(expected);
});

it('joins what several words find', () => {
  expect(specsBearingOn(['swaps', 'currencies'], SPECS)).toEqual({
    unit: ['libs/money/src/currency.spec.ts'],
    int: [],
    e2e: ['apps/journeys-e2e/src/swaps.e2e.spec.ts'],
    console: [],
  });
});

it('refuses a word that finds no spec, and says what to do', () => {
  expect(() => specsBearingOn(['payouts', 'refunds'], SPECS)).toThrow(
    'No spec of unit, int, e2e, console bears on "refunds": name a part of a path or of a route (journeys-e2e, money, payout), ' +
      'or stages with --only.',
  );
  expect(() => specsBearingOn(['lint'], SPECS)).toThrow('lint is a stage: npm test -- --only lint.');
});

it('knows the singular of a word, and leaves other words alone', () => {
  expect(formsOf('wallets')).toEqual(['wallets', 'wallet']);
  expect(formsOf('currencies')).toEqual(['currencies', 'currency']);
  expect(formsOf('address')).toEqual(['address']);
});

it('finds specs of every kind in this checkout', () => {
  const { unit, int, e2e } = specsBearingOn(['payouts'], allSpecs());
  expect(unit).toContain('libs/merchant-resources/src/payouts/payout-requests.spec.ts');
  expect(int).toContain('apps/gateway/src/payouts/payouts.int.spec.ts');
  expect(e2e).toContain('apps/journeys-e2e/src/payouts.e2e.spec.ts');
  expect(unit).not.toContain('libs/money/src/money.spec.ts');
  const journeys = specsBearingOn(['journeys'], allSpecs());
  expect(journeys.console).toContain('apps/journeys-e2e/src/console.e2e.spec.ts');
  expect(journeys.console).toContain('apps/journeys-e2e/src/console-roles.e2e.spec.ts');
  expect(journeys.e2e.filter((file) => file.includes('console'))).toEqual([]);
});
