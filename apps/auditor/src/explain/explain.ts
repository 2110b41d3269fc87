/** The events behind one transaction, in the order of the log, with the hashes that prove them. */
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { EventRow, recordedEvent } from '@stablecoin/ledger-store/event-rows';
import { eventsOfTransaction } from '@stablecoin/ledger-store/history';
import { Sql } from '@stablecoin/persistence/sql';
import { AuditFailure, EXIT, Report, table } from '../report/report';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const CODE = /^[A-Z0-9]{10}$/;

export async function explainReport(sql: Sql, reference: string): Promise<Report> {
  const id = await transactionIdOf(sql, reference);
  const rows = id === undefined ? [] : await eventsOfTransaction(sql, id);
  const opened = rows.map((row) => openedBy(recordedEvent(row.body))).find((opens) => opens !== undefined);
  if (!opened) throw new AuditFailure(`The log knows no transaction ${reference}: check the id.`, EXIT.finding);
  if (CODE.test(reference) && opened.transaction_id !== reference) {
    throw new AuditFailure(
      `The table transactions lies about ${reference}: run npm run audit -- verify.`,
      EXIT.finding,
    );
  }
  const json = { id, transaction_id: opened.transaction_id, events: rows.map(explained) };
  const { transaction_type, transaction_mode, amount, currency } = opened;
  const title = `${opened.transaction_id}  ${id}\n${transaction_type} ${transaction_mode} ${amount} ${currency}`;
  return { ok: true, json, text: `${title}\n\n${table([HEADINGS, ...rows.map(readable)])}` };
}

/** Looks a code up in the table `transactions`; the caller then checks it against the log. */
export async function transactionIdOf(sql: Sql, reference: string): Promise<string | undefined> {
  if (UUID.test(reference.toLowerCase())) return reference.toLowerCase();
  if (!CODE.test(reference))
    throw new AuditFailure('It takes a transaction_id (10 characters A–Z 0–9) or the id, a UUID.');
  const [row] = await sql.$queryRaw<
    { id: string }[]
  >`SELECT id::text FROM transactions WHERE transaction_id = ${reference}`;
  return row?.id;
}

const openedBy = ({ event }: RecordedEvent) => ('opens' in event ? event.opens : undefined);

function explained(row: EventRow) {
  const { movement, command_id, recorded_at, group, event } = recordedEvent(row.body);
  return {
    shard: row.shard,
    position: row.position,
    group,
    movement,
    recorded_at,
    command_id,
    hash: row.hash.toString('hex'),
    event,
  };
}

const HEADINGS = ['SHARD', 'POSITION', 'RECORDED', 'MOVEMENT', 'EVENT', 'ACCOUNT', 'BALANCE AFTER', 'COMMAND', 'HASH'];

function readable(row: EventRow): string[] {
  const { recorded_at, movement, command_id, event } = recordedEvent(row.body);
  const account = 'account_id' in event ? event.account_id : '';
  const balance = 'balance_after' in event ? event.balance_after : '';
  const place = [String(row.shard), String(row.position), recorded_at, movement];
  return [...place, eventText(event), account, balance, command_id, row.hash.toString('hex')];
}

export function eventText(event: RecordedEvent['event']): string {
  switch (event.type) {
    case 'DebitPosted':
      return `debit ${event.amount} ${event.currency}`;
    case 'CreditPosted':
      return `credit ${event.amount} ${event.currency}`;
    case 'TransactionStatusChanged':
      return `${event.from ?? 'new'} → ${event.to}`;
    case 'WalletOpened':
    case 'DepositAddressAdded':
    case 'CustomerClosed':
    case 'PolicyChanged':
    case 'PolicyApplied':
    case 'PayoutApproved':
    case 'PayoutReleased':
    case 'PayoutRejected':
      return event.type;
  }
}
