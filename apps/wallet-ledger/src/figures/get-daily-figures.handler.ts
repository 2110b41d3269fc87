import {
  DailyFiguresView,
  FailureFigures,
  GetDailyFigures,
  getDailyFigures,
  MovementFigures,
} from '@stablecoin/contracts/wallet/get-daily-figures';
import { Handles } from '@stablecoin/messaging/handles';
import { Currency } from '@stablecoin/money/currency';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { Reads } from '@stablecoin/persistence/sql';
import { LedgerDatabases } from '../databases/ledger-databases';

type Days = Pick<GetDailyFigures, 'merchant_id' | 'start_date' | 'end_date'>;
type DaysOfCurrency = Days & { currency: Currency };

/** Sums of `daily_figures`: however many transactions there are, a day has some rows. */
@Handles(getDailyFigures)
export class GetDailyFiguresHandler {
  constructor(private readonly databases: LedgerDatabases) {}

  execute(request: GetDailyFigures): Promise<DailyFiguresView> {
    return asRefusal(() => this.figures(request));
  }

  private async figures({ merchant_id, start_date, end_date, ...asked }: GetDailyFigures): Promise<DailyFiguresView> {
    const days = { merchant_id, start_date, end_date };
    const reads = await this.databases.forMerchant(merchant_id);
    const [currencies, counted_until] = await Promise.all([currenciesOf(reads, days), this.countedUntil(merchant_id)]);
    const currency = asked.currency ?? currencies[0]?.currency ?? null;
    const view = { currency, start_date, end_date, currencies, counted_until };
    if (currency === null) return { ...view, days: [], total: [], failures: [] };
    const chosen = { ...days, currency };
    const [movements, failures] = await Promise.all([movementsOf(reads, chosen), failuresOf(reads, chosen)]);
    return { ...view, ...byDay(movements), failures };
  }

  /** When the first event was recorded that the table lacks. Of the whole shard: it says nothing of any merchant. */
  private async countedUntil(merchantId: string): Promise<string | null> {
    const [row] = await (
      await this.databases.forReads()
    ).reads.$queryRaw<{ until: string | null }[]>`
      SELECT (
        SELECT to_char(recorded_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') FROM ledger_events AS event
        WHERE event.shard = wallet.shard AND event.position = coalesce(
          (SELECT position FROM daily_figures_progress AS progress WHERE progress.shard = wallet.shard), 0) + 1
      ) AS until
      FROM wallets AS wallet WHERE merchant_id = ${merchantId}::uuid LIMIT 1`;
    return row?.until ?? null;
  }
}

/** The counts by which lists know their totals have a few rows for each day. */
const currenciesOf = (reads: Reads, { merchant_id, start_date, end_date }: Days) => reads.$queryRaw<
  DailyFiguresView['currencies']
>`
  SELECT currency, sum(transactions)::text AS transactions FROM transaction_counts
  WHERE merchant_id = ${merchant_id}::uuid AND day >= ${start_date}::date AND day <= ${end_date}::date
  GROUP BY currency HAVING sum(transactions) > 0 ORDER BY sum(transactions) DESC, currency`;

type MovementRow = MovementFigures & { day: string | null };

/** Of each day and kind, and with a null as the day of all days of a kind. */
const movementsOf = (reads: Reads, { merchant_id, currency, start_date, end_date }: DaysOfCurrency) => reads.$queryRaw<
  MovementRow[]
>`
  WITH chosen AS MATERIALIZED (
    SELECT * FROM daily_figures
    WHERE merchant_id = ${merchant_id}::uuid AND currency = ${currency}
      AND day >= ${start_date}::date AND day <= ${end_date}::date
  ),
  sums AS (
    SELECT day, transaction_type, transaction_mode,
      coalesce(sum(transactions) FILTER (WHERE outcome = 'opened'), 0)::text AS opened,
      coalesce(sum(transactions) FILTER (WHERE outcome = 'completed'), 0)::text AS completed,
      coalesce(sum(transactions) FILTER (WHERE outcome = 'failed'), 0)::text AS failed,
      coalesce(sum(transactions) FILTER (WHERE outcome = 'reversed'), 0)::text AS reversed,
      coalesce(sum(amount) FILTER (WHERE outcome = 'opened'), 0)::numeric(38,8)::text AS opened_amount,
      (coalesce(sum(amount) FILTER (WHERE outcome = 'completed'), 0)
        - coalesce(sum(amount) FILTER (WHERE outcome = 'reversed'), 0))::numeric(38,8)::text AS settled_amount,
      (coalesce(sum(fee) FILTER (WHERE outcome = 'completed'), 0)
        - coalesce(sum(fee) FILTER (WHERE outcome = 'reversed'), 0))::numeric(38,8)::text AS settled_fees
    FROM chosen GROUP BY GROUPING SETS ((day, transaction_type, transaction_mode), (transaction_type, transaction_mode))
  ),
  times AS (
    SELECT day, transaction_type, transaction_mode, settled_within_ms, sum(transactions) AS transactions
    FROM chosen WHERE outcome = 'completed' GROUP BY GROUPING SETS (
      (day, transaction_type, transaction_mode, settled_within_ms), (transaction_type, transaction_mode, settled_within_ms))
  ),
  ranked AS (
    SELECT day, transaction_type, transaction_mode, settled_within_ms,
      sum(transactions) OVER (PARTITION BY day, transaction_type, transaction_mode ORDER BY settled_within_ms) AS up_to,
      sum(transactions) OVER (PARTITION BY day, transaction_type, transaction_mode) AS all_of_them
    FROM times
  ),
  percentiles AS (
    SELECT coalesce(day, 'infinity') AS day, transaction_type, transaction_mode,
      (min(settled_within_ms) FILTER (WHERE up_to * 2 >= all_of_them))::text AS p50_ms,
      (min(settled_within_ms) FILTER (WHERE up_to * 100 >= all_of_them * 95))::text AS p95_ms
    FROM ranked GROUP BY 1, 2, 3
  )
  SELECT to_char(sums.day, 'YYYY-MM-DD') AS day, sums.transaction_type, sums.transaction_mode, opened, completed, failed, reversed,
    opened_amount, settled_amount, settled_fees, p50_ms, p95_ms
  FROM sums LEFT JOIN percentiles ON percentiles.day = coalesce(sums.day, 'infinity')
    AND percentiles.transaction_type = sums.transaction_type AND percentiles.transaction_mode = sums.transaction_mode
  ORDER BY sums.day, sums.transaction_type, sums.transaction_mode`;

const failuresOf = (reads: Reads, { merchant_id, currency, start_date, end_date }: DaysOfCurrency) => reads.$queryRaw<
  FailureFigures[]
>`
  SELECT transaction_type, failure AS reason, sum(transactions)::text AS transactions, sum(amount)::text AS amount
  FROM daily_figures
  WHERE merchant_id = ${merchant_id}::uuid AND currency = ${currency}
    AND day >= ${start_date}::date AND day <= ${end_date}::date AND outcome = 'failed'
  GROUP BY 1, 2 ORDER BY sum(transactions) DESC, 1, 2`;

/** @param rows in the order of their days, those of all days last */
function byDay(rows: readonly MovementRow[]): Pick<DailyFiguresView, 'days' | 'total'> {
  const days: DailyFiguresView['days'] = [];
  const total: MovementFigures[] = [];
  for (const { day, ...movement } of rows) {
    if (day === null) total.push(movement);
    else if (days.at(-1)?.day === day) days.at(-1)?.movements.push(movement);
    else days.push({ day, movements: [movement] });
  }
  return { days, total };
}
