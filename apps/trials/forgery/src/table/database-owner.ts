/**
 * The owner of all tables, while the ledger is down: he has every right that Postgres knows, and no key. Triggers that keep the log
 * from being changed by mistake are no hindrance to him.
 */
import { type Database, OWNER } from '../ground/databases';
import type { Site } from '../ground/site';
import { type Evidence, type Expectation, foundByVerify, noticedBy, refusedBy } from '../judging/expectation';
import { ERASURES_FEIGNED, ERASURES_UNDONE } from './erased-customers';
import { appendCommand, DEPOSITED, HELD, removeSignatures, signAnew } from './forged-log';
import type { Forgery, Row } from './forgery';
import { givesAnAddressTwice } from './addresses-of-deposits';
import { makesALoginLikeHis, makesALoginThatAppends } from './logins-of-his-own';
import { MISCOUNTED_BENEATH } from './miscounted';
import {
  HIDDEN_BY_SCHEMA,
  MINTED_BY_SCHEMA,
  MOVED_BY_SCHEMA,
  READ_BY_SCHEMA,
  UNDONE_BY_SCHEMA,
} from './owner-of-the-schema';
import { storesAnAnswerInAdvance } from './stored-results';
import { appendsDeposit, appendsPayout, does, readsEverything, sql, verified } from './lines';

const OPEN = (table: string) => `ALTER TABLE ${table} DISABLE TRIGGER USER`;
const owner = (what: string, expected: Expectation, ...statements: string[]) =>
  sql(what, { login: OWNER, database: 'ledger', statements }, expected);
const HALF_A_DAY_MS = 12 * 3_600_000;
/** As its checkpoints call it. */
const LEDGER_NAME = 'ledger.localhost';
/** A shard that has events. */
const SHARD = '(SELECT shard FROM ledger_shards ORDER BY head_position DESC LIMIT 1)';

/** The last one: no number after it tells that it is gone. */
const LAST_SHARD = '(SELECT max(shard) FROM ledger_shards)';
const OF_SHARD = [
  ...['ledger_events', 'ledger_checkpoints', 'ledger_checkpoint_keys', 'ledger_tree_nodes', 'relay_checkpoints'],
  ...['account_balances', 'payout_policies', 'payout_usage', 'transactions', 'transaction_search_progress', 'wallets'],
  ...['daily_figures', 'daily_figures_progress'],
];
const OF_MERCHANT = ['closed_customers', 'command_results', 'transaction_counts', 'transaction_search'];
const wholeShard = (shard: string): string[] => [
  ...['ledger_events', 'ledger_checkpoints', 'ledger_checkpoint_keys', 'ledger_tree_nodes', 'transactions'].map(OPEN),
  `CREATE TEMPORARY TABLE gone AS SELECT id, merchant_id FROM wallets WHERE shard = ${shard}`,
  'DELETE FROM deposit_addresses WHERE wallet_id IN (SELECT id FROM gone)',
  ...OF_MERCHANT.map((table) => `DELETE FROM ${table} WHERE merchant_id IN (SELECT merchant_id FROM gone)`),
  ...OF_SHARD.map((table) => `DELETE FROM ${table} WHERE shard = ${shard}`),
  `DELETE FROM ledger_shards WHERE shard = ${shard}`,
];
const STATEMENTS_GONE = [
  ...['ledger_liability_tiles', 'ledger_liabilities'].map(OPEN),
  'DELETE FROM ledger_liability_tiles',
  'DELETE FROM ledger_liabilities',
];

/** What the auditor finds who is told what is in no log. */
const thenVerified = (
  what: string,
  expected: Expectation,
  statements: readonly string[],
  flags: readonly string[],
): Forgery =>
  does(what, 'at rest', expected, async (site) => {
    const copy = await site.copies.of('ledger');
    copy.isForged = true;
    await copy.as(OWNER, statements);
    return verified(site, copy, flags);
  });

/** The ledger is started on what was forged, and then has to say what it says. */
const thenStarted = (
  what: string,
  expected: Expectation,
  forge: (site: Site, copy: Database) => Promise<unknown>,
): Forgery =>
  does(what, 'at rest', expected, async (site): Promise<Evidence> => {
    const copy = await site.copies.of('ledger');
    copy.isForged = true;
    await forge(site, copy);
    const ledger = await site.startLedger(copy);
    try {
      const refusal = await ledger.verdict();
      if (refusal !== undefined) return { became: 'refused', by: 'the ledger', error: refusal };
    } finally {
      await ledger.end();
    }
    return verified(site, copy);
  });

const appended = ({ people }: Site, copy: Database, forged: typeof DEPOSITED | typeof HELD) =>
  appendCommand(copy, OWNER, { ...forged, walletId: people.mallory.walletId });

interface Asked {
  forged: typeof DEPOSITED | typeof HELD;
  flags: (site: Site) => readonly string[];
  isLater: boolean;
}

/** From some position on another log than the one that was signed, and nothing in the database says so. */
const rewritten = (
  what: string,
  expected: Expectation,
  forge: (copy: Database, shard: number) => Promise<unknown>,
  { forged, flags, isLater }: Asked,
): Forgery =>
  does(what, 'at rest', expected, async (site) => {
    const copy = await site.copies.again('ledger', site.backups.ledger);
    const { shard } = await appended(site, copy, forged);
    await forge(copy, shard);
    return verified(site, copy, flags(site), { isLater });
  });

/** `operator log --verify` on what was forged. */
const actsVerified = (
  what: string,
  expected: Expectation,
  forge: readonly string[],
  { knowsHead }: { knowsHead: boolean },
): Forgery =>
  does(what, 'at rest', expected, async ({ copies, operator }) => {
    const copy = await copies.of('customer');
    const env = { CUSTOMER_DATABASE_URL: copy.url('customer_app') };
    const { head } = JSON.parse((await operator.answerTo(['log', '--verify', '--json'], env)).stdout) as {
      head: string;
    };
    copy.isForged = true;
    await copy.as(OWNER, [OPEN('operator_acts'), ...forge]);
    const { code, stdout } = await operator.answerTo(['log', '--verify', ...(knowsHead ? ['--head', head] : [])], env);
    return code === 0 ? { became: 'unseen', what: stdout } : { became: 'noticed', shown: stdout };
  });

export const DATABASE_OWNER: Row = {
  mint: [
    owner(
      'adds to balances',
      foundByVerify('account_balances'),
      `UPDATE account_balances SET balance = balance + 1000000`,
    ),
    thenStarted(
      'appends a deposit, and has the ledger sign it after its start',
      refusedBy('the ledger', "is not signed by the ledger's key"),
      (site, copy) => appended(site, copy, DEPOSITED),
    ),
    appendsDeposit(OWNER, 'appends a deposit'),
    rewritten(
      'goes back to an older log, appends a deposit there, and deletes checkpoints and signatures',
      foundByVerify('names no service that asked for it'),
      removeSignatures,
      { forged: DEPOSITED, flags: () => [], isLater: false },
    ),
    makesALoginThatAppends,
    ...MINTED_BY_SCHEMA,
  ],
  move: [
    owner(
      'makes another merchant the owner of a wallet',
      foundByVerify('wallets'),
      `UPDATE wallets SET merchant_id = gen_random_uuid() WHERE currency = 'USDT'`,
    ),
    owner(
      'gives deposits another address',
      foundByVerify('deposit_addresses'),
      `UPDATE deposit_addresses SET address = 'TNPeeaaFB7K9cmo4uQpcU32zGK8G1NYqeL'`,
    ),
    appendsPayout(OWNER, "appends a payout in the gateway's name"),
    appendsPayout(OWNER, 'appends one that is dated in the future', () => new Date(Date.now() + HALF_A_DAY_MS)),
    rewritten(
      'goes back to an older log, appends a payout there, and deletes checkpoints and signatures',
      foundByVerify('there is no checkpoint of its events', 'a minute and a half later'),
      removeSignatures,
      { forged: HELD, flags: () => [], isLater: true },
    ),
    givesAnAddressTwice,
    rewritten(
      'signs that log with a key of his own',
      foundByVerify('no valid signature by a key that was given', 'with --key, the key that an auditor has kept'),
      async (copy, shard) => {
        await removeSignatures(copy, shard);
        await signAnew(copy, shard, LEDGER_NAME);
      },
      { forged: HELD, flags: ({ publicKey }) => ['--key', publicKey], isLater: false },
    ),
    ...MOVED_BY_SCHEMA,
  ],
  hide: [
    owner(
      'deletes an event',
      foundByVerify('missing: the next one stored is'),
      OPEN('ledger_events'),
      `DELETE FROM ledger_events WHERE position = 5 AND shard = ${SHARD}`,
    ),
    owner(
      'changes totals',
      foundByVerify('transaction_counts'),
      `UPDATE transaction_counts SET transactions = transactions + 5`,
    ),
    owner('empties searches', foundByVerify('transaction_search'), 'DELETE FROM transaction_search'),
    thenVerified(
      'sets searches and charts back to before a payout, with all that they have beyond',
      foundByVerify(
        'searches lack the log from here on',
        'with --followed-within, until the ledger has read its log anew',
      ),
      [
        'UPDATE transaction_search_progress SET position = 0',
        'DELETE FROM transaction_search',
        'UPDATE daily_figures_progress SET position = 0',
        'DELETE FROM daily_figures',
      ],
      ['--followed-within', '0'],
    ),
    owner('changes what charts show', foundByVerify('daily_figures'), 'UPDATE daily_figures SET amount = amount + 5'),
    owner(
      'hides a transaction',
      foundByVerify('transactions'),
      `DELETE FROM transactions WHERE transaction_type = 'PAYOUT'`,
    ),
    owner(
      'changes a checkpoint',
      foundByVerify('the checkpoint of'),
      OPEN('ledger_checkpoints'),
      `UPDATE ledger_checkpoints SET note = replace(note, '2026', '2025') WHERE shard = ${SHARD}`,
    ),
    thenStarted('deletes the checkpoints', refusedBy('the ledger', 'there is no checkpoint, but'), async (_, copy) => {
      await copy.as(OWNER, [
        ...['ledger_checkpoints', 'ledger_liabilities'].map(OPEN),
        'DELETE FROM ledger_checkpoints',
        'DELETE FROM ledger_checkpoint_keys',
      ]);
    }),
    actsVerified(
      "deletes an operator's last act",
      noticedBy('an operator', 'by operator log --verify with the --head that was written down', 'Act '),
      ['DELETE FROM operator_acts WHERE number = (SELECT max(number) FROM operator_acts)'],
      { knowsHead: true },
    ),
    actsVerified(
      "rewrites an operator's act",
      noticedBy('an operator', 'by operator log --verify', 'Act 2 '),
      [`UPDATE operator_acts SET act = replace(act, 'trent', 'mallory') WHERE number = 2`],
      { knowsHead: false },
    ),
    owner(
      'deletes a statement of liabilities',
      foundByVerify('liabilities: missing'),
      OPEN('ledger_liabilities'),
      'DELETE FROM ledger_liabilities WHERE number = 1',
    ),
    owner(
      'dates statements of liabilities so that no other one is due any more',
      foundByVerify('it is dated 2099-01-01'),
      OPEN('ledger_liabilities'),
      `UPDATE ledger_liabilities SET created_at = '2099-01-01'`,
    ),
    owner(
      'has the next checkpoint begin from other events than the last one',
      foundByVerify('stands beside hashes of other ones'),
      OPEN('ledger_checkpoints'),
      `UPDATE ledger_checkpoints SET range_hashes = sha256(range_hashes) WHERE shard = ${SHARD}`,
    ),
    owner('deletes a shard with every row of every table', foundByVerify('missing: statement'), ...wholeShard(SHARD)),
    thenVerified(
      'deletes a shard and all statements of liabilities',
      foundByVerify('and the ledger has 2', 'with --shards, or LEDGER_SHARDS'),
      [...wholeShard(LAST_SHARD), ...STATEMENTS_GONE],
      ['--shards', '2'],
    ),
    thenVerified(
      'deletes the newest statements of liabilities',
      foundByVerify('and no statement speaks of it', 'with --statements-within'),
      STATEMENTS_GONE,
      ['--statements-within', '0'],
    ),
    storesAnAnswerInAdvance,
    ...MISCOUNTED_BENEATH,
    ...HIDDEN_BY_SCHEMA,
    ...ERASURES_FEIGNED,
  ],
  undo: [
    owner(
      'edits an event',
      foundByVerify('position 5'),
      OPEN('ledger_events'),
      `UPDATE ledger_events SET body = replace(body, '"', '" ') WHERE position = 5 AND shard = ${SHARD}`,
    ),
    owner(
      'cuts off the end of a log, and sets the head back',
      foundByVerify('missing: the log ends at'),
      OPEN('ledger_events'),
      `DELETE FROM ledger_events WHERE shard = ${SHARD} AND position >= (
         SELECT (body::jsonb ->> 'group')::int FROM ledger_events WHERE shard = ${SHARD} ORDER BY position DESC LIMIT 1
       )`,
      `UPDATE ledger_shards SET (head_position, head_hash) = (
         SELECT position, hash FROM ledger_events AS event WHERE event.shard = ledger_shards.shard ORDER BY position DESC LIMIT 1
       ) WHERE shard = ${SHARD}`,
    ),
    owner(
      'forgets that a command took effect',
      foundByVerify('command'),
      'DELETE FROM command_results WHERE command_id = (SELECT min(command_id::text)::uuid FROM command_results)',
    ),
    owner(
      'rewrites what commands were answered',
      foundByVerify('command'),
      `UPDATE command_results SET result = replace(result, '"PENDING"', '"FAILED"')`,
    ),
    ...ERASURES_UNDONE,
    ...UNDONE_BY_SCHEMA,
  ],
  read: [
    readsEverything(OWNER, ['ledger', 'customer', 'payout', 'swap', 'chain']),
    makesALoginLikeHis,
    ...READ_BY_SCHEMA,
  ],
};
