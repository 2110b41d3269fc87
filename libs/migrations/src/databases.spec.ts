import { namedUrls } from './databases';

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
