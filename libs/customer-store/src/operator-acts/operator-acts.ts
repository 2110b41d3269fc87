/**
 * The log of what operators did: who, when, what and why. Appended to in the transaction of the act, where the act is a
 * change in this database, and before the act otherwise. Each row's hash covers the hash before it and the row's own
 * text; the database takes no row that does not continue the chain, and none is changed or deleted (see the migration
 * `operator_acts`).
 *
 * | in a row | where it comes from |
 * |---|---|
 * | number, recorded_at, database_user | the database, which refuses others |
 * | actor, reason | the command line: see apps/operator/src/acting.ts |
 * | action, ids, details | the command; never personal data |
 */
import { CanonicalValue, canonicalText } from '@stablecoin/event-chain/canonical-text';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { actHash, actProblem, actsHead, StoredAct } from '@stablecoin/event-chain/operators-acts';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { CustomerDatabase } from '../customer-database';

/** Who acts, and what for; null where a reason may be left out. */
export interface ActedBy {
  actor: string;
  reason: string | null;
}

export interface Act {
  /** The command, such as `merchants rotate-key`. */
  action: string;
  merchant_id?: string;
  customer_id?: string;
  details?: Readonly<Record<string, CanonicalValue>>;
}

/** An act as it is listed. */
export interface RecordedAct extends Act, ActedBy {
  number: number;
  recorded_at: string;
  database_user: string;
}

export interface ActFilter {
  since: Date | undefined;
  limit: number;
}

export interface ActFault {
  number: number;
  problem: string;
}

export interface VerifiedActs {
  acts: number;
  /** Of the last act; written down elsewhere, it shows later that the log was not cut off or written anew. */
  head: string;
  fault: ActFault | null;
}

interface ActRow {
  number: bigint;
  act: string;
  hash: Uint8Array;
}

const BATCH_ROWS = 1_000;

/**
 * Appends the act in the caller's transaction: it is recorded if and only if the transaction commits.
 *
 * @returns its number
 */
export async function recordAct(transaction: Sql, act: Act, { actor, reason }: ActedBy): Promise<number> {
  // One after the other: the next act waits here until this transaction has ended.
  await transaction.$queryRaw`SELECT 1 FROM pg_advisory_xact_lock(hashtextextended('operator-acts', 0))`;
  const [now] = await transaction.$queryRaw<{ recorded_at: Date; database_user: string }[]>`
    SELECT clock_timestamp() AS recorded_at, session_user::text AS database_user`;
  if (!now) throw new Error('the database did not tell the time');
  const [last] = await transaction.$queryRaw<Omit<ActRow, 'act'>[]>`
    SELECT number, hash FROM operator_acts ORDER BY number DESC LIMIT 1`;
  const number = Number(last?.number ?? 0) + 1;
  const { recorded_at, database_user } = now;
  const text = canonicalText({ ...act, actor, reason, number, recorded_at: recorded_at.toISOString(), database_user });
  await transaction.$executeRaw`
    INSERT INTO operator_acts (number, act, hash) VALUES (${number}, ${text}, ${actHash(last?.hash ?? GENESIS_HASH, text)})`;
  return number;
}

/** For an act that is no transaction of this database: recorded, and the record committed, before it. */
export async function recordActBefore(database: CustomerDatabase, act: Act, by: ActedBy): Promise<void> {
  await database.sql.$transaction((transaction) => recordAct(transaction, act, by), TRANSACTION_LIMITS);
}

/** The newest ones, newest first. */
export async function listActs(database: CustomerDatabase, { since, limit }: ActFilter): Promise<RecordedAct[]> {
  const rows = await database.$queryRaw<Pick<ActRow, 'act'>[]>`
    SELECT act FROM operator_acts
    WHERE ${since ?? null}::timestamptz IS NULL OR (act::jsonb->>'recorded_at')::timestamptz >= ${since ?? null}::timestamptz
    ORDER BY number DESC LIMIT ${limit}`;
  return rows.map(({ act }) => JSON.parse(act) as RecordedAct);
}

/**
 * Follows the chain from its beginning, and names the first row that breaks it.
 *
 * @param pinned a head that was written down, as `number:hash`: the log must still have it
 */
export async function verifyActs(database: CustomerDatabase, pinned?: string): Promise<VerifiedActs> {
  let [acts, previous]: [number, Uint8Array] = [0, GENESIS_HASH];
  let hasPinned = pinned === undefined;
  for (let rows = await rowsAfter(database, 0); rows.length > 0; rows = await rowsAfter(database, acts)) {
    for (const row of rows) {
      const problem = actProblem(row, acts + 1, previous);
      if (problem !== undefined) return { acts, head: actsHead(acts, previous), fault: { number: acts + 1, problem } };
      acts += 1;
      previous = row.hash;
      hasPinned ||= actsHead(acts, previous) === pinned;
    }
  }
  const head = actsHead(acts, previous);
  if (hasPinned) return { acts, head, fault: null };
  const number = Number(pinned?.split(':', 1)[0]);
  return { acts, head, fault: { number, problem: 'is missing, or is not the act that was written down' } };
}

/** All of them as they are stored, oldest first: for who follows the chain without this database. */
export async function storedActs(database: CustomerDatabase): Promise<StoredAct[]> {
  const acts: StoredAct[] = [];
  for (
    let rows = await rowsAfter(database, 0);
    rows.length > 0;
    rows = await rowsAfter(database, acts.at(-1)?.number ?? 0)
  ) {
    acts.push(...rows);
  }
  return acts;
}

async function rowsAfter(database: CustomerDatabase, number: number): Promise<StoredAct[]> {
  const rows = await database.$queryRaw<ActRow[]>`
    SELECT number, act, hash FROM operator_acts WHERE number > ${number} ORDER BY number LIMIT ${BATCH_ROWS}`;
  return rows.map((row) => ({ ...row, number: Number(row.number) }));
}
