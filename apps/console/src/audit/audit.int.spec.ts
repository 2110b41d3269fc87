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
const [ONE, TWO] = [leafHash(Buffer.from('one')), leafHash(Buffer.from('two'))];
const ROOTS = [ONE, nodeHash(ONE, TWO)] as const;
const signed = (size: 1 | 2): Schema<'SignedCheckpoint'> => {
  const root = ROOTS[size - 1] as Buffer;
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

let path = [TWO.toString('hex')];
let explanation = EXPLANATION;

async function chooseBoth(page: Page): Promise<void> {
  for (const { size } of CHECKPOINTS) await page.getByLabel(`Compare the checkpoint of ${size} events`).check();
}

const asAuditor = () => running().signedInAs('auditor', { side: 'operator', merchant: null });
const SCREENS: readonly Screen[] = [
  {
    ...{ name: 'checkpoints', path: '/checkpoints', heading: 'Checkpoints', prepare: asAuditor },
    act: async (page) => {
      await chooseBoth(page);
      await page.getByRole('button', { name: 'Check both' }).click();
      await page.getByText('are the first of the').waitFor();
    },
  },
  { name: 'balances-first', path: '/balances', heading: 'Explain a balance', prepare: asAuditor },
  {
    ...{ name: 'balances', path: `/balances?wallet=${WALLET_ID}`, heading: '1,250.00 USDC', prepare: asAuditor },
    act: (page) => page.getByText('added up by your browser').waitFor(),
  },
];

const running = consoleInBrowser(SCREENS, {
  'GET /api/audit/shards': () => ({ data: [{ shard: 3, events: 5, checkpoint: signed(2) }] }),
  'GET /api/audit/shards/:shard/checkpoints': ({ url }) => running().stub.page(CHECKPOINTS, url),
  'GET /api/audit/shards/:shard/consistency': () => ({
    data: { format: CONSISTENCY_FORMAT, old: signed(1).checkpoint, new: signed(2).checkpoint, path },
  }),
  'GET /api/audit/wallets/:id/balance': ({ parts: [id] }) => (id === WALLET_ID ? { data: explanation } : undefined),
});
beforeEach(() => {
  asAuditor();
  path = [TWO.toString('hex')];
  explanation = EXPLANATION;
});

async function checkedBoth(key: string) {
  const page = await running().open('/checkpoints');
  await chooseBoth(page);
  await page.getByLabel('Public key of the ledger').fill(key);
  await page.getByRole('button', { name: 'Check both' }).click();
  return page;
}

it('two checkpoints are held against each other, and against the key that the person brings', async () => {
  const page = await checkedBoth(SIGNER.publicKey.toString('base64'));
  await page.getByText('Both checkpoints are signed with your key').waitFor();
  await page.getByText('The 1 events of').waitFor();
});

it('a proof that does not hold is said, whatever the back office answers', async () => {
  path = [ONE.toString('hex')];
  const page = await checkedBoth('');
  await page.getByText('This proves nothing: the log of 1 events is not the beginning of the one of 2').waitFor();
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
  ]));
