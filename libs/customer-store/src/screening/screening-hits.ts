/** What a party is matched by, and the cases of what it matched: for movements and for customers. */
import { randomUUID } from 'node:crypto';
import { ScreenedMovement } from '@stablecoin/contracts/customer/screen-movement';
import { canonicalText } from '@stablecoin/event-chain/canonical-text';
import { arrayColumn } from '@stablecoin/persistence/columns';
import { OwnerSeal } from '@stablecoin/personal-data/owner-seal';
import { PersonalDataUnreadable } from '@stablecoin/personal-data/sealed-bytes';
import { addressKey, nameKey } from '@stablecoin/screening/screening-key';
import { Transaction } from '../customer-database';
import { CurrentList } from './screening-lists';

/** What stands in `screenings`: a movement by its id at the ledger, a customer by its own. */
export type ScreenedKind = ScreenedMovement | 'customer';

/** Who is at the other end; or the names of a customer, and of the owners of a business. */
export interface Party {
  address?: string;
  name?: string;
  names?: readonly string[];
}

export interface Hit {
  list: string;
  entry: string;
  /** As the list has it. */
  text: string;
}

export type CaseDecision = 'released' | 'rejected';
export type CaseState = 'open' | CaseDecision;

export interface StoredCase {
  id: string;
  state: CaseState;
  sealed_hits: string;
}

export interface FoundHits {
  id: string;
  /** The cases that it has. */
  before: readonly StoredCase[];
  hits: readonly Hit[];
  seal: OwnerSeal;
  openedBy: 'screening' | 'list';
  now: Date;
}

/** None of a case from before its customer was erased. */
export function readableHits(seal: OwnerSeal, { id, sealed_hits }: Pick<StoredCase, 'id' | 'sealed_hits'>): Hit[] {
  try {
    return seal.open<Hit[]>(hitsField(id), sealed_hits);
  } catch (error) {
    if (error instanceof PersonalDataUnreadable) return [];
    throw error;
  }
}

export const casesOf = (sql: Transaction, id: string): Promise<StoredCase[]> =>
  sql.$queryRaw`SELECT id, state, sealed_hits FROM screening_cases WHERE screening_id = ${id}::uuid`;

/** @returns whether there was a hit that no case of it has */
export async function openCase(sql: Transaction, found: FoundHits): Promise<boolean> {
  const { id, before, seal, openedBy, now } = found;
  const known = new Set(before.flatMap((each) => readableHits(seal, each).map(nameOfHit)));
  const further = found.hits.filter((hit) => !known.has(nameOfHit(hit)));
  if (further.length === 0) return false;
  const caseId = randomUUID();
  await sql.$executeRaw`
    INSERT INTO screening_cases (id, screening_id, sealed_hits, opened_by, opened_at)
    VALUES (${caseId}::uuid, ${id}::uuid, ${seal.seal(hitsField(caseId), further)}, ${openedBy}, ${now})`;
  return true;
}

export async function entriesWith(
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
export function keysOf({ address, name, names = [] }: Party): string[] {
  const keys = [
    address === undefined ? undefined : addressKey(address),
    ...(name === undefined ? names : [name, ...names]).map(nameKey),
  ];
  return [...new Set(keys.flatMap((key) => (key ? [key.toString('hex')] : [])))];
}

export const partyField = (id: string): string => `screening:${id}`;
const hitsField = (caseId: string): string => `screening-hits:${caseId}`;
const nameOfHit = ({ list, entry }: Hit): string => JSON.stringify([list, entry]);
export const listsText = (lists: readonly Pick<CurrentList, 'name' | 'sha256'>[]): string =>
  canonicalText(lists.map(({ name, sha256 }) => ({ name, sha256 })));
