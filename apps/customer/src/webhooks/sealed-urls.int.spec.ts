import { createWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { getEvent } from '@stablecoin/contracts/customer/get-event';
import { getWebhook } from '@stablecoin/contracts/customer/get-webhook';
import { listWebhooks } from '@stablecoin/contracts/customer/list-webhooks';
import { resendEvent } from '@stablecoin/contracts/customer/resend-event';
import { testWebhook } from '@stablecoin/contracts/customer/test-webhook';
import { updateWebhook } from '@stablecoin/contracts/customer/update-webhook';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { Progress } from '@stablecoin/customer-store/progress';
import { PersonalData } from '@stablecoin/customer-store/personal-data';
import { SealedUrls, UrlSealing } from '@stablecoin/customer-store/webhooks/url-sealing';
import { commandOf } from '@stablecoin/testing/command-of';
import { WebhookReceiver } from '@stablecoin/testing/webhook-receiver';
import { RunningCustomer } from '../testing/running-service';

const TOKEN = 'canary-token-of-a-url';
let service: RunningCustomer;
let receiver: WebhookReceiver;
let merchant_id: string;
let url: string;

beforeEach(async () => {
  service = await RunningCustomer.start();
  receiver = await WebhookReceiver.start();
  merchant_id = await service.newMerchant();
  url = receiver.url(`/hooks?token=${TOKEN}`);
});
afterEach(async () => {
  await service.stop();
  await receiver.stop();
});

/** As after an upgrade, while the version before may still run. */
const notYet = () => service.sql('DELETE FROM webhook_url_sealing');
const sealAll = (): Promise<SealedUrls> =>
  new UrlSealing(service.get(CustomerDatabase), service.get(PersonalData), 10).run(
    new Progress('rows', () => undefined),
  );

async function tablesWithToken(): Promise<string[]> {
  const tables = await service.sql<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  const having = tables.map(async ({ name }) => {
    const rows = await service.sql(`SELECT 1 FROM "${name}" AS each WHERE row_to_json(each)::text LIKE '%${TOKEN}%'`);
    return rows.length > 0 ? [name] : [];
  });
  return (await Promise.all(having)).flat().sort();
}

/** A webhook made, changed, tested and looked up; an event sent again. */
async function life() {
  const { result: made } = await service.ask(createWebhook, commandOf({ merchant_id, key_mode: 'test', url }));
  const webhook_id = made.id;
  const update = commandOf({ merchant_id, key_mode: 'test', webhook_id, url: `${url}-2`, description: 'x' });
  const { result: updated } = await service.ask(updateWebhook, update);
  const { result: tested } = await service.ask(testWebhook, commandOf({ merchant_id, webhook_id }));
  const resend = commandOf({ merchant_id, event_id: tested.event_id });
  const { result: resent } = await service.ask(resendEvent, resend);
  return { webhook_id, update, updated, tested, resend, resent };
}

it('stand in no table in clear in a new database, and merchants see and get what they did', async () => {
  const { webhook_id, update, updated, tested, resend, resent } = await life();
  expect([updated.url, tested.outcome]).toEqual([`${url}-2`, 'delivered']);
  expect(resent.deliveries[0]?.url).toBe(`${url}-2`);
  expect((await service.ask(getWebhook, { merchant_id, webhook_id })).url).toBe(`${url}-2`);
  expect((await service.ask(listWebhooks, { merchant_id, page: 1, limit: 20 })).items[0]?.url).toBe(`${url}-2`);
  const event = await service.ask(getEvent, { merchant_id, event_id: tested.event_id });
  expect(event.deliveries[0]?.url).toBe(`${url}-2`);
  expect(await service.ask(updateWebhook, update)).toEqual({ result: updated, replayed: true });
  expect(await service.ask(resendEvent, resend)).toEqual({ result: resent, replayed: true });
  expect(await tablesWithToken()).toEqual([]);
});

it('are written as the version before reads them until an operator seals them all, answers too; repeated it finds nothing', async () => {
  await notYet();
  const { webhook_id, update, updated, tested, resend, resent } = await life();
  expect(await tablesWithToken()).toEqual(['command_results', 'webhook_endpoints']);
  expect(await sealAll()).toEqual({ urls: 1, answers: 2 });
  expect(await tablesWithToken()).toEqual([]);
  expect(await sealAll()).toEqual({ urls: 0, answers: 0 });
  expect(await service.ask(updateWebhook, update)).toEqual({ result: updated, replayed: true });
  expect(await service.ask(resendEvent, resend)).toEqual({ result: resent, replayed: true });
  expect((await service.ask(testWebhook, commandOf({ merchant_id, webhook_id }))).result.outcome).toBe('delivered');
  expect(tested.outcome).toBe('delivered');
  await life();
  expect(await tablesWithToken()).toEqual([]);
});

it('opens for its merchant and endpoint alone', async () => {
  const one = (await service.ask(createWebhook, commandOf({ merchant_id, key_mode: 'test', url }))).result.id;
  const two = (await service.ask(createWebhook, commandOf({ merchant_id, key_mode: 'test', url }))).result.id;
  await service.sql(
    `UPDATE webhook_endpoints SET sealed_url = (SELECT sealed_url FROM webhook_endpoints WHERE id = $1) WHERE id = $2`,
    [one, two],
  );
  await expect(service.ask(getWebhook, { merchant_id, webhook_id: two })).rejects.toThrow('can not be read');
});
