import { ofLedger, ofLedgerUnits, ofUnits, printed } from './amounts';

it.each([
  [6, 1n, '0.000001'],
  [6, 1_234_567_890n, '1234.567890'],
  [18, 1n, '0.000000000000000001'],
  [18, 10n ** 18n, '1.000000'],
])('of a token with %i decimals, %s units are %s', (decimals, units, text) => {
  expect(printed(ofUnits({ decimals }, units))).toBe(text);
  expect(printed(-ofUnits({ decimals }, units))).toBe(`-${text}`);
});

it.each(['0.000000', '12.345678', '-12.345678', '0.00000001', '-0.00000001'])('the ledger prints %s', (text) =>
  expect(printed(ofLedger(text))).toBe(text),
);

it('counts the ledger’s units as its texts', () => expect(ofLedgerUnits(1n)).toBe(ofLedger('0.00000001')));

it.each(['', '1.', '.5', '1e6', '+1', '1 000'])('refuses %p', (text) =>
  expect(() => ofLedger(text)).toThrow('no amount'),
);
