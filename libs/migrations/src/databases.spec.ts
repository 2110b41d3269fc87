import { furtherLedgerOwners, namedUrls } from './databases';

describe('namedUrls', () => {
  it('reads connection strings by name', () =>
    expect(namedUrls('LEDGER_DATABASES', 'b=postgresql://one/ledger, c-2=postgresql://two/ledger')).toEqual([
      { name: 'b', url: 'postgresql://one/ledger' },
      { name: 'c-2', url: 'postgresql://two/ledger' },
    ]));

  it.each([undefined, '', ' '])('reads none from %p', (text) =>
    expect(namedUrls('LEDGER_DATABASES', text)).toEqual([]),
  );

  it.each(['postgresql://one/ledger', 'b=', 'b=nowhere', 'B=postgresql://one/ledger'])('refuses %s', (text) =>
    expect(() => namedUrls('LEDGER_DATABASES', text)).toThrow('LEDGER_DATABASES: expected NAME=URL'),
  );
});

it("takes for the owner of a further database the login that is given for it, or else the service's own", () => {
  const LEDGER_DATABASES = 'b=postgresql://app@one/ledger,c=postgresql://app@two/ledger';
  expect(
    furtherLedgerOwners({ LEDGER_DATABASES, LEDGER_MIGRATION_DATABASES: 'b=postgresql://owner@one/ledger' }),
  ).toEqual([
    { name: 'b', url: 'postgresql://owner@one/ledger' },
    { name: 'c', url: 'postgresql://app@two/ledger' },
  ]);
  expect(furtherLedgerOwners({})).toEqual([]);
});
