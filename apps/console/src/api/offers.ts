/**
 * What the back office answers so far, as index.html names it. What it does not answer yet has no route, no place in the
 * navigation and no button: a person never meets a screen that can't work.
 */

export const OFFERS = [
  'transactions',
  'proof',
  'wallets',
  'approvals',
  'webhooks',
  'members',
  'passkeys',
  'live',
] as const;
export type Offer = (typeof OFFERS)[number];
export type Offers = ReadonlySet<Offer>;

/** @throws Error for a name that is none: a slip would hide a screen without a word */
export function offersOf(text: string): Offers {
  const names = text.split(' ').filter((name) => name !== '');
  return new Set(
    names.map((name) => {
      const offer = OFFERS.find((known) => known === name);
      if (offer === undefined) throw new Error(`index.html offers ${name}, which the console does not have`);
      return offer;
    }),
  );
}

let offered: Offers | undefined;

/** Of this page. */
export function offers(): Offers {
  offered ??= offersOf(document.querySelector<HTMLMetaElement>('meta[name=console-offers]')?.content ?? '');
  return offered;
}
