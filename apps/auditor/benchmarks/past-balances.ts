/**
 * Looks up past balances of wallets at random moments, by time and by position. The database itself makes the log for
 * it: the events hold little more than a look-up reads, and would pass no audit. Every second wallet event belongs to
 * one hot wallet, for which the index has to search half of the log.
 */
import { percentile, timed } from '@stablecoin/benchmarking/measure';
import { progress } from '@stablecoin/benchmarking/report';
import { pastBalance } from '@stablecoin/ledger-store/history';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';

const EVENTS = 5_000_000;
const WALLETS = 10_000;
const SHARD = 1;
const LOOK_UPS = 2_000;
const WARM_UP = 200;
const FIRST_MS = Date.UTC(2026, 0, 1);
const EVERY_MS = 50;

const walletId = (number: number) => `a0000000-0000-7000-8000-${String(number).padStart(12, '0')}`;

export async function lookUpThePast(database: LedgerDatabase) {
  progress(`writing a log of ${EVENTS} events to look up the past in`);
  await writePast(database);
  progress(`${LOOK_UPS} look-ups of each kind`);
  const byTime = (position: number) => ({ time: new Date(FIRST_MS + position * EVERY_MS).toISOString() });
  const times = await lookUps(database, byTime);
  const positions = await lookUps(database, (position) => ({ position }));
  return {
    as_of_events: EVENTS,
    as_of_p50_ms: percentile([...times, ...positions], 50),
    as_of_p99_ms: percentile([...times, ...positions], 99),
    as_of_time_p99_ms: percentile(times, 99),
    as_of_position_p99_ms: percentile(positions, 99),
  };
}

async function lookUps(
  database: LedgerDatabase,
  moment: (position: number) => { time: string } | { position: number },
) {
  const times: number[] = [];
  for (let number = 0; number < WARM_UP + LOOK_UPS; number += 1) {
    const wallet = walletId(number % 4 === 0 ? 0 : Math.floor(Math.random() * WALLETS));
    // Every wallet has been opened in the first tenth of the log.
    const position = Math.floor(EVENTS * (0.1 + 0.9 * Math.random()));
    const ms = await timed(async () => {
      const found = (await pastBalance(database, wallet, moment(position)))?.found;
      if (!found || found.position > position) throw new Error(`nothing was found of ${wallet} at ${position}`);
    });
    if (number >= WARM_UP) times.push(ms);
  }
  return times;
}

/** The first events open the wallets; every second one of the others is the hot wallet's. */
async function writePast(database: LedgerDatabase): Promise<void> {
  const indexes = await database.$queryRaw<{ indexname: string; indexdef: string }[]>`
    SELECT indexname, indexdef FROM pg_indexes
    WHERE schemaname = 'public' AND tablename = 'ledger_events'
      AND indexname NOT IN (SELECT conname FROM pg_constraint)`;
  for (const { indexname } of indexes) await database.$executeRawUnsafe(`DROP INDEX ${indexname}`);
  await database.$executeRaw`
    INSERT INTO ledger_events (shard, position, recorded_at, account_id, transaction, body, hash)
    SELECT ${SHARD}::int, n, recorded_at, account_id, CASE WHEN n > ${WALLETS}::int THEN gen_random_uuid() END,
      json_build_object('merchant_id', gen_random_uuid(), 'shard', ${SHARD}::int, 'position', n,
        'recorded_at', recorded_at, 'event', json_build_object('version', 1, 'currency', 'USD',
          'type', CASE WHEN n > ${WALLETS}::int THEN 'CreditPosted' ELSE 'WalletOpened' END,
          'account_id', account_id, 'amount', '1.00000000', 'balance_after', n || '.00000000'))::text,
      sha256(int8send(n))
    FROM generate_series(1, ${EVENTS}::bigint) AS n, LATERAL (
      SELECT to_timestamp((${FIRST_MS}::float8 + n * ${EVERY_MS}::int) / 1000), 'a0000000-0000-7000-8000-' || lpad(
        (CASE WHEN n > ${WALLETS}::int AND n % 2 = 0 THEN 0 ELSE (n * 7919) % ${WALLETS}::int END)::text, 12, '0')
    ) AS written (recorded_at, account_id)
    ORDER BY n`;
  for (const { indexdef } of indexes) await database.$executeRawUnsafe(indexdef);
  await database.$executeRaw`VACUUM ANALYZE ledger_events`;
}
