import { canonicalText } from '@stablecoin/event-chain/canonical-text';
import { LedgerState } from '@stablecoin/ledger-domain/ledger-state';
import {
  Bucket,
  CurrencyUsage,
  noUsage,
  PayoutUsage,
  ROLLING_PERIODS,
  RollingPeriod,
  rollingSum,
  UsageName,
  usageName,
} from '@stablecoin/ledger-domain/payout-usage';
import { Currency } from '@stablecoin/money/currency';
import { arrayColumn, columnsOf } from '@stablecoin/persistence/columns';
import { Sql } from '@stablecoin/persistence/sql';

/** `payout_usage`: what has gone out of late. The folds are those of payout-usage.ts in ledger-domain. */
export async function writePayoutUsages(sql: Sql, shard: number, usages: readonly PayoutUsage[]): Promise<void> {
  if (usages.length === 0) return;
  const column = columnsOf(usages.map(({ used, ...row }) => ({ ...row, used: usedText(used) })));
  await sql.$executeRaw`
    INSERT INTO payout_usage (merchant_id, subject, first_at, released_at, used, shard)
    SELECT usage.*, ${shard}::int
    FROM unnest(
      ${column('merchant_id')}::uuid[],
      ${column('subject')}::text[],
      ${column('first_at')}::timestamptz[],
      ${column('released_at')}::timestamptz[],
      ${column('used')}::text[]
    ) AS usage
    ON CONFLICT (merchant_id, subject) DO UPDATE SET
      first_at = excluded.first_at, released_at = excluded.released_at, used = excluded.used`;
}

/** Records in the state the usage of each of these, also where nothing has gone out yet. */
export async function loadPayoutUsages(sql: Sql, state: LedgerState, named: readonly UsageName[]): Promise<void> {
  if (named.length === 0) return;
  const rows = await sql.$queryRaw<(Omit<PayoutUsage, 'used' | 'key'> & { used: string })[]>`
    SELECT merchant_id::text, subject,
      to_char(first_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS first_at,
      to_char(released_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS released_at,
      used
    FROM payout_usage JOIN unnest(
      ${arrayColumn(named.map(({ merchant_id }) => merchant_id))}::uuid[],
      ${arrayColumn(named.map(({ subject }) => subject))}::text[]
    ) AS named (merchant_id, subject) USING (merchant_id, subject)`;
  named.forEach((name) => state.putPayoutUsage(noUsage(name)));
  rows.forEach((row) => {
    const { key } = usageName(row.merchant_id, row.subject);
    state.putPayoutUsage({ ...row, key, used: usedOf(row.used) });
  });
}

type StoredBucket = [number: number, units: string, count: number];
type StoredUsage = Partial<Record<Currency, Record<RollingPeriod, StoredBucket[]>>>;

function usedText(used: PayoutUsage['used']): string {
  const stored = mapValues(used, (periods: CurrencyUsage) =>
    mapValues(periods, ({ buckets }) =>
      buckets.map(([number, units, count]): StoredBucket => [number, String(units), count]),
    ),
  );
  return canonicalText(stored);
}

function usedOf(text: string): PayoutUsage['used'] {
  const stored = JSON.parse(text) as StoredUsage;
  return mapValues(stored, (periods) => {
    const sums = (Object.keys(ROLLING_PERIODS) as RollingPeriod[]).map((period) => {
      const buckets = periods[period].map(([number, units, count]): Bucket => [number, BigInt(units), count]);
      return [period, rollingSum(buckets)] as const;
    });
    return Object.fromEntries(sums) as unknown as CurrencyUsage;
  });
}

function mapValues<Key extends string, Value, Result>(
  of: Readonly<Partial<Record<Key, Value>>>,
  result: (value: Value) => Result,
): Record<Key, Result> {
  const entries = Object.entries(of).map(([key, value]) => [key, result(value as Value)] as const);
  return Object.fromEntries(entries) as Record<Key, Result>;
}
