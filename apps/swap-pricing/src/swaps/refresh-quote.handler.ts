import { RefreshQuote, refreshQuote } from '@stablecoin/contracts/swap/refresh-quote';
import { MadeQuoteView } from '@stablecoin/contracts/swap/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal, findResult, takeEffectOnce } from '@stablecoin/persistence/command-log';
import { Sql } from '@stablecoin/persistence/sql';
import { Prisma } from '../persistence/generated/client';
import { SwapDatabase, SwapTransaction } from '../persistence/swap-database';
import { isSameExchange, QUOTE_COLUMNS, QuoteRow, madeQuoteView } from '../quotes/quote-row';
import { promisedTerms } from '../quotes/quote-statements';
import { QuoteTerms, termsOf } from '../quotes/quote-terms';
import { TermsMac } from '../quotes/terms-mac';
import { SwapExecution } from './swap-execution';
import { RateSource } from '../rates/rate-source';
import { SwapPricingConfiguration } from '../swap-pricing.configuration';

/**
 * A new price and expiry under the same id. While a command executes the quote, this waits for it or finds out its
 * unknown outcome first: the terms must not change while the ledger may still post them.
 */
@Handles(refreshQuote)
export class RefreshQuoteHandler {
  constructor(
    private readonly database: SwapDatabase,
    private readonly rates: RateSource,
    private readonly execution: SwapExecution,
    private readonly configuration: SwapPricingConfiguration,
    private readonly mac: TermsMac,
  ) {}

  async execute(command: RefreshQuote): Promise<CommandReply<MadeQuoteView>> {
    const stored = await asRefusal(() => findResult<MadeQuoteView>(this.database, command));
    if (stored) return { result: stored.result, replayed: true };
    const { from_currency: from, to_currency: to, from_amount: amount } = command;
    const quote = await this.execution.untilUnclaimed(() => this.find(this.database, command));
    assertRefreshable(quote, command);
    const { spreadBasisPoints } = this.configuration;
    const book = await this.rates.currentBook(command.key_mode);
    const terms = termsOf({ from, to, amount, price: book.priceOf(from, to), spreadBasisPoints }, 'from_amount');
    return takeEffectOnce(this.database.sql, command, (transaction) => this.renew(transaction, command, terms));
  }

  private async renew(transaction: SwapTransaction, command: RefreshQuote, terms: QuoteTerms): Promise<MadeQuoteView> {
    const quote = await this.find(transaction, command, Prisma.sql`FOR UPDATE`);
    assertRefreshable(quote, command);
    // Another command has just claimed it: a retry finds its outcome.
    if (quote.state === 'claimed') throw new Refusal('unavailable');
    const expiresAt = new Date(Date.now() + this.configuration.quoteTtlMs);
    const mac = this.mac.of(promisedTerms(quote.id, command, terms, expiresAt));
    const [row] = await transaction.$queryRaw<QuoteRow[]>`
      UPDATE quotes SET to_amount = ${terms.toAmount}::numeric, quoted_price = ${terms.quotedPrice}::numeric,
        priced_at = moment, expires_at = ${expiresAt}, updated_at = moment, terms_mac = ${mac}
      FROM clock_timestamp() AS moment WHERE id = ${command.swap_id}::uuid
      RETURNING ${QUOTE_COLUMNS}`;
    return madeQuoteView(row as QuoteRow, command);
  }

  private async find(sql: Sql, command: RefreshQuote, lock: Prisma.Sql = Prisma.empty): Promise<QuoteRow | undefined> {
    const [row] = await sql.$queryRaw<QuoteRow[]>`
      SELECT ${QUOTE_COLUMNS} FROM quotes
      WHERE id = ${command.swap_id}::uuid AND merchant_id = ${command.merchant_id}::uuid
        AND owner_id = ${command.customer_id ?? command.merchant_id}::uuid ${lock}`;
    return row;
  }
}

function assertRefreshable(quote: QuoteRow | undefined, command: RefreshQuote): asserts quote is QuoteRow {
  if (!quote) throw new Refusal('not_found');
  if (command.objection) throw new Refusal(command.objection);
  if (quote.state === 'used') throw new Refusal('quote_used');
  if (!isSameExchange(quote, { ...command, amount: command.from_amount })) throw new Refusal('quote_mismatch');
}
