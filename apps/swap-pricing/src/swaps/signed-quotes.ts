import { Injectable } from '@nestjs/common';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { SignedText } from '@stablecoin/command-proofs/command-mac';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { PostSwap } from '@stablecoin/contracts/wallet/post-swap';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { QuoteRow } from '../quotes/quote-row';
import { TermsMac } from '../quotes/terms-mac';
import { SwapPricingConfiguration } from '../swap-pricing.configuration';

/** After its expiry, whatever the clock of the ledger says. */
const SURELY_OVER_MS = 10 * 60_000;

/** Signs the terms of a quote for the ledger, which takes no swap without them. */
@Injectable()
export class SignedQuotes {
  constructor(
    private readonly secret: CallerSecret,
    private readonly configuration: SwapPricingConfiguration,
    private readonly mac: TermsMac,
  ) {}

  /**
   * Once the ledger posts nothing under the quote any more, an earlier attempt's end is asked for under any terms.
   *
   * @throws Refusal `unavailable` for terms that the service has not promised
   */
  evidence(quote: QuoteRow, command: PostSwap): SignedText {
    const isOver = quote.expires_at.getTime() + SURELY_OVER_MS < Date.now();
    if (!isOver && !this.mac.fits(quote)) throw new Refusal('unavailable');
    return this.signed(command);
  }

  private signed({ quoted_price: price, customer_id = null, ...swap }: PostSwap): SignedText {
    const { merchant_id, swap_id, from_currency, to_currency, from_amount, to_amount, valid_until } = swap;
    const rates = this.configuration.rateSourceUrl ? 'market' : 'static';
    return signEvidence(this.secret, {
      type: 'quote',
      ...{ merchant_id, customer_id, swap_id, from_currency, to_currency, from_amount, to_amount, price },
      ...{ rates, valid_until },
    });
  }
}
