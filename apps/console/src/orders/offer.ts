/** What would happen, as the back office says it, and whether that is what the passkey would sign. */
import { type Order, orderText } from '@stablecoin/command-proofs/order';
import type { Schema } from '../api/client';
import { Refusal } from '../api/refusal';
import { sha256, toHex } from '../proof/bytes';
import { challengeIs } from '../session/challenge';
import { responseTo } from '../session/passkeys';

export type Offer = Schema<'Offer'> & { terms: Schema<'PayoutOrder'> | Schema<'SwapOrder'> };

/** A challenge for anything else than what is shown is never given to the passkey. */
export async function signatureOf(offer: Offer): Promise<Record<string, unknown>> {
  if (!(await isOfItsTerms(offer))) {
    const message = 'What would be signed is not what you were shown. Nothing was sent: tell your operator.';
    throw new Refusal(-1, 'another_challenge', message, null);
  }
  return responseTo(offer.options);
}

/** The page hashes what it shows. */
export async function isOfItsTerms({
  terms,
  hash,
  options,
}: Pick<Offer, 'terms' | 'hash' | 'options'>): Promise<boolean> {
  const computed = toHex(await sha256(orderText(terms as unknown as Order)));
  return computed === hash && challengeIs(options['challenge'], computed);
}
