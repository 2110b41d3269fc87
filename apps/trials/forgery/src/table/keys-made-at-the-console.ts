/** Keys that no member of the merchant has made. */
import { randomUUID } from 'node:crypto';
import { createApiKey } from '@stablecoin/contracts/customer/create-api-key';
import { listApiKeys } from '@stablecoin/contracts/customer/list-api-keys';
import { noticedBy } from '../judging/expectation';
import { does } from './lines';

const NAME = 'Of the forger';

export const makesItselfAKey = does(
  "makes itself a key of a merchant's, with which it reads and pays out",
  'running',
  noticedBy('the merchant', 'at a look at its keys: one is made by no member of it', NAME),
  async ({ bus, people: { mallory } }) => {
    const { merchantId: merchant_id } = mallory;
    const ids = { merchant_id, command_id: randomUUID(), input_hash: '0'.repeat(64) };
    const person = { person_id: randomUUID(), member_id: randomUUID() };
    const key = { ...ids, ...person, name: NAME, scopes: ['read' as const, 'payout' as const] };
    await bus.call(createApiKey, key, { user: 'backoffice' });
    const { keys } = await bus.call(listApiKeys, { merchant_id }, { user: 'backoffice' });
    return { became: 'noticed', shown: keys.map(({ name }) => name ?? '').join() };
  },
);
