import { SECRET_NAMES } from '@stablecoin/local-stack/deployment-secrets';
import { bytes, environmentOf, milliseconds, readComposeFile, schemaProblems, startOrder } from './compose-file';

const composeFile = () => readComposeFile({ variables: { CHECKPOINT_ORIGIN: 'test' } });

describe('docker-compose.yml', () => {
  it('names the missing variable that has no default', () =>
    expect(() => readComposeFile({ variables: {} })).toThrow(/CHECKPOINT_ORIGIN is missing/));

  it('names fields that the schema does not know', () => {
    const model = composeFile();
    Object.assign(model.services['payout'] ?? {}, { helthcheck: {}, restart: 7 });
    const problems = schemaProblems(model);
    expect(problems).toContainEqual(expect.stringMatching(/payout.*helthcheck/));
    expect(problems).toContainEqual(expect.stringMatching(/payout.*restart/));
  });

  it('uses exactly the secrets that are written', () =>
    expect(Object.keys(composeFile().secrets).sort()).toEqual([...SECRET_NAMES].sort()));

  it('waits for the second ledger database where the profile starts it, and does without where none does', () => {
    const { migrate, 'postgres-b': second } = composeFile().services;
    expect(second?.profiles).toEqual(['two-ledgers']);
    expect(migrate?.depends_on?.['postgres-b']).toEqual({ condition: 'service_healthy', required: false });
  });

  it('has an order in which its services can start', () => {
    const order = startOrder(composeFile().services);
    for (const [first, then] of [
      ['postgres', 'migrate'],
      ['migrate', 'customer'],
      ['customer', 'gateway'],
    ] as const)
      expect(order.indexOf(first)).toBeLessThan(order.indexOf(then));
  });
});

it('refuses services that wait for each other', () =>
  expect(() => startOrder({ a: { depends_on: { b: {} } }, b: { depends_on: { a: {} } } })).toThrow(
    /wait for each other/,
  ));

it('reads durations, sizes and environments as compose does', () => {
  expect(milliseconds('1m30s')).toBe(90_000);
  expect(bytes('512M')).toBe(512 * 2 ** 20);
  expect(() => bytes('much')).toThrow(/no size/);
  expect(environmentOf({ environment: { A: 1, B: null } })).toEqual({ A: '1' });
});
