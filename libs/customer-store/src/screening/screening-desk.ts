/**
 * Screens movements before money leaves or is credited, opens cases for hits, and keeps what was decided.
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
import { randomUUID } from 'node:crypto';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { KeyMode } from '@stablecoin/contracts/customer/key-mode';
import { ScreenedMovement } from '@stablecoin/contracts/customer/screen-movement';
import { ScreeningView } from '@stablecoin/contracts/customer/screening-view';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { canonicalText } from '@stablecoin/event-chain/canonical-text';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { PersonalDataUnreadable } from '@stablecoin/personal-data/sealed-bytes';
import { addressKey, nameKey } from '@stablecoin/screening/screening-key';
import { Clock } from '../clock';
import { CustomerDatabase, Transaction } from '../customer-database';
import { Prisma } from '../generated/client';
import { keyModeOf } from '../merchants/key-mode';
import { ActedBy, recordAct, recordActBefore } from '../operator-acts/operator-acts';
import { PersonalData } from '../personal-data';
import { CurrentList, currentLists, isStale, SHARED_LISTS } from './screening-lists';

/** Who is at the other end. */
export interface Party {
  address?: string;
  name?: string;
}

export interface MovementToScreen {
  id: string;
  movement: ScreenedMovement;
  merchant_id: string;
  customer_id: string | null;
  party: Party;
  /** It has moved already, before it could be screened. */
  moved: boolean;
}

interface Hit {
  list: string;
  entry: string;
  /** As the list has it. */
  text: string;
}

export type CaseDecision = 'released' | 'rejected';
export type CaseState = 'open' | CaseDecision;

export interface CaseView {
  case: string;
  state: CaseState;
  opened_by: 'screening' | 'list';
  opened_at: string;
  decided_at: string | null;
  movement: ScreenedMovement;
  /** At the ledger. */
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
  movement: ScreenedMovement;
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
  seal: OwnerSeal;
  keys: string[];
}

interface FoundHits {
  id: string;
  /** The cases that the movement has. */
  before: readonly StoredCase[];
  hits: readonly Hit[];
  seal: OwnerSeal;
  openedBy: CaseView['opened_by'];
}

interface RescannedList extends CurrentList {
  rescanned_to: bigint;
  rescan_to: bigint;
}

type StoredCase = Pick<CaseRow, 'state' | 'sealed_hits' | 'id'>;

const SCREENING_COLUMNS = Prisma.sql`
  screenings.id, screenings.number, screenings.movement, screenings.merchant_id, screenings.customer_id,
  screenings.sealed_party, screenings.decision, screenings.lists, data_keys.wrapped_key`;
const WITH_KEYS = Prisma.sql`
  LEFT JOIN data_keys ON data_keys.owner_id = coalesce(screenings.customer_id, screenings.merchant_id)`;

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
    const opened = await this.openCase(sql, { id: movement.id, before, hits, seal: owner.seal, openedBy });
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
    const [list] = await this.database.$queryRaw<RescannedList[]>`
      SELECT id, name, sha256, addresses, names, dated, max_age_days, rescanned_to, rescan_to FROM screening_lists
      WHERE state = 'current' AND rescanned_to < rescan_to ORDER BY current_at LIMIT 1`;
    if (!list) return { more: false, opened: 0 };
    const rows = await this.database.$queryRaw<ScreeningRow[]>`
      SELECT ${SCREENING_COLUMNS} FROM screenings ${WITH_KEYS}
      WHERE number > ${list.rescanned_to} AND number <= ${list.rescan_to} ORDER BY number LIMIT ${limit}`;
    const parties = await this.partiesOf(rows);
    const reached = rows.length < limit ? list.rescan_to : (rows.at(-1)?.number ?? list.rescan_to);
    const opened = await this.database.$transaction(async (sql) => {
      // Another instance may have done the same meanwhile, or the list may have been replaced.
      const moved = await sql.$executeRaw`
        UPDATE screening_lists SET rescanned_to = ${reached}
        WHERE id = ${list.id}::uuid AND state = 'current' AND rescanned_to = ${list.rescanned_to}`;
      return moved === 0 ? 0 : openCasesOf(sql, list, parties, (hit) => this.openCase(sql, hit));
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
      const details = { case: id, decision, movement, transaction };
      const act = await recordAct(sql, { action: 'screening decide', merchant_id, details }, by);
      const now = this.clock.now();
      const changed = await sql.$executeRaw`
        UPDATE screening_cases SET state = ${decision}, decided_at = ${now}, act_number = ${act}
        WHERE id = ${id}::uuid AND state = 'open'`;
      if (changed === 0) throw new OperatorError('The case is decided already, and for good.');
    }, TRANSACTION_LIMITS);
    return this.caseView(await this.caseRow(id));
  }

  private async ownerOf({ merchant_id, customer_id }: MovementToScreen): Promise<Owner> {
    const rows = await this.database.$queryRaw<{ owner_id: string; wrapped_key: string; mode: KeyMode }[]>`
      SELECT owner_id, wrapped_key, ${keyModeOf(Prisma.sql`${merchant_id}::uuid`)} AS mode FROM data_keys
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
    await sql.$executeRaw`
      INSERT INTO screenings (id, movement, merchant_id, customer_id, sealed_party, decision, lists, screened_at)
      VALUES (${id}::uuid, ${movement}, ${merchant_id}::uuid, ${customerId}::uuid, ${sealed}, 'held', ${listsText(lists)},
        ${this.clock.now()})
      ON CONFLICT (id) DO UPDATE SET sealed_party = excluded.sealed_party, customer_id = excluded.customer_id,
        decision = 'held', screened_at = excluded.screened_at`;
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
        return seal ? [{ id: row.id, seal, keys: keysOf(seal.open<Party>(partyField(row.id), row.sealed_party)) }] : [];
      }),
    );
    return parties.flat();
  }

  /** @returns whether there was a hit that no case of the movement has */
  private async openCase(sql: Transaction, { id, before, hits, seal, openedBy }: FoundHits): Promise<boolean> {
    const known = new Set(before.flatMap((each) => readableHits(seal, each).map(nameOfHit)));
    const further = hits.filter((hit) => !known.has(nameOfHit(hit)));
    if (further.length === 0) return false;
    const caseId = randomUUID();
    await sql.$executeRaw`
      INSERT INTO screening_cases (id, screening_id, sealed_hits, opened_by, opened_at)
      VALUES (${caseId}::uuid, ${id}::uuid, ${seal.seal(hitsField(caseId), further)}, ${openedBy}, ${this.clock.now()})`;
    return true;
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

/** None of a case from before its customer was erased. */
function readableHits(seal: OwnerSeal, { id, sealed_hits }: Pick<StoredCase, 'id' | 'sealed_hits'>): Hit[] {
  try {
    return seal.open<Hit[]>(hitsField(id), sealed_hits);
  } catch (error) {
    if (error instanceof PersonalDataUnreadable) return [];
    throw error;
  }
}

const casesOf = (sql: Transaction, id: string): Promise<StoredCase[]> =>
  sql.$queryRaw`SELECT id, state, sealed_hits FROM screening_cases WHERE screening_id = ${id}::uuid`;

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
  openCase: (found: FoundHits) => Promise<boolean>,
): Promise<number> {
  const found = await entriesWith(
    sql,
    [list],
    parties.flatMap(({ keys }) => keys),
  );
  let opened = 0;
  for (const { id, seal, keys } of parties) {
    const hits = keys.flatMap((key) => found.get(key) ?? []);
    if (hits.length === 0) continue;
    // A movement that is being screened at this moment has its case before, or after.
    await sql.$queryRaw`SELECT FROM screenings WHERE id = ${id}::uuid FOR UPDATE`;
    const before = await casesOf(sql, id);
    if (await openCase({ id, before, hits, seal, openedBy: 'list' })) opened += 1;
  }
  return opened;
}

async function entriesWith(
  sql: Transaction,
  lists: readonly CurrentList[],
  keys: readonly string[],
): Promise<Map<string, Hit[]>> {
  const found = new Map<string, Hit[]>();
  if (lists.length === 0 || keys.length === 0) return found;
  const rows = await sql.$queryRaw<(Hit & { key: string })[]>`
    SELECT encode(key, 'hex') AS key, screening_lists.name AS list, entry, text
    FROM screening_entries JOIN screening_lists ON screening_lists.id = list_id
    WHERE key IN (SELECT decode(wanted, 'hex') FROM unnest(${arrayColumn(keys)}::text[]) AS wanted)
      AND list_id = ANY (${lists.map(({ id }) => id)}::uuid[])
    ORDER BY list, entry`;
  for (const { key, ...hit } of rows) found.set(key, [...(found.get(key) ?? []), hit]);
  return found;
}

/** In hex, each once. */
function keysOf({ address, name }: Party): string[] {
  const keys = [
    address === undefined ? undefined : addressKey(address),
    name === undefined ? undefined : nameKey(name),
  ];
  return keys.flatMap((key) => (key ? [key.toString('hex')] : []));
}

const viewOf = (row: CaseRow): Omit<CaseView, 'hits'> => ({
  ...{ case: row.case_id, state: row.state, opened_by: row.opened_by, opened_at: row.opened_at.toISOString() },
  decided_at: row.decided_at?.toISOString() ?? null,
  ...{ movement: row.movement, transaction: row.id, merchant_id: row.merchant_id, customer_id: row.customer_id },
});

const partyField = (id: string): string => `screening:${id}`;
const hitsField = (caseId: string): string => `screening-hits:${caseId}`;
const nameOfHit = ({ list, entry }: Hit): string => JSON.stringify([list, entry]);
const listsText = (lists: readonly CurrentList[]): string =>
  canonicalText(lists.map(({ name, sha256 }) => ({ name, sha256 })));
const hashesIn = (lists: string): string[] => (JSON.parse(lists) as { sha256: string }[]).map(({ sha256 }) => sha256);
