import { ACCOUNT_PURPOSES, EMPLOYMENT_STATUSES, SOURCES_OF_FUNDS } from './customer-enums';

describe('customer enums', () => {
  it.each([
    ['account purposes', ACCOUNT_PURPOSES, 14, 'CHARITABLE_DONATIONS', 'TREASURY_MANAGEMENT'],
    ['sources of funds', SOURCES_OF_FUNDS, 26, 'BUSINESS_LOANS', 'SOMEONE_ELSES_FUNDS'],
    ['employment statuses', EMPLOYMENT_STATUSES, 6, 'EMPLOYED', 'OTHER'],
  ] as const)('the %s are complete and distinct', (_name, values: readonly string[], count, first, last) => {
    expect(values).toHaveLength(count);
    expect(new Set(values).size).toBe(count);
    expect([values[0], values.at(-1)]).toEqual([first, last]);
    expect(values.filter((value) => !/^[A-Z]+(_[A-Z]+)*$/.test(value))).toEqual([]);
  });
});
