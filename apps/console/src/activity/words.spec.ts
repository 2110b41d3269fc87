import { activitySearchOf } from './questions';
import { aboutOf, actionWords } from './words';

describe('an act', () => {
  it('is named in words, and as the record has it where a newer back office writes it', () => {
    expect(actionWords('api-key-rotated')).toBe('Rotated an API key');
    expect(actionWords('limits-raised')).toBe('limits-raised');
  });

  it('says what it was about, without what only programs need', () => {
    const details = {
      command_id: 'c',
      session_id: 's',
      wallet_id: 'w',
      from: 'payer',
      to: 'admin',
      as_of: null,
      grace_hours: 24,
    };
    expect(aboutOf({ details })).toEqual([
      { name: 'Wallet', value: 'w', isId: true },
      { name: 'From', value: 'Payer', isId: false },
      { name: 'To', value: 'Admin', isId: false },
      { name: 'Grace hours', value: '24', isId: false },
    ]);
  });
});

describe('the address of the screen', () => {
  const MEMBER = '0190c6f0-0000-7c1e-9d2a-000000000011';

  it('holds the filters', () =>
    expect(activitySearchOf({ kind: 'money', member: MEMBER.toUpperCase(), before: '17' })).toEqual({
      ...{ kind: 'money', member: MEMBER, before: 17 },
    }));

  it.each([{ kind: 'all' }, { member: 'ada' }, { before: '0' }, { before: '-3' }, { page: '2' }])(
    'and nothing of %j',
    (search) => expect(activitySearchOf(search)).toEqual({}),
  );
});
