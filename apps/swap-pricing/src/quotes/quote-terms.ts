import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { isAmount } from '@stablecoin/contracts/wire/fields/amount';
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { applySpread, convert } from '@stablecoin/money/price';

export interface QuoteTerms {
  fromAmount: string;
  toAmount: string;
  quotedPrice: string;
}

/**
 * The terms that a quote promises its owner: the price less our spread, as it is printed, and the amount at exactly
 * that price, rounded down to the precision of the target currency.
 *
 * @param field the request's name for the amount, for an amount beyond what the other currency can carry
 */
export function termsOf(
  offer: { from: Currency; to: Currency; amount: string; price: string; spreadBasisPoints: number },
  field: 'amount' | 'from_amount',
): QuoteTerms {
  const fromAmount = Money.parse(offer.from, offer.amount);
  const quotedPrice = applySpread(offer.price, offer.spreadBasisPoints);
  const toAmount = convert(fromAmount, quotedPrice, offer.to, 'currency');
  if (toAmount.isZero()) throw new Refusal('amount_too_small');
  if (!isAmount(toAmount.toString()))
    throw Refusal.ofField(field, 'invalid_amount', 'is too large in the other currency');
  return { fromAmount: fromAmount.toString(), toAmount: toAmount.toString(), quotedPrice };
}
