import { Injectable } from '@nestjs/common';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { SignedText } from '@stablecoin/command-proofs/command-mac';
import { signEvidence } from '@stablecoin/command-proofs/evidence';
import { PostSwap } from '@stablecoin/contracts/wallet/post-swap';
import { SwapPricingConfiguration } from '../swap-pricing.configuration';

/** Signs the terms of a quote for the ledger, which takes no swap without them. */
@Injectable()
export class SignedQuotes {
  constructor(
    private readonly secret: CallerSecret,
    private readonly configuration: SwapPricingConfiguration,
  ) {}

  evidence({ quoted_price: price, customer_id = null, ...swap }: PostSwap): SignedText {
    const { merchant_id, swap_id, from_currency, to_currency, from_amount, to_amount, valid_until } = swap;
    const rates = this.configuration.rateSourceUrl ? 'market' : 'static';
    return signEvidence(this.secret, {
      type: 'quote',
      ...{ merchant_id, customer_id, swap_id, from_currency, to_currency, from_amount, to_amount, price },
      ...{ rates, valid_until },
    });
  }
}
