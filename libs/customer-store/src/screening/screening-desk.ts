/**
 * Screens movements before money leaves or is credited, opens cases for hits, and keeps what was decided. Customers' own names are
 * in customer-screening.ts; cases and the past are of both.
 *
 * | decision   | of a movement that                                                          | it goes on |
 * |------------|-----------------------------------------------------------------------------|------------|
 * | `clear`    | no list has an entry of                                                     | yes        |
 * | `held`     | has a case that waits for a decision                                        | no         |
 * | `released` | has cases, of which each was released                                       | yes        |
 * | `rejected` | has a case that was rejected                                                | never      |
 * | `unlisted` | needs a list that is missing, or older than its limit; it is kept as `held` | no         |
 *
 * A hit is the entry of a list, by the names of both: what was decided once counts for the next version of the list too. The party and
 * its hits are sealed with the owner's data key, so that an erasure makes both unreadable.
 */
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { ScreenedMovement } from '@stablecoin/contracts/customer/screen-movement';
import { ScreeningView } from '@stablecoin/contracts/customer/screening-view';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { Clock } from '../clock';
import { CustomerDatabase, Transaction } from '../customer-database';
import { Prisma } from '../generated/client';
import { keyModeOf } from '../merchants/key-mode';
import { ActedBy, recordAct, recordActBefore } from '../operator-acts/operator-acts';
import { PersonalData } from '../personal-data';
import { decideCustomer, keepDecision, lockCustomers, putBackToReview } from './customer-screening';
import { rescanProof, rescanReached } from './rescan-progress';
import {
  CaseDecision,
  CaseState,
  casesOf,
  entriesWith,
  Hit,
  keysOf,
  listsText,
  openCase,
  Party,
  partyField,
  readableHits,
  ScreenedKind,
} from './screening-hits';
import { CurrentList, currentLists, isStale, SHARED_LISTS } from './screening-lists';
import { KEYS_IN_USE } from '../keys-in-use';

export interface MovementToScreen {
  id: string;
  movement: ScreenedMovement;
  merchant_id: string;
  customer_id: string | null;
  party: Party;
  /** It has moved already, before it could be screened. */
  moved: boolean;
}

export interface CaseView {
  case: string;
  state: CaseState;
  opened_by: 'screening' | 'list';
  opened_at: string;
  decided_at: string | null;
  movement: ScreenedKind;
  /** At the ledger; of a customer, its own id. */
  transaction: string;
  merchant_id: string;
  customer_id: string | null;
  /** Null where the customer was erased. */
  hits: Pick<Hit, 'list' | 'entry'>[] | null;
}

export interface OpenedCase extends Omit<CaseView, 'hits'> {
  party: Party | null;
  hits: Hit[] | null;
}

interface ScreeningRow {
  id: string;
  number: bigint;
  movement: ScreenedKind;
  merchant_id: string;
  customer_id: string | null;
  sealed_party: string;
  decision: ScreeningView['decision'];
  lists: string;
  wrapped_key: string | null;
}

interface CaseRow extends ScreeningRow {
  case_id: string;
  sealed_hits: string;
  opened_by: CaseView['opened_by'];
  opened_at: Date;
  state: CaseState;
  decided_at: Date | null;
}

interface Owner {
  seal: OwnerSeal;
  customerId: string | null;
  mode: KeyMode;
}

/** One of the past, with the keys of its party. */
interface PastParty {
  id: string;
  movement: ScreenedKind;
  lists: string;
  seal: OwnerSeal;
  keys: string[];
}

interface RescannedList extends CurrentList {
  rescan_proof: string | null;
  rescan_to: bigint;
}

const SCREENING_COLUMNS = Prisma.sql`
  screenings.id, screenings.number, screenings.movement, screenings.merchant_id, screenings.customer_id,
  screenings.sealed_party, screenings.decision, screenings.lists, data_keys.wrapped_key`;
const WITH_KEYS = Prisma.sql`
  LEFT JOIN ${KEYS_IN_USE} ON data_keys.owner_id = coalesce(screenings.customer_id, screenings.merchant_id)`;

export class ScreeningDesk {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly personalData: PersonalData,
    private readonly clock: Clock,
    /** Whether live merchants' movements wait while there is no list to screen them by. */
    private readonly isRequiredForLive: boolean,
  ) {}

  /** @throws Refusal `not_found` for another merchant's customer */
  async screen(movement: MovementToScreen): Promise<ScreeningView> {
    const known = movement.moved ? await this.find(movement.merchant_id, movement.id) : undefined;
    if (known) return known;
    // Before the transaction: the key management service may take its time.
    const owner = await this.ownerOf(movement);
    return this.database.$transaction((sql) => this.screenFor(sql, movement, owner), TRANSACTION_LIMITS);
  }

  private async screenFor(sql: Transaction, movement: MovementToScreen, owner: Owner): Promise<ScreeningView> {
    await sql.$queryRaw(SHARED_LISTS);
    const lists = await currentLists(sql);
    if (lists.length === 0 && owner.mode === 'test') return { decision: 'clear', lists: [] };
    // It locks the row: of two that screen the same movement, the second one finds the case of the first.
    await this.keep(sql, movement, owner, lists);
    const before = await casesOf(sql, movement.id);
    if (before.some(({ state }) => state === 'rejected')) return decided(sql, movement.id, 'rejected', lists);
    if (!movement.moved && !this.canScreen(movement.party, lists, owner.mode))
      return { decision: 'unlisted', lists: [] };
    const keys = keysOf(movement.party);
    const found = await entriesWith(sql, lists, keys);
    const hits = keys.flatMap((key) => found.get(key) ?? []);
    const openedBy = movement.moved ? 'list' : 'screening';
    const toOpen = { id: movement.id, before, hits, seal: owner.seal, openedBy, now: this.clock.now() } as const;
    const opened = await openCase(sql, toOpen);
    if (movement.moved) return decided(sql, movement.id, 'clear', lists);
    const isOpen = opened || before.some(({ state }) => state === 'open');
    const passed = before.length === 0 ? 'clear' : 'released';
    return decided(sql, movement.id, isOpen ? 'held' : passed, lists);
  }

  /** What was decided on a movement; undefined for one that was not screened. */
  async find(merchantId: string, id: string): Promise<ScreeningView | undefined> {
    const [row] = await this.database.$queryRaw<Pick<ScreeningRow, 'decision' | 'lists'>[]>`
      SELECT decision, lists FROM screenings WHERE id = ${id}::uuid AND merchant_id = ${merchantId}::uuid`;
    return row && { decision: row.decision, lists: hashesIn(row.lists) };
  }

  /**
   * Holds some of the past against a list that has become current since, oldest first. Nothing that has moved is touched: a hit
   * opens a case.
   *
   * @returns whether there is more to do, and how many cases were opened
   */
  async rescan(limit: number): Promise<{ more: boolean; opened: number }> {
    const lists = await this.database.$queryRaw<RescannedList[]>`
      SELECT id, name, sha256, addresses, names, dated, max_age_days, rescan_proof, rescan_to FROM screening_lists
      WHERE state = 'current' ORDER BY current_at`;
    const begun = (list: RescannedList) => rescanReached(this.personalData, list.id, list.rescan_proof);
    const list = lists.find((each) => begun(each) < each.rescan_to);
    if (!list) return { more: false, opened: 0 };
    const rows = await this.database.$queryRaw<ScreeningRow[]>`
      SELECT ${SCREENING_COLUMNS} FROM screenings ${WITH_KEYS}
      WHERE number > ${begun(list)} AND number <= ${list.rescan_to} ORDER BY number LIMIT ${limit}`;
    const parties = await this.partiesOf(rows);
    const reached = rows.length < limit ? list.rescan_to : (rows.at(-1)?.number ?? list.rescan_to);
    const opened = await this.database.$transaction(async (sql) => {
      // Before the list, as the commands that change a customer lock it before they wait for a change of lists.
      await lockCustomers(
        sql,
        parties.flatMap(({ id, movement }) => (movement === 'customer' ? [id] : [])),
      );
      // Another instance may have done the same meanwhile, or the list may have been replaced.
      const moved = await sql.$executeRaw`
        UPDATE screening_lists SET rescan_proof = ${rescanProof(this.personalData, list.id, reached)},
          rescanned_to = greatest(rescanned_to, ${reached})
        WHERE id = ${list.id}::uuid AND state = 'current' AND rescan_proof IS NOT DISTINCT FROM ${list.rescan_proof}`;
      return moved === 0 ? 0 : openCasesOf(sql, list, parties, this.clock.now());
    }, TRANSACTION_LIMITS);
    return { more: true, opened };
  }

  /** The newest first; of the state, where one is given. */
  async cases({ state, limit }: { state: CaseState | undefined; limit: number }): Promise<CaseView[]> {
    const rows = await this.caseRows(
      Prisma.sql`WHERE ${state ?? null}::text IS NULL OR screening_cases.state = ${state ?? null}::text`,
      limit,
    );
    return Promise.all(rows.map((row) => this.caseView(row)));
  }

  /** With who it is about: on the record. */
  async showCase(id: string, by: ActedBy): Promise<OpenedCase> {
    const row = await this.caseRow(id);
    const act = { action: 'screening show', merchant_id: row.merchant_id, details: { case: id } };
    await recordActBefore(this.database, act, by);
    const seal = await this.sealOf(row);
    const party = seal?.open<Party>(partyField(row.id), row.sealed_party) ?? null;
    return { ...viewOf(row), party, hits: seal ? readableHits(seal, { ...row, id: row.case_id }) : null };
  }

  /** Once for each case. What it holds goes on its way, or is rejected, when it is next screened. */
  async decide(id: string, decision: CaseDecision, by: ActedBy): Promise<CaseView> {
    const { merchant_id, id: transaction, movement } = await this.caseRow(id);
    await this.database.$transaction(async (sql) => {
      if (movement === 'customer') await lockCustomers(sql, [transaction]);
      const details = { case: id, decision, movement, transaction };
      const act = await recordAct(sql, { action: 'screening decide', merchant_id, details }, by);
      const now = this.clock.now();
      const changed = await sql.$executeRaw`
        UPDATE screening_cases SET state = ${decision}, decided_at = ${now}, act_number = ${act}
        WHERE id = ${id}::uuid AND state = 'open'`;
      if (changed === 0) throw new OperatorError('The case is decided already, and for good.');
      if (movement === 'customer') await decideCustomer(sql, transaction, decision, now);
    }, TRANSACTION_LIMITS);
    return this.caseView(await this.caseRow(id));
  }

  private async ownerOf({ merchant_id, customer_id }: MovementToScreen): Promise<Owner> {
    const rows = await this.database.$queryRaw<{ owner_id: string; wrapped_key: string; mode: KeyMode }[]>`
      SELECT owner_id, wrapped_key, ${keyModeOf(Prisma.sql`${merchant_id}::uuid`)} AS mode FROM ${KEYS_IN_USE}
      WHERE owner_id = ${merchant_id}::uuid OR owner_id = (
        SELECT id FROM customers WHERE id = ${customer_id}::uuid AND merchant_id = ${merchant_id}::uuid
      )`;
    // A customer that was erased has no key any more: the merchant's seals what moves for it.
    const owner = rows.find(({ owner_id }) => owner_id === customer_id) ?? rows[0];
    if (!owner) throw new Refusal('not_found');
    const isCustomer = owner.owner_id === customer_id;
    const seal = await this.personalData.sealOf(owner.owner_id, owner.wrapped_key);
    return { seal, customerId: isCustomer ? customer_id : null, mode: owner.mode };
  }

  /** A live merchant needs every list to be as new as it has to be, and one that knows parties of its movement's kind. */
  private canScreen({ address }: Party, lists: readonly CurrentList[], mode: KeyMode): boolean {
    if (mode === 'test' || !this.isRequiredForLive) return true;
    if (lists.some((list) => isStale(list, this.clock.now()))) return false;
    return lists.some(({ addresses, names }) => (address === undefined ? names : addresses) > 0);
  }

  private async keep(
    sql: Transaction,
    { id, movement, merchant_id, party }: MovementToScreen,
    { seal, customerId }: Owner,
    lists: readonly CurrentList[],
  ): Promise<void> {
    const sealed = seal.seal(partyField(id), party);
    const kept = await sql.$executeRaw`
      INSERT INTO screenings (id, movement, merchant_id, customer_id, sealed_party, decision, lists, screened_at)
      VALUES (${id}::uuid, ${movement}, ${merchant_id}::uuid, ${customerId}::uuid, ${sealed}, 'held', ${listsText(lists)},
        ${this.clock.now()})
      ON CONFLICT (id) DO UPDATE SET sealed_party = excluded.sealed_party, customer_id = excluded.customer_id,
        decision = 'held', screened_at = excluded.screened_at
      WHERE screenings.movement = excluded.movement AND screenings.merchant_id = excluded.merchant_id`;
    // What stands there is of a customer, or of another merchant's movement: a service that asks changes it by no screening.
    if (kept === 0) throw new Refusal('not_found');
  }

  /** Without those of customers that were erased. Each key is unwrapped once. */
  private async partiesOf(rows: readonly ScreeningRow[]): Promise<PastParty[]> {
    const seals = new Map<string, Promise<OwnerSeal | undefined>>();
    const parties = await Promise.all(
      rows.map(async (row): Promise<PastParty[]> => {
        const ownerId = row.customer_id ?? row.merchant_id;
        const known = seals.get(ownerId) ?? this.sealOf(row);
        seals.set(ownerId, known);
        const seal = await known;
        if (!seal) return [];
        const keys = keysOf(seal.open<Party>(partyField(row.id), row.sealed_party));
        return [{ id: row.id, movement: row.movement, lists: row.lists, seal, keys }];
      }),
    );
    return parties.flat();
  }

  private async sealOf({ customer_id, merchant_id, wrapped_key }: ScreeningRow): Promise<OwnerSeal | undefined> {
    return wrapped_key === null ? undefined : this.personalData.sealOf(customer_id ?? merchant_id, wrapped_key);
  }

  private async caseView(row: CaseRow): Promise<CaseView> {
    const seal = await this.sealOf(row);
    const hits = seal ? readableHits(seal, { ...row, id: row.case_id }) : null;
    return { ...viewOf(row), hits: hits?.map(({ list, entry }) => ({ list, entry })) ?? null };
  }

  private caseRows(which: Prisma.Sql, limit: number): Promise<CaseRow[]> {
    return this.database.$queryRaw<CaseRow[]>`
      SELECT ${SCREENING_COLUMNS}, screening_cases.id AS case_id, screening_cases.sealed_hits, screening_cases.opened_by,
        screening_cases.opened_at, screening_cases.state, screening_cases.decided_at
      FROM screening_cases JOIN screenings ON screenings.id = screening_cases.screening_id ${WITH_KEYS} ${which}
      ORDER BY screening_cases.opened_at DESC, screening_cases.id LIMIT ${limit}`;
  }

  private async caseRow(id: string): Promise<CaseRow> {
    const [row] = await this.caseRows(Prisma.sql`WHERE screening_cases.id = ${id}::uuid`, 1);
    if (!row) throw new OperatorError('There is no such case: its id is the first column of screening cases.');
    return row;
  }
}

async function decided(
  sql: Transaction,
  id: string,
  decision: 'clear' | 'held' | 'released' | 'rejected',
  lists: readonly CurrentList[],
): Promise<ScreeningView> {
  await sql.$executeRaw`UPDATE screenings SET decision = ${decision}, lists = ${listsText(lists)} WHERE id = ${id}::uuid`;
  return { decision, lists: lists.map(({ sha256 }) => sha256) };
}

/** @returns how many were opened */
async function openCasesOf(
  sql: Transaction,
  list: CurrentList,
  parties: readonly PastParty[],
  now: Date,
): Promise<number> {
  const found = await entriesWith(
    sql,
    [list],
    parties.flatMap(({ keys }) => keys),
  );
  let opened = 0;
  for (const { id, movement, lists, seal, keys } of parties) {
    const hits = keys.flatMap((key) => found.get(key) ?? []);
    if (hits.length === 0) continue;
    // A movement that is being screened at this moment has its case before, or after.
    await sql.$queryRaw`SELECT FROM screenings WHERE id = ${id}::uuid FOR UPDATE`;
    const before = await casesOf(sql, id);
    if (!(await openCase(sql, { id, before, hits, seal, openedBy: 'list', now }))) continue;
    opened += 1;
    if (movement !== 'customer') continue;
    const others = (JSON.parse(lists) as Pick<CurrentList, 'name' | 'sha256'>[]).filter(
      ({ name }) => name !== list.name,
    );
    await sql.$executeRaw`UPDATE screenings SET lists = ${listsText([...others, list])} WHERE id = ${id}::uuid`;
    await keepDecision(sql, id);
    await putBackToReview(sql, id, now);
  }
  return opened;
}

const viewOf = (row: CaseRow): Omit<CaseView, 'hits'> => ({
  ...{ case: row.case_id, state: row.state, opened_by: row.opened_by, opened_at: row.opened_at.toISOString() },
  decided_at: row.decided_at?.toISOString() ?? null,
  ...{ movement: row.movement, transaction: row.id, merchant_id: row.merchant_id, customer_id: row.customer_id },
});

const hashesIn = (lists: string): string[] => (JSON.parse(lists) as { sha256: string }[]).map(({ sha256 }) => sha256);
