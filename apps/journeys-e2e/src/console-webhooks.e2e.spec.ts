/** Endpoints and events at the console: what the merchant's keys can do with them, by people, on the whole stack. */
import { eventually } from '@stablecoin/testing/eventually';
import { WebhookReceiver } from '@stablecoin/testing/webhook-receiver';
import { Client as Database } from 'pg';
import { Client, dataOf } from './client';
import { ConsoleSession } from './console-session';
import { createMerchant } from './merchants';
import { type OwnStack, startOwnStack } from './own-stack';

interface Webhook {
  id: string;
  url: string;
  status: string;
  secret: string;
}
interface Event {
  id: string;
  type: string;
  deliveries: { status: string; response_status: number | null }[];
}
interface Answer<Data> {
  code?: string;
  data: Data;
}

const TOKEN = 'planted-token-5f1c9b';

let own: OwnStack;
let merchantId: string;
let merchant: Client;
let receiver: WebhookReceiver;
let developer: ConsoleSession;
let webhook: Webhook;

beforeAll(async () => {
  own = await startOwnStack({ BACKOFFICE_PORT: '0' });
  receiver = await WebhookReceiver.start();
  const created = await createMerchant([], own.description);
  merchantId = created.merchant_id;
  merchant = new Client(own.description.base_url, created.api_key);
  developer = await sessionOf('developer');
  const url = receiver.url(`/?t=${TOKEN}`);
  expect(await developer.post<Answer<Webhook>>('/webhooks', { url })).toMatchObject({
    ...{ status: 409, body: { code: 'no_passkey_yet' } },
  });
  await developer.stepUp(await developer.addPasskey());
  const { status, body } = await developer.post<Answer<Webhook>>('/webhooks', { url });
  expect(status).toBe(201);
  webhook = body.data;
}, 500_000);
afterAll(async () => {
  await receiver?.stop();
  await own?.stop();
}, 90_000);

const sessionOf = (role: string) => ConsoleSession.of(role, merchantId, own.description);
const read = async <Data>(path: string) => JSON.parse((await developer.get(path)).text) as Answer<Data>;

it('an endpoint is shown to the merchant’s keys as well, its secret to who has added it and no one else', async () => {
  expect(webhook).toMatchObject({ status: 'enabled', secret: expect.stringMatching(/^whsec_/) as unknown });
  const { secret, ...shown } = webhook;
  expect((await read<Webhook[]>('/webhooks')).data).toEqual([shown]);
  expect(await dataOf(merchant.get<Webhook[]>('/webhooks'))).toEqual([shown]);
  expect((await developer.get('/webhooks')).text).not.toContain(secret);
});

it('what happens is delivered, shown with how it fared, and sent again', async () => {
  const wallet = await dataOf(merchant.post<{ id: string }>('/wallets', { currency: 'USD' }));
  await dataOf(merchant.post('/sandbox/deposits', { wallet_id: wallet.id, amount: '5' }));
  const event = await eventually('the deposit is among the events', async () => {
    const { data } = await read<Event[]>('/events');
    return data.find(({ type }) => type === 'deposit.completed');
  });
  const shown = () => read<Event>(`/events/${event.id}`);
  await eventually('it was delivered', async () => (await shown()).data.deliveries[0]?.status === 'delivered');
  const before = receiver.received.length;
  const { status, body } = await developer.post<Answer<Event>>(`/events/${event.id}/resend`, {});
  expect({ status, deliveries: body.data.deliveries.length }).toEqual({ status: 200, deliveries: 1 });
  await eventually('it was delivered again', () => receiver.received.length > before);
});

it('a test is sent, and a new secret given', async () => {
  const { body: tested } = await developer.post<Answer<{ outcome: string }>>(`/webhooks/${webhook.id}/test`, {});
  expect(tested.data.outcome).toBe('delivered');
  const { body: rotated } = await developer.post<Answer<Webhook>>(`/webhooks/${webhook.id}/rotate-secret`, {});
  expect(rotated.data.secret).toMatch(/^whsec_/);
  expect(rotated.data.secret).not.toBe(webhook.secret);
});

it('who has a passkey shows it before an endpoint or a secret changes', async () => {
  const admin = await sessionOf('admin');
  const device = await admin.addPasskey();
  const rotate = () => admin.post<Answer<Webhook>>(`/webhooks/${webhook.id}/rotate-secret`, {});
  expect(await rotate()).toMatchObject({ status: 403, body: { code: 'step_up_required' } });
  expect(await admin.post<Answer<Webhook>>('/webhooks', { url: 'https://a.example' })).toMatchObject({ status: 403 });
  expect(await admin.post<Answer<object>>(`/webhooks/${webhook.id}/test`, {})).toMatchObject({ status: 200 });
  await admin.stepUp(device);
  expect(await rotate()).toMatchObject({ status: 200 });
});

it.each(['viewer', 'payer', 'approver'])('a %s sees and changes nothing of them', async (role) => {
  const session = await sessionOf(role);
  for (const path of ['/webhooks', '/events']) expect(await session.get(path)).toMatchObject({ status: 403 });
  for (const path of ['', `/${webhook.id}/test`, `/${webhook.id}/rotate-secret`])
    expect(await session.post<Answer<object>>(`/webhooks${path}`, {})).toMatchObject({
      ...{ status: 403, body: { code: 'not_allowed' } },
    });
});

it("another merchant's are not found", async () => {
  const another = await createMerchant([], own.description);
  const theirs = await ConsoleSession.of('admin', another.merchant_id, own.description);
  await theirs.stepUp(await theirs.addPasskey());
  expect((JSON.parse((await theirs.get('/webhooks')).text) as Answer<Webhook[]>).data).toEqual([]);
  for (const path of ['test', 'rotate-secret'])
    expect(await theirs.post<Answer<object>>(`/webhooks/${webhook.id}/${path}`, {})).toMatchObject({ status: 404 });
  const [event] = (await read<Event[]>('/events')).data;
  expect(await theirs.get(`/events/${event?.id ?? ''}`)).toMatchObject({ status: 404 });
  expect(await theirs.post<Answer<object>>(`/events/${event?.id ?? ''}/resend`, {})).toMatchObject({ status: 404 });
});

it('a URL that no key could register is refused as a key is told', async () => {
  const url = 'ftp://files.example';
  const { status, body } = await developer.post<Answer<object>>('/webhooks', { url });
  const told = await merchant.post('/webhooks', { url });
  expect({ status, code: body.code }).toEqual({ status: told.status, code: told.body.code });
});

it('each act is on the record with the person, and no URL or secret is', async () => {
  const database = new Database({ connectionString: own.description.owner_databases.backoffice });
  await database.connect();
  const { rows } = await database.query<{ action: string; details: object; person_id: string | null }>(
    `SELECT action, details, person_id FROM acts WHERE action LIKE 'webhook-%' OR action = 'event-resent' ORDER BY number`,
  );
  await database.end();
  const mine = rows.filter(({ person_id }) => person_id === rows[0]?.person_id).map(({ action }) => action);
  expect(mine.slice(0, 4)).toEqual(['webhook-created', 'event-resent', 'webhook-tested', 'webhook-secret-rotated']);
  expect(JSON.stringify(rows)).not.toContain(TOKEN);
  expect(JSON.stringify(rows)).not.toContain('whsec_');
});
