/**
 * The usual case of a swap in three statements. Each of them is shared by the requests that come while others are under
 * way (groupedRequests). It does what the steps one by one do, for those commands that nothing stands against. All others it
 * leaves as they are: they are decided step by step, each in a transaction of its own.
 *
 * | statement | takes                                        | leaves                                                  |
 * |-----------|----------------------------------------------|---------------------------------------------------------|
 * | make      | a new command, with the terms of its quote   | a command that has a result, or runs elsewhere          |
 * | claim     | a new command, and the open quote it means   | the same; one that has claimed a quote before; a quote  |
 * |           |                                              | that is none, is not open, or is locked at the moment   |
 * | settle    | a claim that the ledger has posted           | one that has a result already                           |
 *
 * A caller can't hold up others: make and claim wait for no lock. Settle waits for its quotes, which are locked otherwise for
 * as long as a refresh needs to find that they are claimed; those who settle several lock them in the order of their ids.
 */
import { CreateQuote } from '@stablecoin/contracts/swap/create-quote';
import { ExecutedSwap, ExecuteSwap } from '@stablecoin/contracts/swap/execute-swap';
import { MadeQuoteView } from '@stablecoin/contracts/swap/views';
import { MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { columnsOf, lineColumn } from '@stablecoin/persistence/columns';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { groupedRequests } from '@stablecoin/persistence/grouped-requests';
import { SwapDatabase } from '../persistence/swap-database';
import { QUOTE_COLUMNS, QUOTE_VIEW, QuoteRow } from './quote-row';
import { QuoteTerms } from './quote-terms';
import { PromisedTerms, TermsMac } from './terms-mac';

export interface NewQuote {
  id: string;
  command: CreateQuote;
  terms: QuoteTerms;
  /** By the service's clock, as the end of the quote is in its MAC. */
  madeAt: Date;
}

export interface NewClaim {
  command: ExecuteSwap;
  requestProof: string | null;
  /** Until when the attempt may be under way, in epoch milliseconds. */
  deadline: number;
}

export interface PostedClaim {
  quote: QuoteRow;
  command: MerchantCommand;
  result: ExecutedSwap;
}

export const promisedTerms = (
  id: string,
  {
    merchant_id,
    customer_id,
    from_currency,
    to_currency,
  }: Pick<CreateQuote, 'merchant_id' | 'customer_id' | 'from_currency' | 'to_currency'>,
  { fromAmount, toAmount, quotedPrice }: QuoteTerms,
  expires_at: Date,
): PromisedTerms => ({
  ...{ id, merchant_id, customer_id: customer_id ?? null, from_currency, to_currency },
  ...{ from_amount: fromAmount, to_amount: toAmount, quoted_price: quotedPrice, expires_at },
});

/** @returns a function that gives undefined, with nothing inserted, for a command that it leaves */
export function makingQuotes(database: SwapDatabase, mac: TermsMac, quoteTtlMs: number) {
  const make = groupedRequests<NewQuote, MadeQuoteView | undefined>(async (quotes) => {
    const column = columnsOf(
      quotes.map((quote) => {
        const { id, command, madeAt, terms } = quote;
        const expiresAt = new Date(madeAt.getTime() + quoteTtlMs);
        return {
          ...{ id, command: command.command_id, hash: command.input_hash },
          ...{ merchant: command.merchant_id, customer: command.customer_id ?? null },
          ...{ sold: command.from_currency, bought: command.to_currency, ...terms },
          ...{ madeAt: madeAt.toISOString(), expiresAt: expiresAt.toISOString() },
          mac: mac.of(promisedTerms(id, command, terms, expiresAt)),
        };
      }),
    );
    const profiles = quotes.map(({ command: { sealed_profile } }) =>
      JSON.stringify(sealed_profile === undefined ? {} : { sealed_profile }),
    );
    const made = await database.$queryRaw<{ command: string; result: string }[]>`
      WITH asked AS (
        SELECT * FROM ROWS FROM (
          unnest(${column('id')}::uuid[]), unnest(${column('command')}::text[]), unnest(${column('hash')}::text[]),
          unnest(${column('merchant')}::uuid[]), unnest(${column('customer')}::uuid[]),
          unnest(${column('sold')}::text[]), unnest(${column('bought')}::text[]),
          unnest(${column('fromAmount')}::numeric[]), unnest(${column('toAmount')}::numeric[]),
          unnest(${column('quotedPrice')}::numeric[]), unnest(${column('madeAt')}::timestamptz[]),
          unnest(${column('expiresAt')}::timestamptz[]), unnest(${column('mac')}::text[]),
          string_to_table(${lineColumn(profiles)}, E'\\n')
        ) AS asked (quote, command, hash, merchant, customer, sold, bought, from_sum, to_sum, price, made, ends, mac, profile)
      ), new AS MATERIALIZED (
        SELECT * FROM asked
        WHERE pg_try_advisory_xact_lock(hashtextextended(command, 0))
          AND NOT EXISTS (SELECT FROM command_results WHERE command_id = command::uuid)
      ), quote AS (
        INSERT INTO quotes (id, merchant_id, owner_id, customer_id, from_currency, to_currency, from_amount, to_amount,
          quoted_price, priced_at, expires_at, created_at, updated_at, terms_mac)
        SELECT quote, merchant, coalesce(customer, merchant), customer, sold, bought, from_sum, to_sum, price,
          clock_timestamp(), ends, made, made, mac
        FROM new
        RETURNING ${QUOTE_COLUMNS}
      ), shown AS (
        SELECT id, ${QUOTE_VIEW} AS view FROM quote
      )
      INSERT INTO command_results (command_id, merchant_id, input_hash, result)
      SELECT command::uuid, merchant, hash, (view || profile::jsonb)::text FROM shown JOIN new ON quote = id
      RETURNING command_id::text AS command, result`;
    const resultOf = new Map(made.map(({ command, result }) => [command, result]));
    return quotes.map(({ command }) => {
      const result = resultOf.get(command.command_id);
      return result === undefined ? undefined : (JSON.parse(result) as MadeQuoteView);
    });
  });
  return (quote: NewQuote) => unlessOvertaken(make(quote));
}

/** @returns a function that gives undefined, with nothing claimed, for a command that it leaves */
export function claimingQuotes(database: SwapDatabase) {
  const claim = groupedRequests<NewClaim, QuoteRow | undefined>(async (claims) => {
    const now = Date.now();
    const column = columnsOf(
      claims.map(({ command, requestProof, deadline }) => ({
        ...{ command: command.command_id, hash: command.input_hash, shard: command.shard, requestProof },
        ...{ merchant: command.merchant_id, owner: command.customer_id ?? command.merchant_id },
        ...{ sold: command.from_currency, bought: command.to_currency, amount: command.amount },
        ...{ named: command.quote_id ?? null, leftMs: Math.max(0, deadline - now) },
      })),
    );
    // The quote is chosen first and locked then: where the newest one is locked, an older one must not be taken for it.
    const claimed = await database.$queryRaw<QuoteRow[]>`
      WITH asked AS (
        SELECT * FROM unnest(
          ${column('command')}::text[], ${column('hash')}::text[], ${column('shard')}::int[],
          ${column('requestProof')}::text[], ${column('merchant')}::uuid[], ${column('owner')}::uuid[],
          ${column('sold')}::text[], ${column('bought')}::text[], ${column('amount')}::numeric[],
          ${column('named')}::uuid[], ${column('leftMs')}::int[]
        ) AS asked (command, hash, shard, proof, merchant, owner, sold, bought, amount, named, left_ms)
      ), new AS MATERIALIZED (
        SELECT * FROM asked
        WHERE pg_try_advisory_xact_lock(hashtextextended(command, 0))
          AND NOT EXISTS (SELECT FROM command_results WHERE command_id = command::uuid)
          AND NOT EXISTS (SELECT FROM quotes WHERE claim_command_id = command::uuid)
      ), meant AS MATERIALIZED (
        SELECT new.*, quote.id AS quote FROM new CROSS JOIN LATERAL (
          SELECT id FROM quotes
          WHERE owner_id = owner AND merchant_id = merchant AND from_currency = sold AND to_currency = bought
            AND from_amount = amount AND (named IS NULL OR id = named) AND state = 'open' AND expires_at > now()
          ORDER BY priced_at DESC LIMIT 1
        ) AS quote
      ), free AS MATERIALIZED (
        SELECT id AS free_quote FROM quotes WHERE id IN (SELECT quote FROM meant) FOR UPDATE OF quotes SKIP LOCKED
      )
      UPDATE quotes SET state = 'claimed', claim_command_id = command::uuid, claim_input_hash = hash, claim_shard = shard,
        claim_request_proof = proof, claim_attempt = claim_attempt + 1,
        running_until = clock_timestamp() + left_ms * interval '1 millisecond'
      FROM meant JOIN free ON free_quote = quote
      WHERE id = quote AND state = 'open' AND expires_at > clock_timestamp()
      RETURNING ${QUOTE_COLUMNS}`;
    const quoteOf = new Map(claimed.map((quote) => [quote.claim_command_id, quote]));
    return claims.map(({ command }) => quoteOf.get(command.command_id));
  });
  return (asked: NewClaim) => unlessOvertaken(claim(asked));
}

/** @returns a function that gives whether it has settled the claim; where not, nothing is changed */
export function settlingQuotes(database: SwapDatabase) {
  return groupedRequests<PostedClaim, boolean>(async (claims) => {
    const column = columnsOf(
      claims.map(({ quote, command }) => ({
        ...{ quote: quote.id, command: command.command_id, hash: command.input_hash, merchant: command.merchant_id },
      })),
    );
    const results = lineColumn(claims.map(({ result }) => JSON.stringify(result)));
    const kept = await database.$queryRaw<{ command: string }[]>`
      WITH posted AS (
        SELECT * FROM ROWS FROM (
          unnest(${column('quote')}::uuid[]), unnest(${column('command')}::uuid[]), unnest(${column('hash')}::text[]),
          unnest(${column('merchant')}::uuid[]), string_to_table(${results}, E'\\n')
        ) AS posted (quote, command, hash, merchant, swap)
      ), locked AS MATERIALIZED (
        SELECT id AS locked_quote FROM quotes WHERE id IN (SELECT quote FROM posted) ORDER BY id FOR UPDATE OF quotes
      ), kept AS (
        INSERT INTO command_results (command_id, merchant_id, input_hash, result)
        SELECT command, merchant, hash, swap FROM posted JOIN locked ON locked_quote = quote
        ON CONFLICT (command_id) DO NOTHING
        RETURNING command_id
      ), used AS (
        UPDATE quotes SET state = 'used', updated_at = CASE state WHEN 'used' THEN updated_at ELSE clock_timestamp() END
        FROM posted JOIN kept ON command_id = command WHERE id = quote
      )
      SELECT command_id::text AS command FROM kept`;
    const settled = new Set(kept.map(({ command }) => command));
    return claims.map(({ command }) => settled.has(command.command_id));
  });
}

/** Another instance has done the same command while the statement ran. */
async function unlessOvertaken<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work;
  } catch (error) {
    if (databaseFailure(error).kind === 'constraint') return undefined;
    throw error;
  }
}
