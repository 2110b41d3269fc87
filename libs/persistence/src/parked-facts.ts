import { LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { ParkedFactsPage, ParkedFactView } from '@stablecoin/contracts/wire/parked-facts';
import { Reads, Sql } from './sql';

/**
 * Facts that a consumer could not handle, and later facts that concern the same and are held back behind them. Needs
 * the table `parked_facts` in the consumer's own database. Of all rows that concern the same, the one with the lowest
 * position is the parked fact and the others are held back: this follows from the positions and is not stored.
 */
export interface IncomingFact {
  fact: LedgerFact;
  /** As it came over the bus, and as it is stored. */
  sealed: Uint8Array;
  /** What the fact is about: facts of the same are handled in their order. */
  concerns: string;
}

export interface ParkedFact {
  shard: number;
  position: number;
  movement: Movement;
  sealed: Uint8Array;
  retryRequested: boolean;
}

/** Why a fact could not be handled, and how often it was tried. */
export interface Failure {
  reason: string;
  attempts: number;
}

/**
 * Stores facts that come after a parked one as held back, and returns the others, except those that are parked already.
 * A retry that handles the parked fact at the same time waits for this transaction, or this one for it, so that no fact
 * is held back behind one that is no longer parked.
 */
export async function holdBack(sql: Sql, consumer: string, incoming: readonly IncomingFact[]): Promise<LedgerFact[]> {
  if (incoming.length === 0) return [];
  const parked = await sql.$queryRaw<{ shard: number; position: bigint; concerns: string }[]>`
    SELECT shard, position, concerns FROM parked_facts
    WHERE consumer = ${consumer} AND concerns = ANY (${[...new Set(incoming.map(({ concerns }) => concerns))]}::text[])
    ORDER BY position FOR SHARE`;
  if (parked.length === 0) return incoming.map(({ fact }) => fact);
  const isBehind = ({ fact, concerns }: IncomingFact) =>
    parked.some((each) => each.shard === fact.shard && each.concerns === concerns && each.position < fact.position);
  const isParked = ({ fact }: IncomingFact) =>
    parked.some((each) => each.shard === fact.shard && Number(each.position) === fact.position);
  const held = incoming.filter((each) => isBehind(each) && !isParked(each));
  for (const each of held) await insertParked(sql, consumer, each, null);
  return incoming.filter((each) => !isBehind(each) && !isParked(each)).map(({ fact }) => fact);
}

/** @returns false when it is parked already */
export async function insertParked(
  sql: Sql,
  consumer: string,
  { fact, sealed, concerns }: IncomingFact,
  failure: Failure | null,
): Promise<boolean> {
  const inserted = await sql.$executeRaw`
    INSERT INTO parked_facts (consumer, shard, position, movement, concerns, sealed_fact, reason, attempts)
    VALUES (${consumer}, ${fact.shard}, ${BigInt(fact.position)}, ${fact.movement}, ${concerns}, ${Buffer.from(sealed)},
      ${failure?.reason ?? null}, ${failure?.attempts ?? 0})
    ON CONFLICT DO NOTHING`;
  return inserted > 0;
}

export async function countParked(sql: Sql, consumer: string): Promise<number> {
  const [row] = await sql.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM parked_facts WHERE consumer = ${consumer}`;
  return row?.count ?? 0;
}

/** The queues that an operator wants tried again, each once. */
export async function requestedRetries(sql: Sql, consumer: string): Promise<{ shard: number; concerns: string }[]> {
  return sql.$queryRaw`
    SELECT DISTINCT shard, concerns FROM parked_facts
    WHERE consumer = ${consumer} AND retry_requested_at IS NOT NULL
    ORDER BY shard, concerns LIMIT 100`;
}

/** The parked fact of a queue, locked; waits while another instance works on it. */
export async function lockFirst(
  sql: Sql,
  consumer: string,
  { shard, concerns }: { shard: number; concerns: string },
): Promise<ParkedFact | undefined> {
  const [row] = await sql.$queryRaw<(Omit<ParkedFact, 'position'> & { position: bigint })[]>`
    SELECT shard, position, movement, sealed_fact AS sealed, retry_requested_at IS NOT NULL AS "retryRequested"
    FROM parked_facts WHERE consumer = ${consumer} AND concerns = ${concerns} AND shard = ${shard}
    ORDER BY position LIMIT 1 FOR UPDATE`;
  return row && { ...row, position: Number(row.position) };
}

/** Removes the queue's first fact, which was handled, and requests the retry of the next one. */
export async function handOn(
  sql: Sql,
  consumer: string,
  { shard, concerns, position }: { shard: number; concerns: string; position: number },
): Promise<void> {
  await sql.$executeRaw`
    DELETE FROM parked_facts WHERE consumer = ${consumer} AND shard = ${shard} AND position = ${BigInt(position)}`;
  await sql.$executeRaw`
    UPDATE parked_facts SET retry_requested_at = clock_timestamp()
    WHERE consumer = ${consumer} AND shard = ${shard} AND position = (
      SELECT min(position) FROM parked_facts
      WHERE consumer = ${consumer} AND concerns = ${concerns} AND shard = ${shard})`;
}

/** Records a failed retry: the fact stays parked until an operator requests another one. */
export async function failedAgain(
  sql: Sql,
  consumer: string,
  { shard, position }: { shard: number; position: number },
  reason: string,
): Promise<number> {
  const [row] = await sql.$queryRaw<{ attempts: number }[]>`
    UPDATE parked_facts SET attempts = attempts + 1, reason = ${reason}, retry_requested_at = NULL
    WHERE consumer = ${consumer} AND shard = ${shard} AND position = ${BigInt(position)}
    RETURNING attempts`;
  return row?.attempts ?? 0;
}

/** Of all consumers of the database, in the order of the log. */
export async function pageOfParked(
  sql: Reads,
  { page, limit }: { page: number; limit: number },
): Promise<ParkedFactsPage> {
  const offset = BigInt(page - 1) * BigInt(limit);
  const rows = await sql.$queryRaw<(Omit<ParkedFactView, 'parked_at'> & { parked_at: Date; total: number })[]>`
    SELECT consumer, shard, position::float8 AS position, movement, concerns, attempts, reason, parked_at,
      retry_requested_at IS NOT NULL AS retry_requested, count(*) OVER ()::int AS total,
      nullif(min(position) OVER (PARTITION BY consumer, shard, concerns), position)::float8 AS held_behind
    FROM parked_facts ORDER BY consumer, shard, position LIMIT ${limit} OFFSET ${offset}`;
  const items = rows.map(({ total: _, parked_at, ...row }) => ({ ...row, parked_at: parked_at.toISOString() }));
  return { items, total: rows[0]?.total ?? 0, page, limit };
}
