/**
 * How long a merchant waits for what a year of charts is drawn from, and how fast the table behind it follows the log.
 *
 * - `year`, `month`: the operation's handler with 5 million transactions of one merchant in 366 days and four currencies. The table is
 *   filled with what 5 million transactions would have added (SQL, from generate_series); the transactions themselves are not there, and
 *   the handler reads none of them.
 * - `follow`: events per second, of a log as the writer makes it: payouts held and settled.
 */
import { randomUUID } from 'node:crypto';
import { given } from '@stablecoin/benchmarking/given';
import { percentile } from '@stablecoin/benchmarking/measure';
import { Figures, progress, report } from '@stablecoin/benchmarking/report';
import { addFigures, SETTLEMENT_BOUNDS_MS } from '@stablecoin/ledger-store/daily-figures';
import { followedUpTo } from '@stablecoin/ledger-store/following-tables';
import { LedgerDatabase, LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { LedgerDatabases } from '../src/databases/ledger-databases';
import { GetDailyFiguresHandler } from '../src/figures/get-daily-figures.handler';

const TRANSACTIONS = 5_000_000;
const DAYS = 366;
const CURRENCIES = ['USD', 'USDC', 'USDT', 'EUR'];
const WARM_UP = 20;
const QUESTIONS = 300;
const FOLLOWED = { shard: 7, transactions: 100_000, eventsAtOnce: 5_000 };
const YEAR = { start_date: '2026-01-01', end_date: '2027-01-01' };
const MONTH = { start_date: '2026-06-01', end_date: '2026-06-30' };
const FILLING_MAX_MS = 600_000;

async function main(): Promise<void> {
  const url = given('LEDGER_DATABASE_URL');
  const reads = new LedgerReads({ url, applicationName: 'benchmark', poolSize: 2 });
  const owner = new LedgerDatabase({
    ...{ url: given('BENCHMARK_OWNER_URL'), applicationName: 'benchmark', poolSize: 1 },
    statementTimeoutMs: FILLING_MAX_MS,
  });
  try {
    const merchant_id = randomUUID();
    await fill(owner, merchant_id);
    const figures: Figures = { rows: await rowsOf(owner) };
    const handler = new GetDailyFiguresHandler(LedgerDatabases.only(reads));
    const ask = (days: typeof YEAR) => (turn: number) =>
      handler.execute({ merchant_id, ...days, ...(turn % 2 > 0 && { currency: 'USDC' }) });
    Object.assign(figures, await timesOf('year', ask(YEAR)), await timesOf('month', ask(MONTH)));
    Object.assign(figures, await followed(owner, merchant_id));
    report(figures, process.argv.includes('--json'));
  } finally {
    await Promise.all([reads.$disconnect(), owner.$disconnect()]);
  }
}

/** Every third is a deposit, of the payouts one in fifty fails and one in ninety-seven comes back; settled within seconds to hours. */
async function fill(owner: LedgerDatabase, merchantId: string): Promise<void> {
  progress(`what ${TRANSACTIONS.toLocaleString('en')} transactions add to the table`);
  await owner.$executeRaw`
    INSERT INTO daily_figures
    SELECT ${merchantId}::uuid, currency, day, type, mode, outcome, within, failure, 0, count(*), sum(amount), sum(amount) / 100
    FROM (
      SELECT (string_to_array(${CURRENCIES.join(' ')}, ' '))[1 + n % 4] AS currency, date '2026-01-01' + (n % ${DAYS}) AS day,
        CASE WHEN n % 3 = 0 THEN 'DEPOSIT' ELSE 'PAYOUT' END AS type, CASE WHEN n % 3 = 0 THEN 'CREDIT' ELSE 'DEBIT' END AS mode,
        (string_to_array(${SETTLEMENT_BOUNDS_MS.join(' ')}, ' ')::bigint[])[20 + abs(hashint4(n)) % 40] AS bound, n,
        1 + n % 1000 AS amount
      FROM generate_series(1, ${TRANSACTIONS}::int) AS n
    ) AS transaction CROSS JOIN LATERAL (
      SELECT 'opened' AS outcome, 0::bigint AS within, '' AS failure
      UNION ALL SELECT 'failed', 0, 'not_paid_out' WHERE n % 50 = 0 AND type = 'PAYOUT'
      UNION ALL SELECT 'completed', bound, '' WHERE NOT (n % 50 = 0 AND type = 'PAYOUT')
      UNION ALL SELECT 'reversed', 0, '' WHERE n % 97 = 0 AND n % 50 > 0 AND type = 'PAYOUT'
    ) AS told
    GROUP BY currency, day, type, mode, outcome, within, failure`;
  await owner.$executeRaw`
    INSERT INTO transaction_counts
    SELECT merchant_id, day, currency, transaction_type, transaction_mode, status, sum(transactions), 1
    FROM daily_figures JOIN (VALUES ('completed', 'COMPLETED'), ('failed', 'FAILED'), ('reversed', 'REVERSED'))
      AS status (outcome, status) USING (outcome)
    GROUP BY 1, 2, 3, 4, 5, 6`;
  await owner.$executeRaw`ANALYZE daily_figures, transaction_counts`;
}

async function rowsOf(owner: LedgerDatabase): Promise<number> {
  const [row] = await owner.$queryRaw<{ rows: number }[]>`SELECT count(*)::int AS rows FROM daily_figures`;
  return row?.rows ?? 0;
}

async function timesOf(name: string, ask: (turn: number) => Promise<unknown>): Promise<Figures> {
  const milliseconds: number[] = [];
  for (let turn = 0; turn < WARM_UP + QUESTIONS; turn += 1) {
    const askedAt = performance.now();
    await ask(turn);
    if (turn >= WARM_UP) milliseconds.push(performance.now() - askedAt);
  }
  const [p50, p95] = [50, 95].map((rank) => percentile(milliseconds, rank)) as [number, number];
  progress(`${name}: p50 ${p50.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms`);
  return { [`${name}_p50_ms`]: p50, [`${name}_p95_ms`]: p95 };
}

/** Five events for a payout that is held and then settled, with texts as long as the writer's. */
async function followed(owner: LedgerDatabase, merchantId: string): Promise<Figures> {
  const { shard, transactions, eventsAtOnce } = FOLLOWED;
  progress('a log to follow');
  await owner.$executeRaw`
    INSERT INTO transactions (
      id, shard, position, merchant_id, transaction_id, reference_id, wallet_id, transaction_type, transaction_mode, currency, amount,
      status, balance, created_at, updated_at
    )
    SELECT md5('t' || n)::uuid, ${shard}, n * 5 - 4, ${merchantId}::uuid, 'F' || lpad(n::text, 9, '0'), md5('r' || n)::uuid,
      md5('w')::uuid, 'PAYOUT', 'DEBIT', 'USD', 10, 'COMPLETED', 0,
      timestamptz '2026-03-01' + n * interval '1 s', timestamptz '2026-03-01' + n * interval '1 s'
    FROM generate_series(1, ${transactions}::int) AS n`;
  await owner.$executeRaw`
    INSERT INTO ledger_events (shard, position, recorded_at, account_id, transaction, body, hash)
    SELECT ${shard}, n * 5 - 5 + leg, timestamptz '2026-03-01' + n * interval '1 s' + (leg / 3) * interval '2 s', 'w', md5('t' || n)::uuid,
      CASE leg WHEN 5 THEN '{"event":{"from":"PENDING","to":"COMPLETED","type":"TransactionStatusChanged","more":"'
          || repeat('x', 200) || '"}}'
        ELSE '{"event":{"amount":"10.00000000","type":"DebitPosted","more":"' || repeat('x', 600) || '"}}' END, sha256('x')
    FROM generate_series(1, ${transactions}::int) AS n, generate_series(1, 5) AS leg`;
  await owner.$executeRaw`ANALYZE transactions, ledger_events`;
  await followedUpTo(owner, 'daily_figures', shard);
  const events = transactions * 5;
  const begunAt = performance.now();
  for (let from = 0; from < events; from += eventsAtOnce) {
    await addFigures(owner, shard, from, Math.min(events, from + eventsAtOnce));
  }
  const seconds = (performance.now() - begunAt) / 1_000;
  progress(`${Math.round(events / seconds).toLocaleString('en')} events followed per second`);
  return { followed_events_per_second: events / seconds };
}

void main();
