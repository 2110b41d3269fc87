import { readFileSync } from 'node:fs';
import { consoleInBrowser, type Screen } from '../testing/console-in-browser';
import { WALLET_ID } from '../testing/stub-content';

const PATH = `/wallets/${WALLET_ID}`;
const SCREENS: Screen[] = [
  {
    ...{ name: 'wallet-balances', path: PATH, heading: 'Balance over time' },
    act: async (page) => page.getByText('Balances as a table').click(),
  },
];
const running = consoleInBrowser(SCREENS, {
  [`GET /api/wallets/${WALLET_ID}/statement.pdf`]: () => ({ document: true }),
});

it('shows what was held at the end of each day, for as many as are chosen', async () => {
  const page = await running().open(PATH);
  const chart = page.getByRole('slider', { name: 'Balance over time: day' });
  expect(await chart.getAttribute('aria-valuemax')).toBe('30');
  await page.locator('.balance-chart').getByRole('combobox').selectOption('366');
  await page.locator('[aria-valuemax="366"]').waitFor();
  await chart.focus();
  await page.keyboard.press('Home');
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/: Balance in USDC, at the end of each day in UTC 0\.00$/);
});

it('has a statement of the days that are chosen, as CSV and as PDF', async () => {
  const page = await running().open(PATH);
  await page.getByLabel('First day').fill('2026-01-01');
  await page.getByLabel('Last day').fill('2026-01-31');
  const days = 'start_date=2026-01-01&end_date=2026-01-31';
  const csv = page.getByRole('link', { name: 'CSV' });
  expect(await csv.getAttribute('href')).toBe(`/api/wallets/${WALLET_ID}/statement.csv?${days}`);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PDF' }).click();
  const file = await download;
  expect(file.suggestedFilename()).toBe('statement-2026-01-01-2026-01-31.pdf');
  expect(readFileSync(await file.path(), 'utf8')).toContain('document');
  await page.getByLabel('Last day').fill('2025-12-31');
  await page.getByText('Choose a last day that is not before the first').waitFor();
  expect(await csv.count()).toBe(0);
});

it('says why there is no document', async () => {
  running().refuse(`GET /api/wallets/${WALLET_ID}/statement.pdf`, 422);
  const page = await running().open(PATH);
  await page.getByRole('button', { name: 'PDF' }).click();
  await page.getByRole('alert').getByText('It was refused.').waitFor();
});
