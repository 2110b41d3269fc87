import { SolvencyReport, solvencyReportOf, withAges } from './solvency-report';

const LINE = { transfers: 1, amount: '1.0' };
const report = (...problems: string[]): SolvencyReport => ({
  ok: problems.length === 0,
  statement: { number: 7, origin: 'ledger.example', time: '2026-01-31T09:30:00.000Z' },
  currencies: [
    {
      ...{ currency: 'USDC', covered: true, owed: '5.0', held: '6.0', held_elsewhere: '0', spoken_for: '0' },
      surplus: '-1.5',
    },
  ],
  networks: [
    {
      ...{ network: 'erc20', nodes: ['a', 'b'], block_number: 9, block_hash: '0x1', addresses: 3 },
      tokens: [
        {
          ...{ currency: 'USDC', held: '6.0', put_in: LINE, taken_out: LINE, booked: '5.0', unexplained: '0' },
          explained: { uncredited: LINE },
          findings: problems.map((problem) => ({ amount: '1.0', problem })),
        },
      ],
    },
  ],
  not_looked_at: [{ network: 'solana', currency: 'USDC', booked: '0', open: true }],
});
const agesOf = ({ networks }: SolvencyReport) =>
  networks.flatMap(({ tokens }) => tokens.flatMap(({ findings }) => findings.map(({ since }) => since)));

it('takes what the auditor prints, and nothing else', () => {
  expect(solvencyReportOf(report('a unit is missing'))).toBeDefined();
  const whole = report();
  const others = [
    ...[null, [], 'text', {}, { ...whole, ok: 'yes' }, { ...whole, networks: [{}] }, { ...whole, currencies: null }],
    { ...whole, currencies: whole.currencies.map((each) => ({ ...each, owed: '1e9' })) },
    { ...whole, statement: { ...whole.statement, number: 1.5 } },
  ];
  for (const other of others) expect(solvencyReportOf(other)).toBeUndefined();
});

it('a difference is as old as the first report in a row that has it', () => {
  const [monday, tuesday, wednesday] = ['2026-01-26', '2026-01-27', '2026-01-28'] as const;
  const first = withAges(report('one'), undefined, monday);
  const second = withAges(report('one', 'other'), first, tuesday);
  expect(agesOf(second)).toEqual([monday, tuesday]);
  const third = withAges(report('other'), second, wednesday);
  expect(agesOf(third)).toEqual([tuesday]);
  expect(agesOf(withAges(report('one'), third, wednesday))).toEqual([wednesday]);
});
