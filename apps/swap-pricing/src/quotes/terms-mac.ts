/**
 * What is swapped is what the service has promised, not what a row of its table says: a quote carries a MAC over its terms and the time
 * of its end, by a key that is in no database. Who has the service's database login can change or write a quote, and it is executed no
 * more. Quotes of the version before have none: they are executed for a day after the migration (`quotes_without_mac`).
 */
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Money } from '@stablecoin/money/money';
import { SwapPricingConfiguration } from '../swap-pricing.configuration';
import { QuoteRow } from './quote-row';

const INFO = 'stablecoin/quote-terms/v1';

export type PromisedTerms = Pick<
  QuoteRow,
  | 'id'
  | 'merchant_id'
  | 'customer_id'
  | 'from_currency'
  | 'to_currency'
  | 'from_amount'
  | 'to_amount'
  | 'quoted_price'
  | 'expires_at'
>;

@Injectable()
export class TermsMac {
  private readonly log = new Logger(TermsMac.name);
  private readonly key: Buffer;

  constructor({ commandKey }: SwapPricingConfiguration) {
    this.key = Buffer.from(hkdfSync('sha256', commandKey, '', INFO, 32));
  }

  /** Base64. */
  of(terms: PromisedTerms): string {
    return this.mac(terms).toString('base64');
  }

  /** Whether the service has promised what the row says. */
  fits(quote: QuoteRow): boolean {
    if (quote.may_lack_mac) return true;
    const [given, expected] = [Buffer.from(quote.terms_mac ?? '', 'base64'), this.mac(quote)];
    if (given.length === expected.length && timingSafeEqual(given, expected)) return true;
    this.log.error(`quote ${quote.id} says what was not promised, or by another COMMAND_KEY: it is not executed`);
    return false;
  }

  private mac(terms: PromisedTerms): Buffer {
    return createHmac('sha256', this.key).update(textOf(terms)).digest();
  }
}

/** Unambiguous, and the same for what was computed and for a row: amounts have eight decimals, ids small letters. */
function textOf(terms: PromisedTerms): string {
  const { id, merchant_id, customer_id, from_currency, to_currency, quoted_price, expires_at } = terms;
  return JSON.stringify([
    ...[id, merchant_id, customer_id].map((owner) => owner?.toLowerCase() ?? null),
    ...[from_currency, Money.parseSigned(from_currency, terms.from_amount).toString()],
    ...[to_currency, Money.parseSigned(to_currency, terms.to_amount).toString()],
    ...[quoted_price, expires_at.toISOString()],
  ]);
}
