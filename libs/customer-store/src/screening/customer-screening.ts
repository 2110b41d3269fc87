/**
 * Screens customers by their own names, and the owners of businesses by theirs: when one is registered, when a name changes, and
 * against each list that is loaded later.
 *
 * | when                  | a hit                                                                        | in the commit of    |
 * |-----------------------|------------------------------------------------------------------------------|---------------------|
 * | registered, renamed   | opens a case; its KYC is under review, also where the sandbox would approve   | the command         |
 * | a list is loaded      | the same, and the merchant's webhooks say it                                  | a batch of the past |
 * | a case is released    | none: a person may approve the customer again                                 | the decision        |
 * | a case is rejected    | its KYC is rejected, and it is approved no more                               | the decision        |
 *
 * While a case is open or rejected the database takes no approval. No registration is refused, which would tell a merchant what the
 * lists have. Without a list nothing waits here: a live merchant's money does, and the first list is held against every customer.
 */
import { KycStatus } from '@stablecoin/contracts/customer/views';
import { Sql } from '@stablecoin/persistence/sql';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { Transaction } from '../customer-database';
import { customerEvent, CustomerOfEvent } from '../events/customer-event';
import { recordEvents } from '../events/record-events';
import {
  CaseDecision,
  casesOf,
  entriesWith,
  FoundHits,
  keysOf,
  listsText,
  openCase,
  partyField,
} from './screening-hits';
import { currentLists, SHARED_LISTS } from './screening-lists';

export interface CustomerToScreen {
  id: string;
  merchant_id: string;
  names: readonly string[];
  seal: OwnerSeal;
}

/** @returns whether a case stands against the customer, whose row is locked or new */
export async function screenCustomer(
  sql: Transaction,
  { id, merchant_id, names, seal }: CustomerToScreen,
  { openedBy, now }: Pick<FoundHits, 'openedBy' | 'now'>,
): Promise<boolean> {
  await sql.$queryRaw(SHARED_LISTS);
  const lists = await currentLists(sql);
  await sql.$executeRaw`
    INSERT INTO screenings (id, movement, merchant_id, customer_id, sealed_party, decision, lists, screened_at)
    VALUES (${id}::uuid, 'customer', ${merchant_id}::uuid, ${id}::uuid, ${seal.seal(partyField(id), { names })}, 'clear',
      ${listsText(lists)}, ${now})
    ON CONFLICT (id) DO UPDATE SET sealed_party = excluded.sealed_party, lists = excluded.lists, screened_at = excluded.screened_at`;
  const before = await casesOf(sql, id);
  const keys = keysOf({ names });
  const found = await entriesWith(sql, lists, keys);
  const hits = keys.flatMap((key) => found.get(key) ?? []);
  const opened = await openCase(sql, { id, before, hits, seal, openedBy, now });
  if (opened) await keepDecision(sql, id);
  return opened || before.some(({ state }) => state !== 'released');
}

/** In one order, before all else that a transaction locks. */
export async function lockCustomers(sql: Sql, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql.$queryRaw`SELECT 1 FROM customers WHERE id = ANY (${[...ids]}::uuid[]) ORDER BY id FOR UPDATE`;
}

/** A customer that was rejected stays so, and one that is closed is approved for nothing any more. */
export const putBackToReview = (sql: Transaction, id: string, now: Date): Promise<void> =>
  changeKycStatus(sql, id, ['not_started', 'approved'], { status: 'under_review', now });

/** What follows from the decision of one of its cases. */
export async function decideCustomer(sql: Transaction, id: string, decision: CaseDecision, now: Date): Promise<void> {
  await keepDecision(sql, id);
  const before: KycStatus[] = ['not_started', 'under_review', 'approved'];
  if (decision === 'rejected') await changeKycStatus(sql, id, before, { status: 'rejected', now });
}

/** What follows from the cases of a customer: one that was rejected outweighs all others. */
export async function keepDecision(sql: Sql, id: string): Promise<void> {
  await sql.$executeRaw`
    UPDATE screenings SET decision = (
      SELECT CASE WHEN bool_or(state = 'rejected') THEN 'rejected' WHEN bool_or(state = 'open') THEN 'held' ELSE 'released' END
      FROM screening_cases WHERE screening_id = screenings.id
    ) WHERE id = ${id}::uuid`;
}

/** The lists by which a customer was screened, and whether one of its cases forbids an approval. */
export async function screeningOfCustomer(sql: Sql, id: string): Promise<{ lists: string[]; isHeld: boolean }> {
  const [row] = await sql.$queryRaw<{ lists: string; is_held: boolean }[]>`
    SELECT lists, EXISTS (
      SELECT FROM screening_cases WHERE screening_id = screenings.id AND state <> 'released'
    ) AS is_held FROM screenings WHERE id = ${id}::uuid`;
  const lists = JSON.parse(row?.lists ?? '[]') as { sha256: string }[];
  return { lists: lists.map(({ sha256 }) => sha256), isHeld: row?.is_held ?? false };
}

async function changeKycStatus(
  sql: Transaction,
  id: string,
  from: readonly KycStatus[],
  { status, now }: { status: KycStatus; now: Date },
): Promise<void> {
  const changed = await sql.$queryRaw<CustomerOfEvent[]>`
    UPDATE customers SET kyc_status = ${status}, event_sequence = event_sequence + 1, updated_at = ${now}
    WHERE id = ${id}::uuid AND status <> 'closed' AND kyc_status = ANY (${[...from]}::text[])
    RETURNING id, merchant_id, customer_type, status, kyc_status, event_sequence, created_at, updated_at`;
  await recordEvents(
    sql,
    changed.map((customer) => customerEvent('customer.updated', customer)),
  );
}
