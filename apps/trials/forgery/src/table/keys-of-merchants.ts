/** Whose key it is, and what it may: the customer service's word, and its database's. */
import { resolveApiKey, type ResolvedApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { simulateDeposit } from '@stablecoin/contracts/payout/simulate-deposit';
import { BANK } from '@stablecoin/testing/journey';
import { randomBytes, randomUUID } from 'node:crypto';
import { noticedBy, refusedBy } from '../judging/expectation';
import { does, refusalOf, sql } from './lines';

/** Of a row of its own table, whatever the service's login may update there. */
const inKeys = (what: string, error: string, statement: string) =>
  sql(what, { login: 'customer_app', database: 'customer', statements: [statement] }, refusedBy('Postgres', error));
const UNCHANGEABLE = 'permission denied for table api_keys';

export const KEYS_MINTED = [
  inKeys(
    "makes a live merchant's keys test keys, so that the sandbox pays in",
    UNCHANGEABLE,
    `UPDATE api_keys SET mode = 'test' WHERE mode = 'live'`,
  ),
] as const;

export const KEYS_MOVED = [
  inKeys(
    "puts a key of his own in the place of another merchant's",
    UNCHANGEABLE,
    `UPDATE api_keys SET key_hash = repeat('cd', 32) WHERE id = (SELECT id FROM api_keys WHERE 'payout' = ANY (scopes) LIMIT 1)`,
  ),
  inKeys(
    'makes two keys of one person those of two, so that he approves his own payouts',
    UNCHANGEABLE,
    'UPDATE api_keys SET signer_id = gen_random_uuid()',
  ),
  inKeys('lets a key that only reads pay out', UNCHANGEABLE, `UPDATE api_keys SET scopes = ARRAY['read', 'payout']`),
] as const;

export const KEYS_UNDONE = [
  inKeys(
    'gives back a key that was revoked',
    'a key whose time is over stays revoked or expired',
    'UPDATE api_keys SET revoked_at = NULL WHERE revoked_at IS NOT NULL',
  ),
] as const;

export const saysThatLiveIsTest = does(
  'says that a live merchant is one of the sandbox, and asks it for a deposit',
  'running',
  refusedBy('the ledger', 'rail_unavailable'),
  (site) => {
    const { merchantId, shard, walletId } = site.people.live;
    const command = { merchant_id: merchantId, command_id: randomUUID(), input_hash: '0'.repeat(64) };
    const body = { ...command, wallet_id: walletId, amount: '1000000', shard };
    const asked = { operation: simulateDeposit, body };
    return refusalOf(site, () =>
      site.bus.call(simulateDeposit, body, { user: 'gateway', onBehalfOf: { merchantId, mode: 'test' }, asked }),
    );
  },
);

export const saysWhoseKeyItIs = does(
  "says that an accomplice's key is another merchant's",
  'running',
  noticedBy(
    'the merchant',
    'at the next look at the wallet or the transactions; the key is in no list of its keys',
    'PENDING',
  ),
  async ({ bus, people: { ada, mallory } }) => {
    const resolved: ResolvedApiKey = {
      ...{ api_key_id: randomUUID(), merchant_id: ada.merchantId, mode: 'test', shard: ada.shard },
      ...{ scopes: ['read', 'write', 'payout'], payout_fee_schedule: null },
    };
    const stop = await bus.answerTo('customer', resolveApiKey, resolved);
    try {
      const body = { ...BANK, customer_id: ada.customerId, currency: 'USDT', amount: '6' };
      for (let tries = 0; tries < 10; tries += 1) {
        // Another one each time: of a key that the true service answered for first, the gateway remembers that there is none.
        const apiKey = `sk_test_${randomBytes(32).toString('base64url')}`;
        const { status, text } = await mallory.client.post('/payouts/banks', body, { apiKey });
        if (status < 300) return { became: 'noticed', shown: text };
        if (status !== 401) return { became: 'refused', by: 'the gateway', error: `${status} ${text}` };
      }
      return { became: 'refused', by: 'the gateway', error: '401, ten times' };
    } finally {
      stop();
    }
  },
);
