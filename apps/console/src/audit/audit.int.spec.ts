/** The auditors' screens: what they see of checkpoints and balances, and that their browser checks both. */
import { signCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { leafHash, nodeHash } from '@stablecoin/event-proofs/merkle-tree';
import { CONSISTENCY_FORMAT } from '@stablecoin/event-proofs/proof-documents';
import type { Page } from 'playwright-core';
import type { Schema } from '../api/client';
import { consoleInBrowser, type Screen } from '../testing/console-in-browser';
import { SIGNER } from '../testing/signed-proof';
import { WALLET_ID } from '../testing/stub-content';

const AT = '2026-01-31T09:00:00.000Z';
const [ONE, TWO, THREE] = ['one', 'two', 'three'].map((text) => leafHash(Buffer.from(text))) as [
  Buffer,
  Buffer,
  Buffer,
];
const ROOTS = [ONE, nodeHash(ONE, TWO), nodeHash(nodeHash(ONE, TWO), THREE)] as const;
/** From which size to which, and the hashes that show it. */
const PATHS: Readonly<Record<string, readonly Buffer[]>> = { '1 2': [TWO], '2 3': [THREE], '1 3': [TWO, THREE] };
const signed = (size: number, root = ROOTS[size - 1] as Buffer): Schema<'SignedCheckpoint'> => {
  return {
    ...{ origin: SIGNER.name, size, root: root.toString('base64'), created_at: AT, key_id: SIGNER.keyId },
    ...{ public_key: SIGNER.publicKey.toString('base64'), verifier_key: SIGNER.verifierKey },
    checkpoint: signCheckpoint({ size, root, time: AT }, SIGNER),
  };
};
const CHECKPOINTS = [signed(2), signed(1)];
const MERCHANT = '0190c6f0-0000-7c1e-9d2a-0000000000aa';
const event = (position: number, movement: string, change: string, balance_after: string) => ({
  ...{ position, movement, change, balance_after, recorded_at: AT, type: 'CreditPosted' },
  ...{ transaction_id: 'K7Q2ZP9X4B', hash: 'ab'.repeat(32) },
});
const EXPLANATION: Schema<'BalanceExplanation'> = {
  ...{ wallet_id: WALLET_ID, merchant_id: MERCHANT, shard: 3, currency: 'USDC', balance: '1250.00000000' },
  ...{ opening: '1000.00000000', earlier: '11' },
  events: [
    event(14, 'payout-accepted', '-50.00000000', '1250.00000000'),
    event(12, 'deposit-completed', '300.00000000', '1300.00000000'),
  ],
};

let checkpoints = CHECKPOINTS;
let path: readonly string[] | undefined;
/** What the back office calls the newer one of a proof, where it is not what it has listed. */
let newer: Schema<'SignedCheckpoint'> | undefined;
let explanation = EXPLANATION;

const boxOf = (page: Page, size: number) =>
  page.getByLabel(`Compare the checkpoint of ${size} ${size === 1 ? 'event' : 'events'}`);
async function chooseBoth(page: Page): Promise<void> {
  for (const size of [2, 1]) await boxOf(page, size).check();
}
const checkBoth = (page: Page) => page.getByRole('button', { name: 'Check both' }).click();
/** A minute later a person comes back to the page, which asks again. */
async function comeBack(page: Page): Promise<void> {
  await page.clock.setFixedTime(Date.now() + 60_000);
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
}
const proofsAsked = () => running().stub.state.asked.flatMap((asked) => /consistency\?(.*)$/.exec(asked)?.[1] ?? []);

const asAuditor = () => running().signedInAs('auditor', { side: 'operator', merchant: null });
const SCREENS: readonly Screen[] = [
  {
    ...{ name: 'checkpoints', path: '/checkpoints', heading: 'Checkpoints', prepare: asAuditor },
    act: async (page) => {
      await chooseBoth(page);
      await page.getByRole('button', { name: 'Check both' }).click();
      await page.getByText('is the first of the').waitFor();
    },
  },
  { name: 'balances-first', path: '/balances', heading: 'Explain a balance', prepare: asAuditor },
  {
    ...{ name: 'balances', path: `/balances?wallet=${WALLET_ID}`, heading: '1,250.00 USDC', prepare: asAuditor },
    act: (page) => page.getByText('added up by your browser').waitFor(),
  },
];

const running = consoleInBrowser(SCREENS, {
  'GET /api/audit/runs': () => ({ data: { runner: { is_there: true, alive_at: AT }, runs: [] } }),
  'GET /api/audit/shards': () => ({ data: [{ shard: 3, events: 5, checkpoint: signed(2) }] }),
  'GET /api/audit/shards/:shard/checkpoints': ({ url }) => running().stub.page(checkpoints, url),
  'GET /api/audit/shards/:shard/consistency': ({ url }) => {
    const [from, to] = ['from', 'to'].map((name) => Number(url.searchParams.get(name))) as [number, number];
    const hashes = path ?? PATHS[`${from} ${to}`]?.map((hash) => hash.toString('hex'));
    const grown = newer ?? signed(to);
    return {
      data: { format: CONSISTENCY_FORMAT, old: signed(from).checkpoint, new: grown.checkpoint, path: hashes },
    };
  },
  'GET /api/audit/wallets/:id/balance': ({ parts: [id] }) => (id === WALLET_ID ? { data: explanation } : undefined),
});
beforeEach(() => {
  asAuditor();
  [checkpoints, path, newer, explanation] = [CHECKPOINTS, undefined, undefined, EXPLANATION];
});

async function checkedBoth(key: string) {
  const page = await running().open('/checkpoints');
  await chooseBoth(page);
  await page.getByLabel('Public key of the ledger').fill(key);
  await checkBoth(page);
  return page;
}

it('two checkpoints are held against each other, and against the key that the person brings', async () => {
  const page = await checkedBoth(SIGNER.publicKey.toString('base64'));
  await page.getByText('Both checkpoints are signed with your key').waitFor();
  await page.getByText('The 1 event of').waitFor();
});

it('a proof that does not hold is said, whatever the back office answers', async () => {
  path = [ONE.toString('hex')];
  const page = await checkedBoth('');
  await page.getByText('This proves nothing: the log of 1 events is not the beginning of the one of 2').waitFor();
});

const VERDICT = 'is the first of the';

it('two are checked as they were chosen, whatever is listed since, and a newer one when it is chosen', async () => {
  const page = await running().open('/checkpoints');
  await chooseBoth(page);
  checkpoints = [signed(3), ...CHECKPOINTS];
  await comeBack(page);
  await boxOf(page, 3).waitFor();
  expect(await page.getByRole('list', { name: 'Chosen' }).getByRole('listitem').count()).toBe(2);
  await checkBoth(page);
  await page.getByText('is the first of the 2 of').waitFor();
  expect(proofsAsked()).toEqual(['from=1&to=2']);
  await boxOf(page, 3).check();
  await page.getByText(VERDICT).waitFor({ state: 'detached' });
  expect(await boxOf(page, 2).isChecked()).toBe(false);
  await checkBoth(page);
  await page.getByText('is the first of the 3 of').waitFor();
  expect(proofsAsked()).toEqual(['from=1&to=2', 'from=1&to=3']);
});

it('another log of the same size is not the one that was chosen', async () => {
  const another = signed(2, nodeHash(ONE, THREE));
  [newer, path] = [another, [THREE.toString('hex')]];
  const page = await checkedBoth('');
  await page.getByText('the proof is for another checkpoint than the newer one chosen').waitFor();
  checkpoints = [another, signed(1)];
  await comeBack(page);
  await page.getByText(another.root).waitFor();
  expect(await boxOf(page, 2).isChecked()).toBe(false);
  expect(await boxOf(page, 1).isChecked()).toBe(true);
});

it('what was signed is what its line shows', async () => {
  checkpoints = [{ ...signed(2), root: signed(1).root }, signed(1)];
  const page = await checkedBoth('');
  await page.getByText('what was signed is not what the line of 2 events shows').waitFor();
});

it('a verdict is of the key and the two that were checked, and of nothing else', async () => {
  const page = await checkedBoth('');
  await page.getByText(VERDICT).waitFor();
  await page.getByLabel('Public key of the ledger').fill('another');
  await page.getByText(VERDICT).waitFor({ state: 'detached' });
  await checkBoth(page);
  await page.getByText('that is no public key').waitFor();
  await boxOf(page, 2).uncheck();
  await page.getByText('that is no public key').waitFor({ state: 'detached' });
});

it('one alone is not checked, and what is no key is said', async () => {
  const page = await running().open('/checkpoints');
  await page.getByRole('checkbox').first().check();
  expect(await page.getByRole('button', { name: 'Check both' }).isDisabled()).toBe(true);
  const other = await checkedBoth('nonsense');
  await other.getByText('that is no public key').waitFor();
});

it('changes that do not add up are named by their position', async () => {
  explanation = { ...EXPLANATION, opening: '1000.00000001' };
  const page = await running().open(`/balances?wallet=${WALLET_ID}`);
  await page.getByText('do not add up at position 12').waitFor();
});

it('a wallet and a moment are the address, and the events before are one step away', async () => {
  const page = await running().open('/balances');
  await page.getByLabel('Wallet').fill(WALLET_ID);
  await page.getByLabel('As of').fill('2026-01-31T12:00:00Z');
  await page.getByRole('button', { name: 'Explain' }).click();
  await page.getByText('added up by your browser').waitFor();
  expect(new URL(page.url()).searchParams.get('as_of')).toBe('2026-01-31T12:00:00Z');
  await page.getByRole('button', { name: 'Events before these' }).click();
  await page.waitForURL((url) => url.searchParams.get('as_of') === '11');
});

it('what is no wallet and no moment is said in words before anything is asked', async () => {
  const page = await running().open('/balances');
  const [wallet, moment] = [page.getByLabel('Wallet'), page.getByLabel('As of')];
  const isTaken = (field: typeof wallet) => field.evaluate((input: HTMLInputElement) => input.validity.valid);
  for (const text of ['wallet', `${WALLET_ID}0`]) {
    await wallet.fill(text);
    await page.getByRole('button', { name: 'Explain' }).click();
    expect(await isTaken(wallet)).toBe(false);
  }
  expect(await wallet.getAttribute('title')).toContain('A whole id: 36 characters');
  await wallet.fill(WALLET_ID);
  for (const text of ['yesterday', '2026-01-31', '2026-01-31T12:00', '-1']) {
    await moment.fill(text);
    expect(await isTaken(moment)).toBe(false);
  }
  expect(await moment.getAttribute('title')).toContain('A time with its zone');
  for (const text of ['', '0', '1204', '2026-01-31T12:00Z', '2026-01-31T12:00:00.123+01:00']) {
    await moment.fill(text);
    expect(await isTaken(moment)).toBe(true);
  }
  expect(running().stub.state.asked.filter((asked) => asked.includes('/balance'))).toEqual([]);
});

it('a wallet that is not there is said with what to do', async () => {
  const page = await running().open('/balances?wallet=11111111-1111-4111-8111-111111111111');
  await page.getByText('There is no such thing here').waitFor();
});

it.each(['/checkpoints', '/balances'])('%s is for the operator’s auditors', async (address) => {
  running().signedInAs('admin');
  const page = await running().open(address);
  await page.getByRole('heading', { name: 'Your role does not include this' }).waitFor();
  expect(running().stub.state.asked.filter((asked) => asked.includes('/api/audit'))).toEqual([]);
});

it('each screen is within its bound', () =>
  running().expectLight('/checkpoints', (page) => page.getByRole('checkbox').first().waitFor(), [
    (page) => page.getByRole('link', { name: 'Explain a balance' }).click(),
    (page) => page.getByRole('link', { name: 'Verification' }).click(),
  ]));
