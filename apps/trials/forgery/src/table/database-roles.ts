/** Each login of a service or of a person who only reads, with the rights that the migrations grant it. */
import type { DatabaseName } from '@stablecoin/migrations/databases';
import { eventually } from '@stablecoin/testing/eventually';
import type { Login } from '../ground/databases';
import { heldPayout } from '../ground/people';
import { foundByVerify, noticedBy, refusedBy } from '../judging/expectation';
import type { Row } from './forgery';
import { DEPOSITS_MINTED, DEPOSITS_MOVED } from './addresses-of-deposits';
import { paysWhatWasRejected } from './approvals';
import { KEYS_MINTED, KEYS_MOVED, KEYS_UNDONE } from './keys-of-merchants';
import { appendsDeposit, appendsPayout, does, readsEverything, sql } from './lines';
import {
  decidesInAnothersName,
  hearsElsewhere,
  readsByAnAccomplice,
  sendsElsewhere,
  takesFeesOff,
  tellsOfADeposit,
} from './rows-of-customers';
import { actsAsTheOwner, readsByAFunction } from './owners-functions';
import { opensAQuoteAgain, QUOTES_RAISED } from './quotes';
import { setsTheRelayForward } from './published';
import { storesWhatDidNotHappen } from './stored-results';

const may = (table: string) => refusedBy('Postgres', `permission denied for table ${table}`);

const of =
  (login: Login, database: DatabaseName) =>
  (what: string, ...statements: string[]) =>
    [what, { login, database, statements }] as const;
const ledger = of('ledger_app', 'ledger');
const auditor = of('ledger_auditor', 'ledger');
const customer = of('customer_app', 'customer');
const compliance = of('customer_compliance', 'customer');
const payout = of('payout_app', 'payout');
const swap = of('swap_app', 'swap');
const chain = of('chain_app', 'chain');
const chainAuditor = of('chain_auditor', 'chain');
const backoffice = of('backoffice_app', 'backoffice');

/** Of a role of another database: that it can connect gives it no right there. */
const atTheLedger = (login: Login, what: string, statement: string, table: string) =>
  sql(what, { login, database: 'ledger', statements: [statement] }, may(table));
const MORE = `UPDATE account_balances SET balance = balance + 1000000 WHERE account_id NOT LIKE '%:%'`;
/** As if an operator had set a policy. */
const LIFTS = `
  INSERT INTO payout_policies (merchant_id, shard, policy_version, policy, changed_by, reason, changed_at, since_position)
  SELECT merchant_id, account_balances.shard, 1, '{"limits":[],"new_destination_wait_seconds":0}', 'trent', 'forged', now(), 1
  FROM wallets JOIN account_balances ON account_id = wallets.id::text LIMIT 1
  ON CONFLICT (merchant_id) DO UPDATE SET policy = EXCLUDED.policy`;
/** States of a payout in which no rail has it. */
const STARTING = ['accepted', 'submitting'];
const RELEASED = `UPDATE screening_cases SET state = 'released', decided_at = now(), act_number = 1`;
const atTheCustomerService = (login: Login, what: string) =>
  sql(what, { login, database: 'customer', statements: [RELEASED] }, may('screening_cases'));
/** Of a shard that has events. */
const SHARD = '(SELECT shard FROM ledger_shards ORDER BY head_position DESC LIMIT 1)';
/** As the service itself would order it. */
const TRANSFER = `
  INSERT INTO outgoing_transfers (id, reference, network, kind, from_address, to_address, currency, units, state, held_by)
  VALUES (gen_random_uuid(), 'forged', 'erc20', 'payout', '\\x01', '\\x02', 'USDT', 1, 'waiting', 'turn')
  ON CONFLICT DO NOTHING`;
const FAILS = `UPDATE outgoing_transfers SET state = 'failed', failure = 'cancelled', held_by = NULL`;
/** An admin of a merchant, whom no one who may has invited. */
export const MEMBER = `
  WITH person AS (INSERT INTO people (id, sealed_name, sealed_email) VALUES (gen_random_uuid(), '', '') RETURNING id),
    merchant AS (INSERT INTO merchants (id, sealed_name, mode, shard) VALUES (gen_random_uuid(), '', 'live', 0) RETURNING id)
  INSERT INTO members (id, person_id, side, merchant_id, role, status)
  SELECT gen_random_uuid(), person.id, 'merchant', merchant.id, 'admin', 'active' FROM person, merchant`;
const LINK = `
  INSERT INTO links (id, token_hash, member_id, only_here, expires_at, used_at)
  SELECT gen_random_uuid(), gen_random_uuid()::text::bytea, id, false, now() + interval '1 hour', now() FROM members`;
const SESSION = `
  INSERT INTO sessions (id, token_hash, member_id, address_family, expires_at, ended_at)
  SELECT gen_random_uuid(), gen_random_uuid()::text::bytea, id, 4, now() + interval '1 hour', now() FROM members`;
/** Of each person; the key is the forger's own. */
const PASSKEY = `
  INSERT INTO passkeys (id, person_id, credential_id, public_key, uses, transports, sealed_name, removed_at)
  SELECT gen_random_uuid(), id, gen_random_uuid()::text::bytea, '\\x01', 0, '{}', '', now() FROM people`;
const ADDED_PASSKEY = PASSKEY.replace('now() FROM', 'NULL FROM');
const UNKNOWN_PASSKEYS = `
  SELECT FROM passkeys WHERE NOT EXISTS (
    SELECT FROM acts WHERE action = 'passkey-added' AND details->>'passkey_id' = passkeys.id::text)`;
const UNKNOWN_MEMBERS = `
  SELECT FROM members WHERE NOT EXISTS (
    SELECT FROM acts WHERE action = 'member-invited' AND details->>'member_id' = members.id::text)`;
const MINTS_THERE = "connects to the ledger's database and adds to balances";

export const DATABASE_ROLES = {
  ledger_app: {
    mint: [
      sql(...ledger('adds a million to every wallet', MORE), foundByVerify('account_balances')),
      appendsDeposit('ledger_app', 'appends a deposit with sound hashes, moves the head and writes the tables'),
      actsAsTheOwner('ledger_app'),
    ],
    move: [
      sql(
        ...ledger(
          'makes another merchant the owner of a wallet',
          `UPDATE wallets SET merchant_id = (SELECT max(merchant_id::text)::uuid FROM wallets), customer_id = NULL
           WHERE id = (SELECT id FROM wallets WHERE currency = 'USDT' ORDER BY merchant_id::text LIMIT 1)`,
        ),
        foundByVerify('wallets'),
      ),
      sql(...ledger("lifts a merchant's limits", LIFTS), foundByVerify('payout_policies')),
      sql(
        ...ledger(
          'moves balances between two wallets',
          `UPDATE account_balances SET balance = CASE WHEN balance = 0 THEN 850 ELSE 0 END
           WHERE account_id IN (SELECT id::text FROM wallets WHERE currency IN ('USDT', 'NGN'))`,
        ),
        foundByVerify('account_balances'),
      ),
      appendsPayout('ledger_app', "appends a payout in the gateway's name, moves the head and writes the tables"),
    ],
    hide: [
      sql(...ledger('deletes an event', `DELETE FROM ledger_events WHERE position = 3`), may('ledger_events')),
      sql(...ledger('empties the log', 'TRUNCATE ledger_events'), may('ledger_events')),
      sql(...ledger('deletes checkpoints', 'DELETE FROM ledger_checkpoints'), may('ledger_checkpoints')),
      sql(...ledger('changes totals', 'UPDATE transaction_counts SET transactions = 0'), may('transaction_counts')),
      sql(...ledger('empties searches', 'DELETE FROM transaction_search'), may('transaction_search')),
      sql(
        ...ledger(
          'shows a completed payout as failed',
          `UPDATE transactions SET status = 'FAILED' WHERE transaction_type = 'PAYOUT'`,
        ),
        foundByVerify('transactions'),
      ),
      storesWhatDidNotHappen,
      setsTheRelayForward,
      sql(
        ...ledger(
          'puts in a checkpoint of more events than there are, so that the log looks cut off',
          `INSERT INTO ledger_checkpoints
           SELECT shard, tree_size + 100000, tree_size, note, key_id, range_hashes, head_hash, created_at
           FROM ledger_checkpoints ORDER BY tree_size DESC LIMIT 1`,
        ),
        foundByVerify('events is one of'),
      ),
      sql(
        ...ledger(
          'says that a customer is closed who is not',
          `INSERT INTO closed_customers SELECT customer_id, merchant_id, now() FROM wallets WHERE customer_id IS NOT NULL LIMIT 1`,
        ),
        foundByVerify('closed_customers'),
      ),
      sql(
        ...ledger('counts less of what went out', `UPDATE payout_usage SET used = '{}'`),
        foundByVerify('payout_usage'),
      ),
    ],
    undo: [
      sql(
        ...ledger('edits an event', `UPDATE ledger_events SET body = body || ' ' WHERE position = 3`),
        may('ledger_events'),
      ),
      sql(...ledger('forgets that a command took effect', 'DELETE FROM command_results'), may('command_results')),
      sql(
        ...ledger('rewrites what a command was answered', `UPDATE command_results SET result = '{}'`),
        may('command_results'),
      ),
      sql(
        ...ledger(
          "sets a log's head back before its last events",
          `UPDATE ledger_shards SET head_position = head_position - 1 WHERE shard = ${SHARD}`,
        ),
        foundByVerify('surplus: the log ends at'),
      ),
    ],
    read: [readsEverything('ledger_app', ['ledger'])],
  },
  ledger_auditor: {
    mint: [
      sql(...auditor('adds to balances', MORE), may('account_balances')),
      actsAsTheOwner('ledger_auditor'),
      sql(
        ...auditor('appends an event', `INSERT INTO ledger_events SELECT * FROM ledger_events`),
        may('ledger_events'),
      ),
    ],
    move: [
      sql(
        ...auditor(
          'makes another merchant the owner of a wallet',
          `UPDATE wallets SET merchant_id = gen_random_uuid()`,
        ),
        may('wallets'),
      ),
    ],
    hide: [
      sql(...auditor('deletes events', 'DELETE FROM ledger_events'), may('ledger_events')),
      sql(...auditor('deletes statements of liabilities', 'DELETE FROM ledger_liabilities'), may('ledger_liabilities')),
    ],
    undo: [sql(...auditor('deletes stored results', 'DELETE FROM command_results'), may('command_results'))],
    read: [readsEverything('ledger_auditor', ['ledger'])],
  },
  customer_app: {
    mint: [
      atTheLedger('customer_app', MINTS_THERE, MORE, 'account_balances'),
      actsAsTheOwner('customer_app'),
      ...KEYS_MINTED,
      takesFeesOff,
      tellsOfADeposit,
    ],
    move: [
      sql(
        ...customer(
          'gives himself a key of another merchant',
          `INSERT INTO api_keys (id, merchant_id, key_hash, mode, scopes, created_at)
           SELECT gen_random_uuid(), merchant_id, repeat('ab', 32), mode, ARRAY['read', 'write', 'payout'], now()
           FROM api_keys LIMIT 1`,
        ),
        noticedBy('an operator', 'at any look: the key is listed, and no act of the log has made it', 'no act'),
        async ({ operator }, forged) => {
          const [key] = await forged.rows<{ id: string; merchant_id: string }>(
            `SELECT id, merchant_id FROM api_keys WHERE key_hash = repeat('ab', 32)`,
          );
          const env = { CUSTOMER_DATABASE_URL: forged.url('customer_app') };
          const listed = await operator.answerTo(
            ['merchants', 'list-keys', '--merchant', key?.merchant_id ?? '', '--json'],
            env,
          );
          const acts = await operator.answerTo(['log', '--json'], env);
          const isListed = listed.stdout.includes(key?.id ?? '?');
          return isListed && !acts.stdout.includes(key?.id ?? '')
            ? `key ${key?.id} is listed, and no act names it`
            : listed.stdout;
        },
      ),
      ...KEYS_MOVED,
    ],
    hide: [
      sql(...customer("deletes an operator's act", 'DELETE FROM operator_acts'), may('operator_acts')),
      sql(...customer("changes an operator's act", `UPDATE operator_acts SET act = '{}'`), may('operator_acts')),
      sql(
        ...customer(
          'records an act that does not follow the last one',
          `INSERT INTO operator_acts SELECT number + 1000, act, hash FROM operator_acts LIMIT 1`,
        ),
        refusedBy('Postgres', 'the act does not follow act'),
      ),
      sql(
        ...customer(
          'deletes an event of which a merchant was to hear',
          `DELETE FROM events WHERE sequence = 1 AND resource_id IN (SELECT resource_id FROM events WHERE sequence = 2)`,
        ),
        noticedBy('the merchant', 'at the next event of that resource: its sequence has a gap', 'the first is 2'),
        async (_, forged) => {
          const rows = await forged.rows<{ first: number }>(
            'SELECT min(sequence) AS first FROM events GROUP BY resource_id HAVING min(sequence) > 1',
          );
          return `of ${rows.length} resources the first is ${rows[0]?.first ?? 1}`;
        },
      ),
      sql(
        ...customer(
          'destroys the key of a customer’s data',
          'DELETE FROM data_keys WHERE owner_id IN (SELECT id FROM customers)',
        ),
        noticedBy('the merchant', 'at the next look at the customer, which fails; a backup has the key', 'have no key'),
        async (_, forged) => {
          const rows = await forged.rows(
            'SELECT FROM customers WHERE id NOT IN (SELECT owner_id FROM data_keys) AND erased_at IS NULL',
          );
          return `${rows.length} customers have no key and were not erased`;
        },
      ),
      sql(
        ...customer("deletes the record of an officer's reading", 'DELETE FROM document_accesses'),
        may('document_accesses'),
      ),
      sql(
        ...customer(
          'takes what moved out of the order in which later lists find it',
          'UPDATE screenings SET number = -number',
        ),
        may('screenings'),
      ),
      sql(
        ...customer(
          'gives what was screened to a customer of no one, as if he had been erased',
          'UPDATE screenings SET customer_id = gen_random_uuid() WHERE customer_id IS NOT NULL',
        ),
        refusedBy('Postgres', 'a screening stays of the customer'),
      ),
      sendsElsewhere,
    ],
    undo: [
      sql(
        'approves a customer whom the screening holds',
        {
          ...{ login: 'customer_app', database: 'customer' },
          statements: ({ held }) => [`UPDATE customers SET kyc_status = 'approved' WHERE id = '${held.customerId}'`],
        },
        refusedBy('Postgres', 'a case of the screening stands against this customer'),
      ),
      sql(
        ...customer('releases what the screening holds, by another act of the log', RELEASED),
        refusedBy('Postgres', 'a case is decided once'),
      ),
      sql(
        ...customer(
          'takes a list out of use that movements are screened by',
          `UPDATE screening_lists SET state = 'former'`,
        ),
        refusedBy('Postgres', 'a list becomes current'),
      ),
      sql(
        ...customer('rewrites what a command was answered', `UPDATE command_results SET result = '{}'`),
        refusedBy('Postgres', 'what a command was answered stays'),
      ),
      sql(
        ...customer(
          'rejects a customer who was approved',
          `UPDATE customers SET kyc_status = 'rejected', email_index = 'forged'
           WHERE sequence = (SELECT max(sequence) FROM customers)`,
        ),
        noticedBy('an operator', 'when statuses are compared with the log of acts', 'no act'),
        async ({ operator }, forged) => {
          const [customer] = await forged.rows<{ id: string }>(`SELECT id FROM customers WHERE email_index = 'forged'`);
          const acts = await operator.answerTo(['log', '--json'], {
            CUSTOMER_DATABASE_URL: forged.url('customer_app'),
          });
          return acts.stdout.includes(customer?.id ?? '') ? acts.stdout : `no act of the log is about ${customer?.id}`;
        },
      ),
      ...KEYS_UNDONE,
      decidesInAnothersName,
    ],
    read: [readsEverything('customer_app', ['customer']), readsByAnAccomplice, hearsElsewhere],
  },
  customer_compliance: {
    mint: [
      atTheLedger('customer_compliance', MINTS_THERE, MORE, 'account_balances'),
      actsAsTheOwner('customer_compliance'),
    ],
    move: [
      sql(
        ...compliance('gives himself a key of a merchant', `INSERT INTO api_keys SELECT * FROM api_keys`),
        may('api_keys'),
      ),
    ],
    hide: [
      sql(
        ...compliance('deletes the record of his reading', 'DELETE FROM document_accesses'),
        may('document_accesses'),
      ),
      sql(...compliance('changes it', `UPDATE document_accesses SET officer = 'another'`), may('document_accesses')),
    ],
    undo: [
      sql(...compliance('approves customers', `UPDATE customers SET kyc_status = 'approved'`), may('customers')),
      sql(...compliance('destroys the keys of customers', 'DELETE FROM data_keys'), may('data_keys')),
    ],
    read: [
      does(
        'reads documents of which no reading is on the record',
        'at rest',
        refusedBy('Postgres', 'row-level security shows none'),
        async ({ copies }) => {
          const copy = await copies.of('customer');
          const { rows } = await copy.as<{ seen: number }>('customer_compliance', [
            'SELECT count(*)::int AS seen FROM document_parts',
          ]);
          const [all] = await copy.rows<{ parts: number }>('SELECT count(*)::int AS parts FROM document_parts');
          if (!all?.parts) throw new Error('there is no document: it is no forgery');
          const seen = rows[0]?.seen ?? 0;
          if (seen > 0) return { became: 'unseen', what: `${seen} of ${all.parts} parts` };
          return { became: 'refused', by: 'Postgres', error: `row-level security shows none of ${all.parts} parts` };
        },
      ),
      readsEverything('customer_compliance', ['customer']),
    ],
  },
  payout_app: {
    mint: [
      atTheLedger('payout_app', MINTS_THERE, MORE, 'account_balances'),
      actsAsTheOwner('payout_app'),
      paysWhatWasRejected,
    ],
    move: [
      atTheLedger(
        'payout_app',
        "connects to the ledger's database and takes a wallet",
        `UPDATE wallets SET merchant_id = gen_random_uuid()`,
        'wallets',
      ),
    ],
    hide: [
      sql(...payout('deletes payouts', 'DELETE FROM payouts'), may('payouts')),
      sql(...payout('deletes what the rail took', 'DELETE FROM sandbox_rail'), may('sandbox_rail')),
      does(
        'writes that a payout to a listed address waits for nothing, so that it is sent',
        'running',
        refusedBy('the customer service', 'screened again'),
        async ({ databases: { payout: table }, people: { mallory } }) => {
          const { id } = await heldPayout(mallory);
          await table.as('payout_app', [
            `UPDATE payouts SET waiting_for = NULL, state = 'accepted', attempts = 0, next_step_at = now() WHERE id = '${id}'`,
          ]);
          const state = await eventually('it waits again, or is sent', async () => {
            const [row] = await table.rows<{ state: string; waiting_for: string | null }>(
              `SELECT state, waiting_for FROM payouts WHERE id = '${id}'`,
            );
            return row && (row.waiting_for !== null || !STARTING.includes(row.state)) ? row : undefined;
          });
          if (state.waiting_for === null) return { became: 'unseen', what: state.state };
          return { became: 'refused', by: 'the customer service', error: `screened again: ${state.waiting_for}` };
        },
      ),
    ],
    undo: [
      atTheCustomerService('payout_app', "connects to the customer service's database and releases what is held"),
      sql(
        ...payout('makes the rail say that a payout failed', `UPDATE sandbox_rail SET outcome = 'fail'`),
        may('sandbox_rail'),
      ),
    ],
    read: [readsByAFunction('payout_app'), readsEverything('payout_app', ['payout'])],
  },
  swap_app: {
    mint: [
      atTheLedger('swap_app', MINTS_THERE, MORE, 'account_balances'),
      actsAsTheOwner('swap_app'),
      ...QUOTES_RAISED,
    ],
    move: [
      sql(
        ...swap("makes a quote another customer's", `UPDATE quotes SET owner_id = gen_random_uuid()`),
        refusedBy('Postgres', 'violates check constraint "quotes_owner"'),
      ),
    ],
    hide: [sql(...swap('deletes the results of executions', 'DELETE FROM command_results'), may('command_results'))],
    undo: [
      opensAQuoteAgain,
      sql(
        ...swap('changes the results of executions', `UPDATE command_results SET result = '{}'`),
        may('command_results'),
      ),
    ],
    read: [readsByAFunction('swap_app'), readsEverything('swap_app', ['swap'])],
  },
  chain_app: {
    mint: [
      atTheLedger('chain_app', MINTS_THERE, MORE, 'account_balances'),
      actsAsTheOwner('chain_app'),
      ...DEPOSITS_MINTED,
    ],
    move: [
      sql(
        ...chain('makes a derived address another one', `UPDATE derived_addresses SET address = '\\x00'`),
        may('derived_addresses'),
      ),
      sql(
        ...chain('sends a transfer elsewhere', TRANSFER, `UPDATE outgoing_transfers SET to_address = '\\x00'`),
        refusedBy('Postgres', 'a transfer keeps what was ordered'),
      ),
      sql(
        ...chain('makes it a larger one', TRANSFER, 'UPDATE outgoing_transfers SET units = units * 1000'),
        refusedBy('Postgres', 'a transfer keeps what was ordered'),
      ),
      ...DEPOSITS_MOVED,
    ],
    hide: [
      sql(...chain('deletes deposits', 'DELETE FROM deposits'), may('deposits')),
      sql(...chain('deletes transfers', 'DELETE FROM outgoing_transfers'), may('outgoing_transfers')),
    ],
    undo: [
      atTheCustomerService('chain_app', "connects to the customer service's database and releases what is held"),
      sql(
        ...chain(
          'has a transfer that has failed sent after all',
          TRANSFER,
          FAILS,
          `UPDATE outgoing_transfers SET state = 'waiting'`,
        ),
        refusedBy('Postgres', 'a transfer keeps what was ordered, and its end'),
      ),
      sql(
        ...chain("changes an operator's decision", `UPDATE resolutions SET resolution = 'ignore'`),
        may('resolutions'),
      ),
    ],
    read: [readsByAFunction('chain_app'), readsEverything('chain_app', ['chain'])],
  },
  chain_auditor: {
    mint: [sql(...chainAuditor('records a deposit', `INSERT INTO deposits SELECT * FROM deposits`), may('deposits'))],
    move: [
      sql(
        ...chainAuditor('sends a transfer elsewhere', `UPDATE outgoing_transfers SET to_address = '\\x00'`),
        may('outgoing_transfers'),
      ),
    ],
    hide: [sql(...chainAuditor('deletes deposits', 'DELETE FROM deposits'), may('deposits'))],
    undo: [
      sql(
        ...chainAuditor('sends a transfer again', `UPDATE outgoing_transfers SET state = 'waiting'`),
        may('outgoing_transfers'),
      ),
    ],
    read: [
      sql(
        ...chainAuditor('reads signed transactions before they are sent', 'SELECT raw FROM transfer_attempts'),
        may('transfer_attempts'),
      ),
      readsEverything('chain_auditor', ['chain']),
    ],
  },
  backoffice_app: {
    mint: [atTheLedger('backoffice_app', MINTS_THERE, MORE, 'account_balances'), actsAsTheOwner('backoffice_app')],
    move: [
      atTheLedger(
        'backoffice_app',
        "connects to the ledger's database and takes a wallet",
        `UPDATE wallets SET merchant_id = gen_random_uuid()`,
        'wallets',
      ),
    ],
    hide: [
      sql(...backoffice('deletes acts of people', 'DELETE FROM acts'), may('acts')),
      sql(...backoffice('changes who has acted', 'UPDATE acts SET person_id = gen_random_uuid()'), may('acts')),
      sql(...backoffice('deletes members', 'DELETE FROM members'), may('members')),
      sql(
        ...backoffice('deletes the session in which something was done', MEMBER, SESSION, 'DELETE FROM sessions'),
        refusedBy('Postgres', 'it is kept until it has expired'),
      ),
    ],
    undo: [
      atTheCustomerService('backoffice_app', "connects to the customer service's database and releases what is held"),
      sql(
        ...backoffice(
          'makes one a member again who was removed',
          MEMBER,
          `UPDATE members SET status = 'removed'`,
          `UPDATE members SET status = 'active'`,
        ),
        refusedBy('Postgres', 'a member that was removed stays removed'),
      ),
      sql(
        ...backoffice('has a link sign in again that was used', MEMBER, LINK, 'UPDATE links SET used_at = NULL'),
        refusedBy('Postgres', 'a link is used once'),
      ),
      sql(
        ...backoffice('has a session go on that has ended', MEMBER, SESSION, 'UPDATE sessions SET ended_at = NULL'),
        refusedBy('Postgres', 'a session ends when it was said'),
      ),
      sql(
        ...backoffice('has a removed passkey sign in again', MEMBER, PASSKEY, 'UPDATE passkeys SET removed_at = NULL'),
        refusedBy('Postgres', 'removed once it was'),
      ),
    ],
    read: [
      sql(
        ...backoffice('makes himself an admin of a merchant, who sees what its members see', MEMBER),
        noticedBy('the merchant', 'at a look at its members: no act of the record has invited that one', 'no act'),
        async (_, forged) =>
          (await forged.rows(UNKNOWN_MEMBERS)).length > 0 ? 'no act names the member' : 'an act each',
      ),
      sql(
        ...backoffice("puts his own key into a member's passkey", `UPDATE passkeys SET public_key = '\\x01'`),
        may('passkeys'),
      ),
      sql(
        ...backoffice('adds a passkey of his own to a member', MEMBER, ADDED_PASSKEY),
        noticedBy('the person', 'at a look at the own account: no act of the record has added that one', 'no act'),
        async (_, forged) =>
          (await forged.rows(UNKNOWN_PASSKEYS)).length > 0 ? 'no act names the passkey' : 'an act each',
      ),
      readsEverything('backoffice_app', ['backoffice']),
    ],
  },
} as const satisfies Record<string, Row>;
