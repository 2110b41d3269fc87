/**
 * `daily_figures`: what charts are drawn from. The one text below says what each event of the log adds to the table: the ledger adds
 * it beside the writer, a rebuild adds it to the table that takes the place of the live one, and `audit verify` makes the table
 * anew by it and compares.
 */
import { Sql } from '@stablecoin/persistence/sql';
import { Prisma } from './generated/client';

/** Ten per decade, from ten milliseconds to three years: a percentile read from their sums is too high by a quarter at most. */
const STEPS_PER_DECADE = 10;
const DECADES = { first: 1, last: 11 } as const;

/** Of the times within which transactions were completed, in milliseconds. They are in stored rows: a change needs a rebuild. */
export const SETTLEMENT_BOUNDS_MS: readonly number[] = Array.from(
  { length: (DECADES.last - DECADES.first) * STEPS_PER_DECADE + 1 },
  (_, step) => Math.round(10 ** (DECADES.first + step / STEPS_PER_DECADE)),
);

const BOUNDS = Prisma.raw(`(ARRAY[${SETTLEMENT_BOUNDS_MS.join(', ')}]::bigint[])`);
const BOUNDS_LENGTH = Prisma.raw(String(SETTLEMENT_BOUNDS_MS.length));
const MILLISECONDS = Prisma.sql`greatest(round(extract(epoch FROM event.recorded_at - opened.created_at) * 1000)::bigint, 0)`;
/** The first bound that is not exceeded; the last one where all are. */
const SETTLED_WITHIN = Prisma.sql`${BOUNDS}[least(width_bucket(${MILLISECONDS} - 1, ${BOUNDS}) + 1, ${BOUNDS_LENGTH})]`;

/** No text within an event has these quotation marks bare. */
const ofType = (type: string) => Prisma.raw(`'%"type":"${type}"%'`);

/** A payout that was rejected says who did so; without a signer its time for approvals was over. */
const WHY_NOT_PAID = Prisma.sql`coalesce((
  SELECT CASE WHEN said.body::json #> '{event,signer}' IS NULL THEN 'approval_expired' ELSE 'rejected' END
  FROM public.ledger_events AS said WHERE said.transaction = opened.id AND said.body LIKE ${ofType('PayoutRejected')} LIMIT 1
), 'not_paid_out')`;

/**
 * What these events add, one row for each key of the table.
 *
 * @param events rows of `ledger_events`
 * @param transactions the table of those that the events speak of, in any later state: only what never changes is read
 */
export const figuresOf = (events: Prisma.Sql, transactions: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT opened.merchant_id, opened.currency, (opened.created_at AT TIME ZONE 'UTC')::date AS day, opened.transaction_type,
    opened.transaction_mode, told.outcome, told.settled_within_ms, told.failure, opened.shard, count(*) AS transactions,
    sum(opened.amount) AS amount, sum(coalesce(opened.fee, 0)) AS fee
  FROM (${events}) AS event JOIN ${transactions} AS opened ON opened.id = event.transaction
    CROSS JOIN LATERAL (
      SELECT 'opened' AS outcome, 0::bigint AS settled_within_ms, '' AS failure WHERE event.position = opened.position
      UNION ALL
      SELECT lower(state), CASE state WHEN 'COMPLETED' THEN ${SETTLED_WITHIN} ELSE 0 END,
        CASE WHEN state <> 'FAILED' THEN '' WHEN opened.transaction_type = 'DEPOSIT' THEN 'deposit_not_final' ELSE ${WHY_NOT_PAID} END
      FROM (SELECT event.body::json #>> '{event,to}' AS state WHERE event.body LIKE ${ofType('TransactionStatusChanged')}) AS changed
      WHERE state <> 'PENDING'
    ) AS told
  GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9`;

/**
 * Adds what a shard's log says between two positions, and moves the progress, in one statement. Where the progress is not at `from` it
 * adds nothing, so that two who follow the log at once add nothing twice.
 */
export async function addFigures(sql: Sql, shard: number, from: number, to: number): Promise<void> {
  const events = Prisma.sql`
    SELECT event.* FROM moved JOIN public.ledger_events AS event USING (shard) WHERE event.position > ${from} AND event.position <= ${to}`;
  await sql.$executeRaw`
    WITH moved AS (
      UPDATE daily_figures_progress SET position = ${to} WHERE shard = ${shard} AND position = ${from} RETURNING shard
    )
    INSERT INTO daily_figures AS figures (
      merchant_id, currency, day, transaction_type, transaction_mode, outcome, settled_within_ms, failure, shard, transactions, amount, fee
    )
    ${figuresOf(events, Prisma.raw('transactions'))}
    ON CONFLICT (merchant_id, currency, day, transaction_type, transaction_mode, outcome, settled_within_ms, failure) DO UPDATE SET
      transactions = figures.transactions + excluded.transactions,
      amount = figures.amount + excluded.amount, fee = figures.fee + excluded.fee`;
}
