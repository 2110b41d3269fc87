/** Endpoints that no member of the merchant has added. */
import { randomUUID } from 'node:crypto';
import { createWebhook } from '@stablecoin/contracts/customer/create-webhook';
import { dataOf } from '@stablecoin/testing/merchant-client';
import { noticedBy } from '../judging/expectation';
import { does } from './lines';

const ELSEWHERE = 'https://forger.example/events';

export const hasEventsSentElsewhere = does(
  "has a merchant's events sent to himself, by an endpoint that no member has added",
  'running',
  noticedBy('the merchant', 'at a look at its webhooks: one is not its own', ELSEWHERE),
  async ({ bus, people: { mallory } }) => {
    const ids = { merchant_id: mallory.merchantId, command_id: randomUUID(), input_hash: '0'.repeat(64) };
    await bus.call(createWebhook, { ...ids, url: ELSEWHERE, key_mode: 'test' }, { user: 'backoffice' });
    const [shown] = await dataOf(mallory.client.get<{ url: string }[]>('/webhooks'));
    return { became: 'noticed', shown: shown?.url ?? 'none' };
  },
);
