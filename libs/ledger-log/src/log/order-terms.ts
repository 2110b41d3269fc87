/** Which terms of a person's order are what was booked, by their names. */
import { PayoutOrder, SwapOrder } from '@stablecoin/command-proofs/order';
import { LedgerEvent, OpenedTransaction, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { CLOCKS_MS, isAmountOf } from './term-values';

/** An order that was sent in time may arrive a little later. */
const ORDER_GRACE_MS = 10_000;

type Terms = Record<string, boolean>;

export function payoutOrderTerms(
  stated: PayoutOrder,
  first: RecordedEvent,
  events: readonly LedgerEvent[],
  opens: OpenedTransaction | undefined,
): Terms {
  const applied = events.find((event) => event.type === 'PolicyApplied');
  const judged = events.flatMap((event) => (event.type === 'DebitPosted' && event.judged ? [event.judged] : []));
  const destinations = [...judged, ...(applied ? [applied] : [])].map(({ destination }) => destination);
  const creator = applied?.created_by;
  return {
    ...orderedBy(stated, first),
    command_id: stated.command_id === first.command_id,
    amount: isAmountOf(opens, stated.currency, stated.amount),
    fee: stated.fee === (opens?.fee ?? null),
    exchange_rate: stated.exchange_rate === opens?.exchange_rate,
    recipient_currency: stated.recipient_currency === (opens?.recipient_currency ?? null),
    network: stated.network === (opens?.network ?? null),
    bank_code: stated.bank_code === (opens?.bank_code ?? null),
    sealed_destination: stated.sealed_destination === opens?.sealed_destination,
    destination_hash: destinations.every((destination) => destination === stated.destination_hash),
    signer: !creator || (creator.key_id === stated.key_id && creator.signer_id === stated.signer_id),
    // In clear only versions before wrote it, for no person.
    recipient: opens?.bank_name === undefined && opens?.recipient_country === undefined,
  };
}

export function swapOrderTerms(
  stated: SwapOrder,
  first: RecordedEvent,
  sold: OpenedTransaction | undefined,
  bought: OpenedTransaction | undefined,
): Terms {
  return {
    ...orderedBy(stated, first),
    swap_id: stated.swap_id === sold?.reference_id && stated.swap_id === bought?.reference_id,
    from: isAmountOf(sold, stated.from_currency, stated.from_amount),
    to: isAmountOf(bought, stated.to_currency, stated.to_amount),
    price: stated.price === sold?.exchange_rate,
  };
}

const orderedBy = (stated: PayoutOrder | SwapOrder, { customer_id, recorded_at, asked_by }: RecordedEvent): Terms => ({
  customer_id: stated.customer_id === customer_id,
  mode: stated.mode === asked_by?.mode,
  valid_until: Date.parse(recorded_at) <= Date.parse(stated.valid_until) + ORDER_GRACE_MS + CLOCKS_MS,
});
