/** What open pages hear: the changes of their merchant, as long as their session goes on. */
import { randomUUID } from 'node:crypto';
import { TRANSACTIONS_CHANGED, TransactionsChanged } from '@stablecoin/contracts/wallet/transactions-changed';
import { Announcements } from '@stablecoin/messaging/announcements';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { eventually } from '@stablecoin/testing/eventually';
import { testNatsUrl } from '@stablecoin/testing/nats';
import type { NatsConnection } from 'nats';
import type { Heard } from '../testing/browser';
import { newMerchant, RunningBackoffice, SignedIn } from '../testing/running-backoffice';

let backoffice: RunningBackoffice;
let connection: NatsConnection;
let ledger: Announcements;

beforeAll(async () => {
  backoffice = await RunningBackoffice.start();
  connection = await connectToBus(testNatsUrl(), 'wallet-ledger', false);
  ledger = new Announcements(connection, new SealedCodec(backoffice.busKey));
});
afterAll(async () => {
  await connection?.close();
  await backoffice?.stop();
});

const changed = (...merchants: TransactionsChanged['merchants']) =>
  ledger.announce(TRANSACTIONS_CHANGED, { merchants });
const names = (heard: Heard, text: string) => eventually(`the page hears of ${text}`, () => heard.text.includes(text));
const listening = async ({ browser }: SignedIn): Promise<Heard> => {
  const heard = await browser.hear('/api/live');
  expect(heard.status).toBe(200);
  return heard;
};

it('a page hears of the transactions of its own merchant, and of no others', async () => {
  const [ours, theirs] = [newMerchant(), newMerchant()];
  const page = await listening(await backoffice.member('viewer', ours));
  changed(
    { merchant_id: theirs.merchant_id, transaction_ids: ['THEIRS0001'] },
    { merchant_id: ours.merchant_id, transaction_ids: ['OURS000001', 'OURS000002'] },
  );
  await names(page, 'OURS000002');
  expect(page.text).toContain('event: transaction\ndata: {"transaction_id":"OURS000001"}\n\n');
  expect(page.text).not.toContain('THEIRS');
  page.stop();
});

it('of too many at once, and of a wallet, it hears that something has changed', async () => {
  const merchant = newMerchant();
  const page = await listening(await backoffice.member('viewer', merchant));
  const { merchant_id } = merchant;
  changed({ merchant_id, transaction_ids: Array.from({ length: 51 }, (_, index) => `MANY${index}`) });
  changed({ merchant_id, transaction_ids: [] });
  changed({ merchant_id, transaction_ids: ['LAST000001'] });
  await names(page, 'LAST000001');
  expect(page.text.split('{"transaction_id":null}')).toHaveLength(3);
  expect(page.text).not.toContain('MANY');
  page.stop();
});

it('what is no word of the ledger is dropped', async () => {
  const merchant = newMerchant();
  const page = await listening(await backoffice.member('viewer', merchant));
  const forged = { merchant_id: merchant.merchant_id, transaction_ids: ['FORGED0001'] };
  new Announcements(connection, new SealedCodec(Buffer.alloc(32))).announce(TRANSACTIONS_CHANGED, {
    merchants: [forged],
  });
  ledger.announce(TRANSACTIONS_CHANGED, { merchants: [{ ...forged, transaction_ids: 'FORGED0001' }] });
  changed({ merchant_id: merchant.merchant_id, transaction_ids: ['HONEST0001'] });
  await names(page, 'HONEST0001');
  expect(page.text).not.toContain('FORGED');
  page.stop();
});

describe('a page hears nothing more', () => {
  const hasEnded = (page: Heard) => eventually('the stream has ended', () => page.hasEnded, { timeoutMs: 20_000 });

  it('after its session was signed out', async () => {
    const member = await backoffice.member('viewer', newMerchant());
    const page = await listening(member);
    await member.browser.delete('/api/session');
    await hasEnded(page);
  });

  it('after its member was removed', async () => {
    const merchant = newMerchant();
    const admin = await backoffice.member('admin', merchant);
    const member = await backoffice.member('viewer', merchant);
    const page = await listening(member);
    expect((await admin.browser.delete(`/api/members/${member.memberId}`)).status).toBe(204);
    await hasEnded(page);
  });

  it('after half an hour in which nothing was asked: listening counts as nothing', async () => {
    const member = await backoffice.member('viewer', newMerchant());
    const page = await listening(member);
    await backoffice.rows(`UPDATE sessions SET last_used_at = now() - interval '31 minutes' WHERE member_id = $1`, [
      member.memberId,
    ]);
    await hasEnded(page);
  });
});

it("needs a session of a merchant's member", async () => {
  expect((await backoffice.browser().get('/api/live')).status).toBe(401);
  const { browser } = await backoffice.member('support', null);
  expect(await browser.get('/api/live')).toMatchObject({ status: 403, body: { code: 'no_merchant' } });
});

it('a member has ten pages open, and another one when one of them was closed', async () => {
  const member = await backoffice.member('viewer', newMerchant());
  const pages = await Promise.all(Array.from({ length: 10 }, () => listening(member)));
  expect(await member.browser.get('/api/live')).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  pages[0]?.stop();
  const eleventh = await eventually('there is room for another', async () => {
    const page = await member.browser.hear('/api/live');
    return page.status === 200 && page;
  });
  for (const page of [...pages, eleventh]) page.stop();
});

it('what only looks whether there is a stream leaves none behind', async () => {
  const member = await backoffice.member('viewer', newMerchant());
  for (let time = 0; time < 12; time += 1) expect((await member.browser.ask('HEAD', '/api/live')).status).toBe(200);
  (await listening(member)).stop();
});

it('to connect, once or again, counts as no request', async () => {
  const member = await backoffice.member('viewer', newMerchant());
  const used = async () =>
    (
      await backoffice.rows<{ at: Date }>('SELECT last_used_at AS at FROM sessions WHERE member_id = $1', [
        member.memberId,
      ])
    )[0]?.at.getTime();
  const before = await used();
  for (const page of [await listening(member), await listening(member)]) page.stop();
  expect(await used()).toBe(before);
  await member.browser.get('/api/session');
  expect(await used()).toBeGreaterThan(before ?? Infinity);
});

it('pages end when the service stops, and it stops at once', async () => {
  const another = await RunningBackoffice.start();
  const page = await listening(await another.member('viewer', newMerchant()));
  const began = performance.now();
  await another.stop();
  await eventually('the stream has ended', () => page.hasEnded);
  expect(performance.now() - began).toBeLessThan(10_000);
});

it('hears on after changes of a merchant that no page is of', async () => {
  const merchant = newMerchant();
  const page = await listening(await backoffice.member('viewer', merchant));
  changed({ merchant_id: randomUUID(), transaction_ids: ['UNSEEN0001'] });
  changed({ merchant_id: merchant.merchant_id, transaction_ids: ['SEEN000001'] });
  await names(page, 'SEEN000001');
  expect(page.text).not.toContain('UNSEEN');
  page.stop();
});
