/** A person who has a backup of all databases, and can have it restored, changed or as it is. The keys are not in it. */
import { createHash } from 'node:crypto';
import { type Database, OWNER } from '../ground/databases';
import type { Site } from '../ground/site';
import { foundByVerify, noticedBy, refusedBy } from '../judging/expectation';
import { ALTERED, OPENED_WITH_OTHER_KEYS } from './altered-backup';
import { erasedComesBack } from './erased-customers';
import { MEMBER } from './database-roles';
import type { Row } from './forgery';
import { does, readsEverything, sql, verified } from './lines';
import { SENT_AGAIN, UNKNOWN_PAYOUT } from './older-payouts';
import { destinationInTheLog, opensNothing } from './sealed-destination';
import { goesOnFromOlder } from './taken-ledger';

/** More than a backup of the trial has. */
const KEYS_TRIED_MAX = 10_000;

const inBackup = (what: string, names: string, statement: string) =>
  sql(what, { login: OWNER, database: 'ledger', statements: [statement] }, foundByVerify(names));

const older = (what: string) =>
  does(what, 'at rest', refusedBy('the ledger', 'is not the event that was signed'), async (site) => {
    const copy = await site.copies.again('ledger', site.backups.ledger);
    const ledger = await site.startLedger(copy);
    try {
      const refusal = await ledger.verdict();
      return refusal === undefined
        ? { became: 'unseen', what: 'the ledger serves an older log' }
        : { became: 'refused', by: 'the ledger', error: refusal };
    } finally {
      await ledger.end();
    }
  });

/** One table of the ledger as an older backup has it, over the present one. */
const olderTable = (what: string, names: string, table: string) =>
  does(what, 'at rest', foundByVerify(names), async (site) => {
    const copy = await site.copies.of('ledger');
    copy.isForged = true;
    const [was] = await site.backups.ledger.rows<{ rows: string; count: number }>(
      `SELECT json_agg(older)::text AS rows, count(*)::int FROM ${table} AS older`,
    );
    const [is] = await copy.rows<{ rows: string }>(`SELECT json_agg(present)::text AS rows FROM ${table} AS present`);
    if (!was || was.rows === is?.rows) throw new Error(`${table} is in the backup as it is now: it is no forgery`);
    await copy.as(OWNER, [
      `ALTER TABLE ${table} DISABLE TRIGGER USER`,
      `DELETE FROM ${table}`,
      `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, '${was.rows.replaceAll("'", "''")}')`,
    ]);
    return verified(site, copy);
  });

const keyIsInUse = (database: Database, { keys }: Site['people']) =>
  database.rows<{ id: string }>(
    `SELECT id FROM api_keys WHERE key_hash = '${sha256(keys.revokedSince)}' AND revoked_at IS NULL`,
  );
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

const keysAreBack = [
  does(
    'has an older one of the customer service restored, from before a key of his was revoked',
    'at rest',
    noticedBy('an operator', 'by operator log --verify with the --head that was written down', 'Act '),
    async ({ backups, copies, operator, people }) => {
      if ((await keyIsInUse(backups.customer, people)).length === 0) throw new Error('the key was revoked before');
      const verify = (database: Database, ...flags: string[]) =>
        operator.answerTo(['log', '--verify', ...flags], { CUSTOMER_DATABASE_URL: database.url('customer_app') });
      const { head } = JSON.parse((await verify(await copies.of('customer'), '--json')).stdout) as { head: string };
      const { code, stdout } = await verify(backups.customer, '--head', head);
      return code === 0 ? { became: 'unseen', what: stdout } : { became: 'noticed', shown: stdout };
    },
  ),
  does(
    'puts that key alone back into the present one',
    'at rest',
    noticedBy('an operator', 'at a look at the keys: it is listed as in use, and an act has revoked it', 'has revoked'),
    async ({ copies, operator, people }) => {
      const copy = await copies.of('customer');
      copy.isForged = true;
      await copy.as(OWNER, [
        'ALTER TABLE api_keys DISABLE TRIGGER USER',
        `UPDATE api_keys SET revoked_at = NULL WHERE key_hash = '${sha256(people.keys.revokedSince)}'`,
      ]);
      const [key] = await keyIsInUse(copy, people);
      if (!key) throw new Error('the key is not back: it is no forgery');
      const env = { CUSTOMER_DATABASE_URL: copy.url('customer_app') };
      const { stdout } = await operator.answerTo(['log', '--json', '--limit', '10000'], env);
      const acts = JSON.parse(stdout) as { number: number; action: string; details?: { key_id?: string } }[];
      const act = acts.find(({ action, details }) => action === 'merchants revoke-key' && details?.key_id === key.id);
      if (!act) return { became: 'unseen', what: `no act of the log has revoked ${key.id}` };
      return { became: 'noticed', shown: `act ${act.number} has revoked ${key.id}, which is in use` };
    },
  ),
];

/** Acts of people are no chain: with the removal its record is gone as well. */
const removedMemberIsBack = does(
  'has an older one of the backoffice restored, from before a member was removed',
  'at rest',
  noticedBy('the merchant', 'at a look at its members: one is among them whom it has removed', 'active'),
  async ({ copies }) => {
    const copy = await copies.of('backoffice');
    copy.isForged = true;
    await copy.as(OWNER, [MEMBER]);
    const older = await copies.again('backoffice', copy);
    await copy.as('backoffice_app', [`UPDATE members SET status = 'removed'`]);
    const statusIn = async (database: Database) =>
      (await database.rows<{ status: string }>(STATUS_OF_MEMBER))[0]?.status;
    if ((await statusIn(copy)) !== 'removed') throw new Error('no member was removed: it is no forgery');
    return { became: 'noticed', shown: (await statusIn(older)) ?? 'no member' };
  },
);
const STATUS_OF_MEMBER = `SELECT members.status FROM members JOIN merchants ON merchants.id = merchant_id ORDER BY members.id DESC LIMIT 1`;

/** Whatever in it has the form of a key. */
const opensWithWhatIsInIt = does(
  'opens a destination with every key that is in it, the wrapped ones too',
  'at rest',
  refusedBy('encryption', 'opens nothing'),
  async (site) => {
    const { customer_id, sealed } = await destinationInTheLog(site);
    const [row] = await site.backups.customer.rows<{ wrapped_key: string }>(
      `SELECT wrapped_key FROM data_keys WHERE owner_id = '${customer_id}'`,
    );
    if (!row) throw new Error('there is no wrapped key: it is no forgery');
    const { text } = await site.backups.customer.allThat(OWNER);
    const hex = (text.match(/\b[0-9a-f]{64}\b/g) ?? []).map((key) => Buffer.from(key, 'hex').toString('base64'));
    const base64 = text.match(/[\w+/-]{43}=?/g) ?? [];
    const texts = [...new Set([...hex, ...base64])].slice(0, KEYS_TRIED_MAX);
    return opensNothing({ customer_id, sealed, wrapped_data_key: row.wrapped_key, texts });
  },
);

export const BACKUP_HOLDER: Row = {
  mint: [
    inBackup(
      'adds to balances in it, and has it restored',
      'account_balances',
      'UPDATE account_balances SET balance = balance + 1000000',
    ),
    olderTable('puts the balances of an older one over the present ones', 'account_balances', 'account_balances'),
    ALTERED,
  ],
  move: [
    inBackup(
      'makes another merchant the owner of wallets in it',
      'wallets',
      `UPDATE wallets SET merchant_id = gen_random_uuid() WHERE currency = 'USDT'`,
    ),
    ...keysAreBack,
    removedMemberIsBack,
  ],
  hide: [
    older('has an older one restored, from before a payout'),
    goesOnFromOlder('has it restored on another machine, whose ledger remembers nothing'),
    olderTable('puts the transactions of an older one over the present ones', 'transactions', 'transactions'),
    UNKNOWN_PAYOUT,
  ],
  undo: [
    older('has an older one restored, so that money that was paid out is there again'),
    SENT_AGAIN,
    erasedComesBack,
  ],
  read: [
    readsEverything(OWNER, ['ledger', 'customer', 'payout', 'swap', 'chain']),
    opensWithWhatIsInIt,
    ...OPENED_WITH_OTHER_KEYS,
  ],
};
