import { Handles } from '@stablecoin/messaging/handles';
import { randomUUID } from 'node:crypto';
import { CreateQuote, createQuote } from '@stablecoin/contracts/swap/create-quote';
import { MadeQuoteView } from '@stablecoin/contracts/swap/views';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { asRefusal, findResult, takeEffectOnce } from '@stablecoin/persistence/command-log';
import { RunningCommands } from '../persistence/running-commands';
import { SwapDatabase, SwapTransaction } from '../persistence/swap-database';
import { QUOTE_COLUMNS, QuoteRow, madeQuoteView } from './quote-row';
import { makingQuotes, promisedTerms } from './quote-statements';
import { QuoteTerms, termsOf } from './quote-terms';
import { TermsMac } from './terms-mac';
import { RateSource } from '../rates/rate-source';
import { SwapPricingConfiguration } from '../swap-pricing.configuration';

@Handles(createQuote)
export class CreateQuoteHandler {
  private readonly running = new RunningCommands();
  private readonly make;

  constructor(
    private readonly database: SwapDatabase,
    private readonly rates: RateSource,
    private readonly configuration: SwapPricingConfiguration,
    private readonly mac: TermsMac,
  ) {
    this.make = makingQuotes(database, mac, configuration.quoteTtlMs);
  }

  execute(command: CreateQuote): Promise<CommandReply<MadeQuoteView>> {
    return this.running.once(command.command_id, () => this.run(command));
  }

  private async run(command: CreateQuote): Promise<CommandReply<MadeQuoteView>> {
    const terms = await this.terms(command).catch((refusal: unknown) => ({ refusal }));
    if ('refusal' in terms) {
      // A command that took effect keeps its result, also when today's prices or the customer's state would refuse it.
      const stored = await asRefusal(() => findResult<MadeQuoteView>(this.database, command));
      if (stored) return { result: stored.result, replayed: true };
      throw terms.refusal;
    }
    const made = await asRefusal(() => this.make({ id: randomUUID(), command, terms, madeAt: new Date() }));
    if (made) return { result: made, replayed: false };
    return takeEffectOnce(this.database.sql, command, (transaction) => this.insert(transaction, command, terms));
  }

  private async terms(command: CreateQuote): Promise<QuoteTerms> {
    const { from_currency: from, to_currency: to, amount, objection, key_mode } = command;
    if (objection) throw new Refusal(objection);
    if (from === to) throw new Refusal('unsupported_pair');
    const { spreadBasisPoints } = this.configuration;
    const book = await this.rates.currentBook(key_mode);
    return termsOf({ from, to, amount, price: book.priceOf(from, to), spreadBasisPoints }, 'amount');
  }

  private async insert(transaction: SwapTransaction, command: CreateQuote, terms: QuoteTerms): Promise<MadeQuoteView> {
    const [id, customerId, madeAt] = [randomUUID(), command.customer_id ?? null, new Date()];
    // Its times by the service's clock, as its end is in the MAC; the order of quotes by the exact time.
    const expiresAt = new Date(madeAt.getTime() + this.configuration.quoteTtlMs);
    const mac = this.mac.of(promisedTerms(id, command, terms, expiresAt));
    const [row] = await transaction.$queryRaw<QuoteRow[]>`
      INSERT INTO quotes (id, merchant_id, owner_id, customer_id, from_currency, to_currency, from_amount, to_amount,
        quoted_price, priced_at, expires_at, created_at, updated_at, terms_mac)
      VALUES (${id}::uuid, ${command.merchant_id}::uuid, ${customerId ?? command.merchant_id}::uuid,
        ${customerId}::uuid, ${command.from_currency}, ${command.to_currency}, ${terms.fromAmount}::numeric,
        ${terms.toAmount}::numeric, ${terms.quotedPrice}::numeric, clock_timestamp(), ${expiresAt}, ${madeAt}, ${madeAt}, ${mac})
      RETURNING ${QUOTE_COLUMNS}`;
    return madeQuoteView(row as QuoteRow, command);
  }
}
