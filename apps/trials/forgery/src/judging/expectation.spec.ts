import { contradiction, type Evidence, foundByVerify, noticedBy, refusedBy } from './expectation';

const refused: Evidence = { became: 'refused', by: 'Postgres', error: 'permission denied for table ledger_events' };
const found: Evidence = {
  became: 'found',
  report: '!! shard 0: wallets: 1 differing',
  advice: ['What to do: rebuild'],
};
const noticed: Evidence = { became: 'noticed', shown: 'act 7 add-key by mallory' };
const unseen: Evidence = { became: 'unseen', what: 'balance + 1' };

describe('a forgery that had to be refused', () => {
  const expected = refusedBy('Postgres', 'permission denied');

  it('is refused by whom the table says, with that error', () => {
    expect(contradiction(expected, refused)).toBeUndefined();
    expect(contradiction(refusedBy('the broker', 'permission denied'), refused)).toContain('Postgres refused it');
    expect(contradiction(refusedBy('Postgres', 'read-only'), refused)).toContain('"read-only"');
  });

  it.each([found, noticed, unseen])('has missed its aim where it is $became', (evidence) => {
    expect(contradiction(expected, evidence)).toContain('had to be refused');
  });
});

describe('a forgery that the auditor had to find', () => {
  const expected = foundByVerify('wallets');

  it('is named, in one sentence', () => {
    expect(contradiction(expected, found)).toBeUndefined();
    expect(contradiction(foundByVerify('ledger_events'), found)).toContain('had to say "ledger_events"');
    expect(contradiction(expected, { ...found, advice: [] })).toContain('in one sentence, not in 0');
    expect(contradiction(expected, { ...found, advice: ['one', 'two'] })).toContain('in one sentence, not in 2');
  });

  it.each([refused, noticed, unseen])('has missed its aim where it is $became', (evidence) => {
    expect(contradiction(expected, evidence)).toContain('audit verify had to find it');
  });
});

describe('a forgery that can not be prevented', () => {
  const expected = noticedBy('the operator', 'when reading the log of acts', 'add-key');

  it('is shown by what the table says', () => {
    expect(contradiction(expected, noticed)).toBeUndefined();
    expect(contradiction(expected, { ...noticed, shown: 'act 7' })).toContain('"add-key" had to show it');
  });

  it.each([refused, found, unseen])('has missed its aim where it is $became', (evidence) => {
    expect(contradiction(expected, evidence)).toContain('was to be noticed');
  });
});
