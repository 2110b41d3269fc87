import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { requireBusinessDates } from './business-dates';

const NOON = new Date('2026-11-21T12:00:00.000Z');
const MORNING = new Date('2026-11-21T09:59:59.999Z');

function refused(registration_date: string | null, owner: object, now = NOON): string[] {
  try {
    const name = { first_name: 'Ada', last_name: 'Obi' };
    requireBusinessDates({ registration_date, business_owners: [name, { ...name, ...owner }] }, now);
    return [];
  } catch (error) {
    return ((error as Refusal).fields ?? []).map(({ field, code }) => `${field}: ${code}`);
  }
}

describe('the dates of a business and its owners', () => {
  it.each<[string, string | null, object, Date, string[]]>([
    ['none', null, { date_of_birth: null }, NOON, []],
    ['today', '2026-11-21', { date_of_birth: '2026-11-21' }, MORNING, []],
    ['tomorrow, where it is that day already', '2026-11-22', {}, NOON, []],
    ['tomorrow, where it is not', '2026-11-22', {}, MORNING, ['registration_date: invalid_date']],
    ['a business from the middle ages', '1153-01-01', {}, NOON, []],
    ['a far future', '9999-12-31', {}, NOON, ['registration_date: invalid_date']],
    [
      'an owner from another time, all at once',
      '2027-01-01',
      { date_of_birth: '1899-12-31', relationship_establishment_date: '2030-01-01' },
      NOON,
      [
        'registration_date: invalid_date',
        'business_owners.1.date_of_birth: invalid_date',
        'business_owners.1.relationship_establishment_date: invalid_date',
      ],
    ],
  ])('%s', (_what, registration, owner, now, expected) => {
    expect(refused(registration, owner, now)).toEqual(expected);
  });
});
