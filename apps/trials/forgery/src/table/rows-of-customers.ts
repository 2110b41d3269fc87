/** What the customer service's login may do to merchants, customers and decisions, beside keys. */
import { createHash, randomUUID } from 'node:crypto';
import { type CanonicalValue, canonicalText } from '@stablecoin/event-chain/canonical-text';
import { dataOf } from '@stablecoin/testing/merchant-client';
import type { Database } from '../ground/databases';
import { type Evidence, noticedBy, refusedBy } from '../judging/expectation';
import { does, sql } from './lines';

const inRows = (what: string, table: string, statement: string) =>
  sql(
    what,
    { login: 'customer_app', database: 'customer', statements: [statement] },
    refusedBy('Postgres', `permission denied for table ${table}`),
  );

export const takesFeesOff = inRows(
  "takes an accomplice's fees off",
  'merchants',
  'UPDATE merchants SET payout_fee_flat = 0, payout_fee_basis_points = 0',
);

export const sendsElsewhere = inRows(
  'sends a merchant to a shard that has nothing of it',
  'merchants',
  'UPDATE merchants SET shard = shard + 1',
);

export const readsByAnAccomplice = does(
  "makes a merchant's customer an accomplice's, who then looks at that customer",
  'running',
  refusedBy('Postgres', 'permission denied for table customers'),
  async ({ databases: { customer }, people: { ada, mallory } }): Promise<Evidence> => {
    const becomes = (merchant: string) =>
      customer.as('customer_app', [`UPDATE customers SET merchant_id = '${merchant}' WHERE id = '${ada.customerId}'`]);
    const error = await becomes(mallory.merchantId).then(
      () => undefined,
      (refused: unknown) => (refused as Error).message,
    );
    if (error !== undefined) return { became: 'refused', by: 'Postgres', error };
    try {
      const { status, text } = await mallory.client.get(`/customers/${ada.customerId}`);
      return { became: 'unseen', what: `the accomplice was answered ${status}: ${text}` };
    } finally {
      await becomes(ada.merchantId);
    }
  },
);

export const hearsElsewhere = does(
  "has a merchant's events sent to a URL of his own",
  'running',
  noticedBy('the merchant', 'at a look at its webhooks, where it is listed', 'https://eve.example.com/'),
  async ({ databases: { customer }, people: { ada } }) => {
    await customer.as('customer_app', [
      `INSERT INTO webhook_endpoints (id, merchant_id, url, sandbox, created_at, updated_at, event_types)
       VALUES (gen_random_uuid(), '${ada.merchantId}', 'https://eve.example.com/', true, now(), now(), ARRAY['customer.closed'])`,
    ]);
    const listed = await dataOf(ada.client.get<{ url: string }[]>('/webhooks'));
    await customer.as('customer_app', [`DELETE FROM webhook_endpoints WHERE url = 'https://eve.example.com/'`]);
    return { became: 'noticed', shown: JSON.stringify(listed) };
  },
);

export const tellsOfADeposit = does(
  'tells a merchant of a deposit that never was, by an event which the service would sign as its own',
  'running',
  noticedBy('the merchant', 'at a look at the transaction that it names, which is not there', '404'),
  async ({ databases: { customer }, people: { ada } }) => {
    const [id, transaction] = [randomUUID(), randomUUID()];
    await customer.as('customer_app', [
      `INSERT INTO events (id, merchant_id, type, resource_id, sequence, data, created_at)
       SELECT '${id}', merchant_id, type, '${transaction}', 1, replace(data, resource_id::text, '${transaction}'), now()
       FROM events WHERE merchant_id = '${ada.merchantId}' AND type = 'deposit.completed' LIMIT 1`,
    ]);
    const told = await ada.client.get(`/events/${id}`);
    if (told.status !== 200) return { became: 'refused', by: 'the gateway', error: String(told.status) };
    const { status } = await ada.client.get(`/customers/transactions/by_txid/${transaction}`);
    await customer.as('customer_app', [`DELETE FROM events WHERE id = '${id}'`]);
    return status === 200
      ? { became: 'unseen', what: told.text }
      : { became: 'noticed', shown: `the transaction of ${told.text}: ${status}` };
  },
);

/** An act that follows the last one, as the operators' program would append it. */
async function appendAct(database: Database, about: Record<string, CanonicalValue>): Promise<number> {
  const [last] = await database.rows<{ number: string; hash: Buffer }>(
    'SELECT number, hash FROM operator_acts ORDER BY number DESC LIMIT 1',
  );
  if (!last) throw new Error('the log of acts is empty');
  const number = Number(last.number) + 1;
  const said = { ...about, number, database_user: 'customer_app', recorded_at: new Date().toISOString() };
  const act = canonicalText(said);
  const hash = createHash('sha256').update('stablecoin-operator-act/1\n').update(last.hash).update(act).digest('hex');
  await database.as('customer_app', [`INSERT INTO operator_acts VALUES (${number}, '${act}', '\\x${hash}')`]);
  return number;
}

export const decidesInAnothersName = does(
  "releases what the screening holds, by an act that he appends in an operator's name",
  'at rest',
  noticedBy(
    'the one who is named',
    'when reading the log of acts: the record has the name that was given, and the login of services',
    '"actor":"alice"',
  ),
  async ({ copies, operator }) => {
    const copy = await copies.of('customer');
    copy.isForged = true;
    const [held] = await copy.rows<{ id: string }>(`SELECT id FROM screening_cases WHERE state = 'open' LIMIT 1`);
    if (!held) throw new Error('nothing is held: it is no forgery');
    const details = { case: held.id, decision: 'released' };
    const number = await appendAct(copy, { actor: 'alice', action: 'screening decide', reason: 'case 7', details });
    await copy.as('customer_app', [
      `UPDATE screening_cases SET state = 'released', decided_at = now(), act_number = ${number} WHERE id = '${held.id}'`,
    ]);
    const env = { CUSTOMER_DATABASE_URL: copy.url('customer_app') };
    const { code } = await operator.answerTo(['log', '--verify'], env);
    if (code !== 0) throw new Error('the act breaks the log: it is not what a forger would append');
    const { stdout } = await operator.answerTo(['log', '--json', '--limit', '1'], env);
    return { became: 'noticed', shown: stdout };
  },
);
