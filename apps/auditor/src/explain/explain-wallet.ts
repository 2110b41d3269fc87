/**
 * Explains a wallet's balance by its events: the change of each, its transaction, and the quote or payout behind that.
 * Reads only the log, and adds the balance up again.
 */
import { OpenedTransaction, RecordedEvent } from '@stablecoin/ledger-domain/events';
import { EventRow, recordedEvent } from '@stablecoin/ledger-store/event-rows';
import { eventsOfAccount, openingsOf, walletOrigin } from '@stablecoin/ledger-store/history';
import { Currency } from '@stablecoin/money/currency';
import { Money } from '@stablecoin/money/money';
import { Sql } from '@stablecoin/persistence/sql';
import { AuditFailure, EXIT, Report, table } from '../report/report';
import { eventText } from './explain';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const MOST_EVENTS = 1_000;

/** @param limit how many of the newest events are shown */
export async function walletReport(sql: Sql, wallet: string, limit: number): Promise<Report> {
  const walletId = wallet.toLowerCase();
  if (!UUID.test(walletId)) throw new AuditFailure('--wallet takes the id of a wallet, a UUID.');
  const origin = await walletOrigin(sql, walletId);
  if (!origin) throw new AuditFailure(`The log knows no wallet ${walletId}: check the id.`, EXIT.finding);
  const rows = await eventsOfAccount(sql, walletId, Math.min(limit, MOST_EVENTS));
  const events = rows.map(({ body }) => recordedEvent(body));
  const openings = await openingsOf(
    sql,
    events.flatMap(({ event }) => ('transaction' in event ? event.transaction : [])),
  );
  const { opening, closing, fault } = addedUp(events, origin.currency);
  const lines = rows.map((row) => lineOf(row, openings));
  const title = `Wallet ${walletId} of merchant ${origin.merchant_id}, shard ${origin.shard}`;
  const text = [
    title,
    `${opening} ${origin.currency} before the first event shown`,
    '',
    table([HEADINGS, ...lines.map((line) => Object.values(line).map((value) => String(value ?? '')))]),
    '',
    fault ?? `${closing} ${origin.currency}: the sum of the above`,
  ].join('\n');
  const json = { wallet_id: walletId, currency: origin.currency, opening, balance: closing, fault, events: lines };
  return { ok: fault === null, json, text };
}

/** Each event's balance must be the one before, less its debit or plus its credit. */
function addedUp(events: readonly RecordedEvent[], currency: Currency) {
  let running: Money | undefined;
  let opening = Money.zero(currency);
  for (const { event, position } of events) {
    if (!('balance_after' in event)) continue;
    const after = Money.parseSigned(currency, event.balance_after);
    const change = changeOf(event, currency);
    if (running === undefined) opening = after.plus(change.negated());
    else if (!running.plus(change).equals(after)) {
      const sum = `${running.toString()} and ${change.toString()} are not ${after.toString()}`;
      const fault = `Position ${position} does not add up: ${sum}`;
      return { opening: opening.toString(), closing: after.toString(), fault };
    }
    running = after;
  }
  return { opening: opening.toString(), closing: (running ?? opening).toString(), fault: null };
}

function changeOf(event: RecordedEvent['event'], currency: Currency): Money {
  if (event.type === 'CreditPosted') return Money.parseSigned(currency, event.amount);
  if (event.type === 'DebitPosted') return Money.parseSigned(currency, event.amount).negated();
  return Money.zero(currency);
}

const HEADINGS = ['POSITION', 'RECORDED', 'MOVEMENT', 'EVENT', 'BALANCE AFTER', 'TRANSACTION', 'BEHIND IT', 'HASH'];

function lineOf(row: EventRow, openings: ReadonlyMap<string, OpenedTransaction>) {
  const { position, recorded_at, movement, event } = recordedEvent(row.body);
  const opened = 'transaction' in event ? openings.get(event.transaction) : undefined;
  return {
    position,
    recorded_at,
    movement,
    event: eventText(event),
    balance_after: 'balance_after' in event ? event.balance_after : null,
    transaction_id: opened?.transaction_id ?? null,
    behind: opened ? behind(opened) : null,
    hash: row.hash.toString('hex'),
  };
}

function behind({ transaction_type, reference_id, id }: OpenedTransaction): string {
  if (transaction_type === 'INTERNAL TRANSFER') return `quote ${reference_id}`;
  return transaction_type === 'PAYOUT' ? `payout ${id}` : `deposit ${reference_id}`;
}
