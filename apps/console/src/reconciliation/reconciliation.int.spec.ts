/** Reports of holdings against the books, in a real browser. */
import type { Schema } from '../api/client';
import { type ConsoleInBrowser, consoleInBrowser, type Screen } from '../testing/console-in-browser';
import { type Answers, enveloped } from '../testing/stub-back-office';

const AT = '2026-01-31T09:30:00.000Z';
const PROBLEM = 'the hot wallet holds less than its transfers say, by transaction 0x4e3a3754410177e6937ef1f84bba68ea';
const line = (transfers: number, amount: string) => ({ transfers, amount });
const RIGHT: Schema<'WholeReport'> = {
  ...{ number: 1, kept_at: AT, is_sound: true },
  report: {
    ...{ ok: true, statement: { number: 7, origin: 'ledger.example', time: AT } },
    currencies: [
      {
        ...{
          currency: 'USDC',
          covered: true,
          owed: '1200.5',
          held: '1500.0',
          held_elsewhere: '0.0',
          spoken_for: '4.0',
        },
        surplus: '295.5',
      },
    ],
    networks: [
      {
        ...{ network: 'erc20', nodes: ['a.example.com', 'b.example.com'], block_number: 21_000_000, block_hash: '0x1' },
        addresses: 1_204,
        tokens: [
          {
            ...{ currency: 'USDC', held: '1500.0', put_in: line(2, '300.0'), taken_out: line(0, '0.0') },
            ...{
              booked: '1196.0',
              explained: { uncredited: line(1, '4.0'), rest: line(0, '0.0') },
              unexplained: '0.0',
            },
            findings: [],
          },
        ],
      },
    ],
    not_looked_at: [],
  },
};
const [NETWORK] = RIGHT.report.networks;
const WRONG: Schema<'WholeReport'> = {
  ...{ number: 2, kept_at: AT, is_sound: false },
  report: {
    ...{ ...RIGHT.report, ok: false },
    currencies: RIGHT.report.currencies.map((each) => ({ ...each, covered: false, surplus: '-12.5' })),
    networks: (NETWORK ? [NETWORK] : []).map((network) => ({
      ...network,
      tokens: network.tokens.map((token) => ({
        ...{ ...token, unexplained: '-12.5' },
        findings: [{ amount: '-12.5', problem: PROBLEM, since: '2026-01-29T09:30:00.000Z' }],
      })),
    })),
    not_looked_at: [{ network: 'solana', currency: 'USDC', booked: '10.0', open: true }],
  },
};

let reports: Schema<'WholeReport'>[] = [];
const ANSWERS: Answers = {
  'GET /api/reconciliation': () => enveloped(reports.map(({ report: _, ...kept }) => kept)),
  'GET /api/reconciliation/:number': ({ parts: [number] }) =>
    enveloped(reports.find((report) => String(report.number) === number)),
};
const showing =
  (...kept: Schema<'WholeReport'>[]) =>
  () => {
    reports = kept;
    app().signedInAs('compliance', { side: 'operator', merchant: null });
  };
const SCREENS: readonly Screen[] = [
  {
    ...{ name: 'reconciliation', path: '/reconciliation', heading: 'Solvency', prepare: showing(WRONG, RIGHT) },
    act: (page) => page.getByText(PROBLEM).waitFor(),
  },
  {
    name: 'reconciliation-right',
    path: '/reconciliation?report=1',
    heading: 'Ethereum',
    prepare: showing(WRONG, RIGHT),
  },
  { name: 'reconciliation-none', path: '/reconciliation', heading: 'No report was kept yet', prepare: showing() },
];
const app: () => ConsoleInBrowser = consoleInBrowser(SCREENS, ANSWERS);

it('shows the newest report, what is not explained and since when, and those before it', async () => {
  showing(WRONG, RIGHT)();
  const page = await app().open('/reconciliation');
  await page.getByText('Not right: see').waitFor();
  await page.getByText(PROBLEM).waitFor();
  await page.getByText('In each report since').waitFor();
  await page.getByText('Not looked at: Solana').waitFor();
  await page.getByLabel('Report').selectOption('1');
  await page.getByText('Covered, and every unit explained.').waitFor();
  expect(new URL(page.url()).search).toBe('?report=1');
  expect(await page.getByText(PROBLEM).count()).toBe(0);
});
