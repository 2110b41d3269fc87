/** Who was erased comes back, or is said to have been erased: by the owner of the customer service's database, or with a backup of it. */
import { randomUUID } from 'node:crypto';
import { openSealed } from '@stablecoin/contracts/customer/open-sealed';
import { WALLET_DESCRIPTION_FIELD } from '@stablecoin/contracts/wallet/views';
import { closeCustomerAccount } from '@stablecoin/contracts/wallet/close-customer-account';
import { sealedIn } from '@stablecoin/personal-data/sealed-text';
import { dataOf, successOf } from '@stablecoin/testing/merchant-client';
import { eventually } from '@stablecoin/testing/eventually';
import { individualWithDocument } from '@stablecoin/testing/person';
import { type Database, OWNER } from '../ground/databases';
import { LISTED_ADDRESS } from '../ground/people';
import type { Site } from '../ground/site';
import { type Evidence, noticedBy, refusedBy } from '../judging/expectation';
import { does, refusalOf, sql } from './lines';

const ERASED_AGAIN = 'customers were erased again';

/** The statement that puts the erased customer's data key back, as the backup has it. */
async function keyFromBackup({ backups, people: { erased } }: Pick<Site, 'backups' | 'people'>): Promise<string> {
  const [key] = await backups.customer.rows<{ wrapped_key: string }>(
    `SELECT wrapped_key FROM data_keys WHERE owner_id = '${erased.customerId}'`,
  );
  if (!key) throw new Error('the backup has no key of the erased customer: it is no forgery');
  return `INSERT INTO data_keys (owner_id, wrapped_key) VALUES ('${erased.customerId}', '${key.wrapped_key}')`;
}

/** Of the erased customer's wallet, sealed. */
async function descriptionInTheLog({ databases, people: { erased } }: Pick<Site, 'databases' | 'people'>) {
  const [wallet] = await databases.ledger.rows<{ description: string }>(
    `SELECT description FROM wallets WHERE id = '${erased.walletId}'`,
  );
  const sealed = wallet && sealedIn(wallet.description);
  if (sealed === undefined) throw new Error('the log has no sealed description: it is no forgery');
  return { customer_id: erased.customerId, field: WALLET_DESCRIPTION_FIELD, sealed };
}

/** The customer service is started on what was forged. */
async function afterItsStart(site: Site, database: Database): Promise<Evidence> {
  const { customerId } = site.people.erased;
  const service = await site.startCustomerService(database);
  try {
    const keys = await database.rows(`SELECT FROM data_keys WHERE owner_id = '${customerId}'`);
    if (keys.length > 0) return { became: 'unseen', what: 'the key of the erased customer is there' };
    const isNamed = service.lines.some(
      ({ message, again }) => String(message).startsWith(ERASED_AGAIN) && (again as string[]).includes(customerId),
    );
    if (!isNamed) return { became: 'unseen', what: 'the key was deleted again, and no operator hears of it' };
    return { became: 'refused', by: 'the customer service', error: `${ERASED_AGAIN}: ${customerId}` };
  } finally {
    await service.kill('SIGTERM');
  }
}

const ERASES_AGAIN = refusedBy('the customer service', ERASED_AGAIN);

/** The owner's. */
export const ERASURES_UNDONE = [
  does(
    "puts an erased customer's key and data back from a backup, and marks the customer as open",
    'at rest',
    ERASES_AGAIN,
    async (site) => {
      const copy = await site.copies.of('customer');
      const { customerId } = site.people.erased;
      const [was] = await site.backups.customer.rows<Record<'status' | 'email_index' | 'phone_index', string>>(
        `SELECT status, email_index, phone_index FROM customers WHERE id = '${customerId}'`,
      );
      if (!was) throw new Error('the backup has no such customer: it is no forgery');
      copy.isForged = true;
      await copy.as(OWNER, [
        await keyFromBackup(site),
        `UPDATE customers SET erased_at = NULL, status = '${was.status}', email_index = '${was.email_index}',
           phone_index = '${was.phone_index}' WHERE id = '${customerId}'`,
      ]);
      return afterItsStart(site, copy);
    },
  ),
  does("puts an erased customer's key back alone", 'at rest', ERASES_AGAIN, async (site) => {
    const copy = await site.copies.of('customer');
    copy.isForged = true;
    await copy.as(OWNER, [await keyFromBackup(site)]);
    return afterItsStart(site, copy);
  }),
  does(
    'puts it back beneath the running customer service, and has a text of that customer opened',
    'running',
    refusedBy('the customer service', 'opens nothing of who was erased'),
    async (site) => {
      const { ada, erased } = site.people;
      await site.databases.customer.as(OWNER, [await keyFromBackup(site)]);
      try {
        // The gateway itself would remember for a moment what it has shown.
        const [text] = await site.bus.call(
          openSealed,
          { merchant_id: ada.merchantId, values: [await descriptionInTheLog(site)] },
          { user: 'gateway', onBehalfOf: { merchantId: ada.merchantId, mode: 'test' } },
        );
        if (text !== null) return { became: 'unseen', what: `opened: ${JSON.stringify(text)}` };
        return { became: 'refused', by: 'the customer service', error: 'opens nothing of who was erased' };
      } finally {
        await site.databases.customer.as(OWNER, [`DELETE FROM data_keys WHERE owner_id = '${erased.customerId}'`]);
      }
    },
  ),
] as const;

/** The owner's. */
export const ERASURES_FEIGNED = [
  sql(
    'marks a customer as erased who was not, and destroys the key',
    {
      ...{ login: OWNER, database: 'customer' },
      statements: ({ ada }) => [
        `DELETE FROM data_keys WHERE owner_id = '${ada.customerId}'`,
        `UPDATE customers SET erased_at = now(), status = 'closed', email_index = NULL, phone_index = NULL
         WHERE id = '${ada.customerId}'`,
      ],
    },
    noticedBy(
      'the merchant',
      'at the next look at the customer; no act of the log has erased it, the ledger has not closed it, and a backup has the key',
      'no act',
    ),
    async ({ operator, people: { ada } }, forged) => {
      const env = { CUSTOMER_DATABASE_URL: forged.url('customer_app') };
      const { stdout } = await operator.answerTo(['log', '--json', '--limit', '10000'], env);
      const acts = JSON.parse(stdout) as { action: string; customer_id?: string }[];
      const isAct = acts.some((act) => act.action === 'customers erase' && act.customer_id === ada.customerId);
      return isAct ? stdout : `no act of the log has erased ${ada.customerId}`;
    },
  ),
] as const;

/** Of who has a backup. */
export const erasedComesBack = does(
  'has an older one of the customer service restored, from before a customer was erased',
  'at rest',
  ERASES_AGAIN,
  async (site) => afterItsStart(site, await site.copies.again('customer', site.backups.customer)),
);

/** The customer service's, when its user and its keys are another's. */
export const closesWhileMoneyIsHeld = does(
  'closes the account of a customer whose only money is held by a payout',
  'running',
  refusedBy('the ledger', 'customer_not_empty'),
  async (site) => {
    const { client, merchantId, shard } = site.people.mallory;
    const created = await dataOf(client.post<{ id: string }>('/individual-customers', individualWithDocument()));
    const wallet = { customer_id: created.id, currency: 'USDT', network: 'polygon' };
    const { id } = await dataOf(client.post<{ id: string }>('/wallets', wallet));
    await successOf(client.post('/sandbox/deposits', { wallet_id: id, amount: '2' }));
    const payout = {
      customer_id: created.id,
      currency: 'USDT',
      amount: '2',
      network: 'polygon',
      address: LISTED_ADDRESS,
    };
    await successOf(client.post('/payouts/wallets', payout));
    await eventually('the wallet is empty', async () => {
      const { balance } = await dataOf(client.get<{ balance: string }>(`/wallets/${id}`));
      return Number(balance) === 0;
    });
    const body = { merchant_id: merchantId, customer_id: created.id, command_id: randomUUID() };
    const closing = { ...body, input_hash: '0'.repeat(64) };
    return refusalOf(site, () => site.bus.call(closeCustomerAccount, closing, { user: 'customer', shard }));
  },
);
