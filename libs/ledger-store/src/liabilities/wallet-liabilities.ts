/**
 * What is owed to every wallet at one position of each shard, read from the projections and the end of the log:
 *
 *   balance, and held = amounts and fees of PENDING payouts    as projected now
 *   less every posting after the position                      to the wallet, or to clearing for one of its payouts
 *
 * So it costs the wallets, the pending payouts and the events since the positions, however long the log is. All of it is read
 * in the caller's snapshot, where projections and log agree, and the leaves come in the order of their tree from a cursor.
 *
 * Which merchants are test merchants is read from the events that opened the wallets, which have the mode of the key that asked: one
 * look-up for each wallet by the log's primary key, and no table that says it.
 *
 * Where shards lie on several databases, each has a snapshot of its own with the positions of its shards, and the leaves are merged.
 */
import {
  Liability,
  PADDING_SALT_DOMAIN,
  PLACE_DOMAIN,
  WALLET_SALT_DOMAIN,
} from '@stablecoin/event-proofs/liabilities/sum-tree';
import { LiabilityPlace, StatedShard } from '@stablecoin/event-proofs/liabilities/liability-statement';
import { Sql } from '@stablecoin/persistence/sql';
import { Prisma } from '../generated/client';

/** The part of a statement's place that amounts depend on. */
export type Position = Pick<StatedShard, 'shard' | 'size'>;

/** A snapshot of one database, and the positions of the shards that it has. */
export interface PartOfWallets {
  sql: Sql;
  positions: readonly Position[];
}

/**
 * Where PENDING payouts are found. The service has counts of them by merchant and day, which lead to the few parts of the
 * table that have any; an auditor, whose tables were rebuilt without those counts, reads the table.
 */
export type PendingPayouts = 'by counts' | 'by scan';

/** A leaf before it is hashed; `liability` is undefined for padding. */
export interface LeafRow {
  currency: string;
  place: Buffer;
  salt: Buffer;
  liability: Liability | undefined;
}

const LEAVES_AT_ONCE = 256;
/** Read by parts, so that this does not reach the 4 s that any statement has, however many wallets there are. */
const OPENINGS_AT_ONCE = 20_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';
const AFTER_ALL = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** Which wallets a statement counts, and which of them in the trees of test merchants. */
export interface Counted extends Pick<LiabilityPlace, 'form'> {
  parts: readonly PartOfWallets[];
  /** None in a statement of the first form. */
  testMerchants: readonly string[];
}

/**
 * Read once for all that is asked of one statement, in the same snapshots.
 *
 * @param parts of all databases: together they have the shards of the statement
 * @param openingsAtOnce how many openings of wallets are read by one statement
 */
export async function countedAt(
  parts: readonly PartOfWallets[],
  { form }: Pick<LiabilityPlace, 'form'>,
  openingsAtOnce = OPENINGS_AT_ONCE,
): Promise<Counted> {
  return { form, parts, testMerchants: form === 1 ? [] : await readTestMerchants(parts, openingsAtOnce) };
}

/** How many wallets each tree has, by the currency that a statement names it by. */
export async function walletCounts(counted: Counted): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { sql, positions } of counted.parts) {
    const rows = await sql.$queryRaw<{ currency: string; wallets: bigint }[]>`
      SELECT ${STATED[counted.form]} AS currency, count(*) AS wallets
      FROM wallets JOIN ${at(positions)} ON at.shard = wallets.shard AND wallets.position <= at.size ${asTest(counted)}
      GROUP BY 1`;
    for (const { currency, wallets } of rows) counts.set(currency, (counts.get(currency) ?? 0) + Number(wallets));
  }
  return new Map([...counts].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/**
 * The leaves of all trees, by currency and place, padded to these numbers. It reads from a cursor in each part, whose `sql`
 * is a transaction, and nothing else with this name is open in it.
 *
 * @param widths how many leaves each currency's tree has
 */
export async function* readLeaves(
  counted: Counted,
  { secret, widths, pending }: { secret: Buffer; widths: ReadonlyMap<string, number>; pending: PendingPayouts },
): AsyncGenerator<LeafRow> {
  const counts = await walletCounts(counted);
  const missing = new Map([...widths].map(([currency, width]) => [currency, width - (counts.get(currency) ?? 0)]));
  // The padding is of no wallet, so of no database: the first one makes it.
  const rows = counted.parts.map((part, index) =>
    leavesOfPart(part, counted, { secret, pending, paddings: index === 0 ? missing : new Map() }),
  );
  yield* merged(rows);
}

/** The next one of all, each time, until none has more. */
async function* merged(sources: readonly AsyncGenerator<LeafRow>[]): AsyncGenerator<LeafRow> {
  const next = await Promise.all(sources.map((source) => source.next()));
  for (;;) {
    let first: number | undefined;
    for (const [index, { done, value }] of next.entries()) {
      const least = first === undefined ? undefined : next[first];
      if (!done && (!least || isBefore(value, least.value as LeafRow))) first = index;
    }
    if (first === undefined) return;
    yield next[first]?.value as LeafRow;
    next[first] = await (sources[first] as AsyncGenerator<LeafRow>).next();
  }
}

const isBefore = (one: LeafRow, other: LeafRow): boolean =>
  one.currency === other.currency ? one.place.compare(other.place) < 0 : one.currency < other.currency;

async function* leavesOfPart(
  { sql, positions }: PartOfWallets,
  counted: Counted,
  {
    secret,
    pending,
    paddings: missing,
  }: { secret: Buffer; pending: PendingPayouts; paddings: ReadonlyMap<string, number> },
): AsyncGenerator<LeafRow> {
  const [currencies, paddings] = [[...missing.keys()], [...missing.values()]];
  await sql.$executeRaw`
    DECLARE liability_leaves NO SCROLL CURSOR FOR
    SELECT currency, sha256(${bytes(PLACE_DOMAIN)}::bytea || salt) AS place, salt, id, balance, held FROM (
      SELECT currency, sha256(${bytes(WALLET_SALT_DOMAIN)}::bytea || ${secret}::bytea || uuid_send(id)) AS salt,
        id::text AS id, trunc(balance * 100000000)::text AS balance, trunc(held * 100000000)::text AS held
      FROM (${liabilities(positions, counted, pending)}) AS owed
      UNION ALL
      SELECT currency, sha256(${bytes(PADDING_SALT_DOMAIN)}::bytea || ${secret}::bytea || convert_to(currency, 'UTF8') || int8send(one)),
        NULL, NULL, NULL
      FROM unnest(${currencies}::text[], ${paddings}::bigint[]) AS padded (currency, paddings), generate_series(1, paddings) AS one
    ) AS leaf
    ORDER BY currency COLLATE "C", place`;
  for (;;) {
    const rows = await sql.$queryRaw<StoredLeaf[]>`${Prisma.raw(`FETCH ${LEAVES_AT_ONCE} FROM liability_leaves`)}`;
    for (const row of rows) yield leafOf(row);
    if (rows.length < LEAVES_AT_ONCE) break;
  }
  await sql.$executeRaw`CLOSE liability_leaves`;
}

/** What the house's accounts say of the wallets: what all of a currency hold, and what is held for their payouts. */
export interface CounterSums {
  balances: bigint;
  held: bigint;
}

/** In units of the eighth decimal, at the positions. All accounts of a currency sum to zero, so these are the wallets' sums. */
export async function counterSums(parts: readonly PartOfWallets[]): Promise<Map<string, CounterSums>> {
  const sums = new Map<string, CounterSums>();
  for (const { sql, positions } of parts) {
    for (const { currency, balances, held } of await counterSumsOfPart(sql, positions)) {
      const sum = sums.get(currency) ?? { balances: 0n, held: 0n };
      sums.set(currency, { balances: sum.balances + BigInt(balances), held: sum.held + BigInt(held) });
    }
  }
  return sums;
}

function counterSumsOfPart(sql: Sql, positions: readonly Position[]) {
  return sql.$queryRaw<{ currency: string; balances: string; held: string }[]>`
    WITH ${moved(positions)}, house AS (
      SELECT account_id, balance FROM account_balances JOIN ${at(positions)} USING (shard) WHERE account_id LIKE '%:%'
      UNION ALL
      SELECT account_id, -amount FROM moved WHERE account_id LIKE '%:%'
    )
    SELECT substring(account_id FROM '[^:]+$') AS currency, trunc(-sum(balance) * 100000000)::text AS balances,
      trunc(coalesce(sum(balance) FILTER (WHERE account_id LIKE 'payout-clearing:%'), 0) * 100000000)::text AS held
    FROM house GROUP BY 1`;
}

const at = (positions: readonly Position[]) => Prisma.sql`unnest(
    ${positions.map(({ shard }) => shard)}::int[], ${positions.map(({ size }) => String(size))}::bigint[]) AS at (shard, size)`;

/** The postings after the positions: what each gave to its account, or took. */
const moved = (positions: readonly Position[]) => Prisma.sql`moved AS MATERIALIZED (
  SELECT event.account_id, event.transaction,
    (said ->> 'amount')::numeric * CASE said ->> 'type' WHEN 'CreditPosted' THEN 1 ELSE -1 END AS amount
  FROM ${at(positions)}
  JOIN ledger_events AS event ON event.shard = at.shard AND event.position > at.size
  CROSS JOIN LATERAL (SELECT event.body::json -> 'event' AS said) AS parsed
  WHERE said ->> 'type' IN ('DebitPosted', 'CreditPosted')
)`;

/** By which currency a statement names the tree of a wallet: see `StatedCurrency`. */
const STATED: Record<LiabilityPlace['form'], Prisma.Sql> = {
  1: Prisma.sql`wallets.currency COLLATE "C"`,
  2: Prisma.sql`(wallets.currency || CASE WHEN test.merchant_id IS NULL THEN '' ELSE '/test' END) COLLATE "C"`,
};

/**
 * The merchants who have opened wallets with test keys, and none with a live one. Whose openings name no mode counts as live: they are
 * older than modes. An event speaks of its own wallet alone: its text is canonical, and quotes within its texts are escaped, so that
 * what is found is the member itself.
 */
async function readTestMerchants(parts: readonly PartOfWallets[], openingsAtOnce: number): Promise<string[]> {
  const modes = new Map<string, string>();
  for (const part of parts) await readModes(part, openingsAtOnce, modes);
  return merchantsOf(modes, 'test');
}

const merchantsOf = (modes: ReadonlyMap<string, string>, mode: 'live' | 'test') =>
  [...modes.keys()].filter((merchant) => modes.get(merchant) === mode);

async function readModes(
  { sql, positions }: PartOfWallets,
  openingsAtOnce: number,
  modes: Map<string, string>,
): Promise<void> {
  let after: string | undefined = BEFORE_ALL;
  while (after !== undefined) {
    const [last]: { id: string }[] = await sql.$queryRaw`
      SELECT id::text FROM wallets WHERE id > ${after}::uuid ORDER BY id OFFSET ${openingsAtOnce - 1} LIMIT 1`;
    const opened = await sql.$queryRaw<{ merchant_id: string; mode: string }[]>`
      SELECT DISTINCT wallets.merchant_id::text, asked.mode FROM wallets
      JOIN ${at(positions)} ON at.shard = wallets.shard AND wallets.position <= at.size
      JOIN ledger_events AS event ON event.shard = wallets.shard AND event.position = wallets.position
      CROSS JOIN LATERAL (SELECT event.body::json #>> '{asked_by,mode}' AS mode) AS asked
      WHERE wallets.id > ${after}::uuid AND wallets.id <= ${last?.id ?? AFTER_ALL}::uuid
        -- One live opening decides: no other of that merchant's is looked up.
        AND wallets.merchant_id <> ALL (${merchantsOf(modes, 'live')}::uuid[])
        AND event.body LIKE '{"asked_by":{%' AND asked.mode IS NOT NULL
        AND strpos(event.body, '"wallet_id":"' || wallets.id || '"') > 0
        AND strpos(event.body, '"merchant_id":"' || wallets.merchant_id || '"') > 0`;
    for (const { merchant_id, mode } of opened) if (modes.get(merchant_id) !== 'live') modes.set(merchant_id, mode);
    after = last?.id;
  }
}

const asTest = ({ testMerchants }: Counted) =>
  Prisma.sql`LEFT JOIN unnest(${testMerchants}::uuid[]) AS test (merchant_id) ON test.merchant_id = wallets.merchant_id`;

const liabilities = (positions: readonly Position[], counted: Counted, pending: PendingPayouts) => Prisma.sql`
  WITH ${moved(positions)},
  to_wallets AS (
    SELECT account_id, sum(amount) AS amount FROM moved WHERE account_id NOT LIKE '%:%' GROUP BY account_id
  ),
  to_clearing AS (
    SELECT wallet_id, sum(moved.amount) AS amount
    FROM moved JOIN transactions ON transactions.id = moved.transaction
    WHERE moved.account_id LIKE 'payout-clearing:%' GROUP BY wallet_id
  ),
  pending AS (
    SELECT wallet_id, sum(amount + coalesce(fee, 0)) AS amount FROM ${PENDING[pending]} GROUP BY wallet_id
  )
  SELECT wallets.id, ${STATED[counted.form]} AS currency,
    coalesce(account.balance, 0) - coalesce(to_wallets.amount, 0) AS balance,
    coalesce(pending.amount, 0) - coalesce(to_clearing.amount, 0) AS held
  FROM wallets
  JOIN ${at(positions)} ON at.shard = wallets.shard AND wallets.position <= at.size
  LEFT JOIN account_balances AS account ON account.shard = wallets.shard AND account.account_id = wallets.id::text
  LEFT JOIN to_wallets ON to_wallets.account_id = wallets.id::text
  LEFT JOIN to_clearing ON to_clearing.wallet_id = wallets.id
  LEFT JOIN pending ON pending.wallet_id = wallets.id
  ${asTest(counted)}`;

const PENDING: Record<PendingPayouts, Prisma.Sql> = {
  'by scan': Prisma.sql`transactions WHERE transaction_type = 'PAYOUT' AND status = 'PENDING'`,
  'by counts': Prisma.sql`(
    SELECT merchant_id, day, min(first_position) AS first_position
    FROM transaction_counts WHERE transaction_type = 'PAYOUT' AND status = 'PENDING' AND transactions > 0
    GROUP BY merchant_id, day
  ) AS counted
  CROSS JOIN LATERAL (
    SELECT wallet_id, amount, fee FROM transactions
    WHERE transactions.merchant_id = counted.merchant_id AND position >= counted.first_position
      AND (created_at AT TIME ZONE 'UTC')::date = counted.day
      AND position < coalesce((
        SELECT min(later.first_position) FROM transaction_counts AS later
        WHERE later.merchant_id = counted.merchant_id AND later.day > counted.day
      ), 9223372036854775807)
      AND transaction_type = 'PAYOUT' AND status = 'PENDING'
  ) AS payout`,
};

interface StoredLeaf {
  currency: string;
  place: Uint8Array;
  salt: Uint8Array;
  id: string | null;
  balance: string | null;
  held: string | null;
}

function leafOf({ currency, place, salt, id, balance, held }: StoredLeaf): LeafRow {
  const liability =
    id === null ? undefined : { wallet_id: id, balance: BigInt(balance ?? '0'), held: BigInt(held ?? '0') };
  return { currency, place: Buffer.from(place), salt: Buffer.from(salt), liability };
}

const bytes = (text: string) => Buffer.from(text);
