/** What the backoffice asks of the customer service although no person has. */
import { randomUUID } from 'node:crypto';
import { createApiKey } from '@stablecoin/contracts/customer/create-api-key';
import { listApiKeys } from '@stablecoin/contracts/customer/list-api-keys';
import { openIdentity } from '@stablecoin/contracts/customer/open-identity';
import { noticedBy } from '../judging/expectation';
import { does } from './lines';

const NAME = 'Of the forger';
const asNoPerson = () => ({
  ...{ command_id: randomUUID(), input_hash: '0'.repeat(64), person_id: randomUUID(), member_id: randomUUID() },
});

export const makesItselfAKey = does(
  "makes itself a key of a merchant's, with which it reads and pays out",
  'running',
  noticedBy('the merchant', 'at a look at its keys: one is made by no member of it', NAME),
  async ({ bus, people: { mallory } }) => {
    const { merchantId: merchant_id } = mallory;
    const key = { merchant_id, ...asNoPerson(), name: NAME, scopes: ['read' as const, 'payout' as const] };
    await bus.call(createApiKey, key, { user: 'backoffice' });
    const { keys } = await bus.call(listApiKeys, { merchant_id }, { user: 'backoffice' });
    return { became: 'noticed', shown: keys.map(({ name }) => name ?? '').join() };
  },
);

export const readsAsAnOfficer = does(
  'reads who a customer is, as if a compliance officer had asked',
  'running',
  noticedBy('an operator', 'at a look at the log: the person is none of its people', 'customers show --personal-data'),
  async ({ bus, operator, people: { ada } }) => {
    const asked = { merchant_id: ada.merchantId, customer_id: ada.customerId, ...asNoPerson(), reason: 'case 7' };
    await bus.call(openIdentity, asked, { user: 'backoffice' });
    return { became: 'noticed', shown: await operator.run(['log', '--json', '--limit', '1']) };
  },
);
