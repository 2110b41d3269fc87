import { figures, table } from './table';

it('makes columns as wide as their widest cell, with a dash for what is absent', () => {
  const text = table(
    ['KEY', 'REVOKED'],
    [
      ['sk_test', null],
      ['k', 'yes'],
    ],
  );
  expect(text.split('\n')).toEqual(['KEY      REVOKED', 'sk_test  -', 'k        yes']);
});

it('puts numbers beneath each other, right after the words', () => {
  const rows = [
    { service: 'gateway', ms: 1_200 },
    { service: 'payout', ms: 7 },
  ];
  const text = figures(rows, { service: (row) => row.service, ms: (row) => row.ms });
  expect(text.split('\n')).toEqual(['service    ms', 'gateway  1200', 'payout      7']);
});
