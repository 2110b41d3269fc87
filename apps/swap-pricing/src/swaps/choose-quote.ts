import { ExecuteSwapTerms } from '@stablecoin/contracts/swap/execute-swap';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Sql } from '@stablecoin/persistence/sql';
import { isSameExchange, QUOTE_COLUMNS, QuoteRow } from '../quotes/quote-row';
import { TermsMac } from '../quotes/terms-mac';

/**
 * The quote that a command means: the one it names, if it is this owner's. Without a name, of the owner's quotes for
 * this pair and amount, the most recently priced open one, else one that is being executed, else the newest.
 */
export async function findQuote(sql: Sql, command: ExecuteSwapTerms): Promise<QuoteRow | undefined> {
  const ownerId = command.customer_id ?? command.merchant_id;
  if (command.quote_id) {
    const [named] = await sql.$queryRaw<QuoteRow[]>`
      SELECT ${QUOTE_COLUMNS} FROM quotes
      WHERE id = ${command.quote_id}::uuid AND merchant_id = ${command.merchant_id}::uuid
        AND owner_id = ${ownerId}::uuid`;
    return named;
  }
  // `now()` and not the clock: Postgres uses an index only with a value that stays the same during a statement.
  const [unexpired] = await sql.$queryRaw<QuoteRow[]>`
    SELECT ${QUOTE_COLUMNS} FROM quotes
    WHERE owner_id = ${ownerId}::uuid AND merchant_id = ${command.merchant_id}::uuid
      AND from_currency = ${command.from_currency} AND to_currency = ${command.to_currency}
      AND from_amount = ${command.amount}::numeric AND state <> 'used' AND expires_at > now()
    ORDER BY state = 'open' DESC, priced_at DESC LIMIT 1`;
  if (unexpired) return unexpired;
  const [newest] = await sql.$queryRaw<QuoteRow[]>`
    SELECT ${QUOTE_COLUMNS} FROM quotes
    WHERE owner_id = ${ownerId}::uuid AND merchant_id = ${command.merchant_id}::uuid
      AND from_currency = ${command.from_currency} AND to_currency = ${command.to_currency}
      AND from_amount = ${command.amount}::numeric
    ORDER BY priced_at DESC LIMIT 1`;
  return newest;
}

/** What to do with the quote that was found: execute it, or first find out its outcome. Refusals in their order. */
export function judgeQuote(
  quote: QuoteRow | undefined,
  command: ExecuteSwapTerms,
  mac: Pick<TermsMac, 'fits'>,
): { quote: QuoteRow; next: 'claim' | 'await' } {
  if (!quote && command.quote_id) throw new Refusal('not_found');
  if (command.from_currency === command.to_currency) throw new Refusal('unsupported_pair');
  if (!quote) throw new Refusal('quote_required');
  if (!isSameExchange(quote, command)) throw new Refusal('quote_mismatch');
  if (quote.state === 'used') throw new Refusal('quote_used');
  if (quote.state === 'claimed') return { quote, next: 'await' };
  if (quote.expired || !mac.fits(quote)) throw new Refusal('quote_expired');
  return { quote, next: 'claim' };
}
