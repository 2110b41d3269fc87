import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { requireOfAge } from './birth-date';

const NOON = new Date('2026-11-21T12:00:00.000Z');

function codeOf(birthDate: string, now: Date): string | undefined {
  try {
    requireOfAge(birthDate, now);
    return undefined;
  } catch (error) {
    return (error as Refusal).fields?.[0]?.code;
  }
}

describe('requireOfAge', () => {
  it.each([
    ['the 18th birthday', '2008-11-21', NOON, undefined],
    ['the day before it', '2008-11-22', NOON, 'too_young'],
    ['the last millisecond of the day before, in UTC', '2008-11-22', new Date('2026-11-21T23:59:59.999Z'), 'too_young'],
    ['born on 29 February, on 28 February', '2008-02-29', new Date('2026-02-28T12:00:00Z'), 'too_young'],
    ['born on 29 February, on 1 March', '2008-02-29', new Date('2026-03-01T00:00:00Z'), undefined],
    ['today is 29 February', '2010-02-28', new Date('2028-02-29T12:00:00Z'), undefined],
    ['today is 29 February, a day short', '2010-03-01', new Date('2028-02-29T12:00:00Z'), 'too_young'],
    ['today', '2026-11-21', NOON, 'too_young'],
    ['tomorrow', '2026-11-22', NOON, 'invalid_date'],
    ['the first day of 1900', '1900-01-01', NOON, undefined],
    ['the last day of 1899', '1899-12-31', NOON, 'invalid_date'],
  ])('%s', (_case, birthDate, now, code) => {
    expect(codeOf(birthDate, now)).toBe(code);
  });
});
