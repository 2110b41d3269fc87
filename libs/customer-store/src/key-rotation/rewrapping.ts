/**
 * Wraps every data key anew that is under a previous master key, or an older version of it, while the services go on: in the
 * order of the table's key, a batch is read → what is under the previous key is wrapped with the current one → it is written where it
 * still is what was read. So an owner that was erased meanwhile stays erased, an upload that became a document keeps its state, and
 * what another transaction has locked is left for the next pass. A pass that finds nothing under the previous key is the last: what a
 * service wrote meanwhile is found by it. Each batch is a commit of its own, so an interrupted run is simply repeated.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { KeyWrapping } from '@stablecoin/key-wrapping/key-wrapping';
import { DataKeyUnreadable } from '@stablecoin/personal-data/master-keys';
import { CustomerDatabase } from '../customer-database';
import { Prisma } from '../generated/client';
import { Progress } from '../progress';

const BATCH_ROWS = 500;
/** As many find everything unless a service goes on wrapping with the previous key. */
const PASSES_MAX = 5;
/** Before another look at what was locked: all of them together outlast any transaction. */
const PAUSE_MS = 1_000;
const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/** What is wrapped with a master key: owners' data keys, and content keys of uploads that no customer has attached yet. */
const TABLES = [
  { table: Prisma.raw('data_keys'), id: Prisma.raw('owner_id') },
  { table: Prisma.raw('document_uploads'), id: Prisma.raw('id') },
] as const;
type KeyTable = (typeof TABLES)[number];

interface WrappedKey {
  id: string;
  wrapped_key: string;
}

interface Pass {
  total: number;
  /** Under the previous key when they were read. */
  found: number;
  rewrapped: number;
  /** Under neither. */
  unreadable: number;
}

export interface Rewrapped {
  total: number;
  rewrapped: number;
  left_under_previous_key: number;
  unreadable: number;
}

export class Rewrapping {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly wrapping: KeyWrapping,
  ) {}

  async run(progress: Progress): Promise<Rewrapped> {
    let rewrapped = 0;
    for (let pass = 1; ; pass += 1) {
      const isLast = pass > PASSES_MAX;
      const seen = await this.pass(progress, isLast);
      rewrapped += seen.rewrapped;
      if (isLast || seen.found === 0) {
        const { total, found, unreadable } = seen;
        return { total, rewrapped, left_under_previous_key: found, unreadable };
      }
      if (seen.found > seen.rewrapped) await delay(PAUSE_MS);
    }
  }

  /** @param onlyLooks counts, and changes nothing */
  private async pass(progress: Progress, onlyLooks: boolean): Promise<Pass> {
    const pass: Pass = { total: await this.count(), found: 0, rewrapped: 0, unreadable: 0 };
    progress.begin(pass.total);
    for (const keys of TABLES) {
      for (let rows = await this.rowsAfter(keys, BEFORE_ALL); rows.length > 0;) {
        const fresh = (await Promise.all(rows.map((row) => this.rewrapped(row, pass)))).flat();
        pass.found += fresh.length;
        if (fresh.length > 0 && !onlyLooks) pass.rewrapped += await this.replace(keys, fresh);
        progress.add(rows.length);
        rows = await this.rowsAfter(keys, rows.at(-1)?.id as string);
      }
    }
    progress.end();
    return pass;
  }

  private async rewrapped({ id, wrapped_key: before }: WrappedKey, pass: Pass) {
    try {
      const after = await this.wrapping.rewrap(before, id);
      return after === undefined ? [] : [{ id, before, after }];
    } catch (error) {
      if (!(error instanceof DataKeyUnreadable)) throw error;
      pass.unreadable += 1;
      return [];
    }
  }

  private async count(): Promise<number> {
    const [row] = await this.database.$queryRaw<{ total: number }[]>`
      SELECT ((SELECT count(*) FROM data_keys)
        + (SELECT count(*) FROM document_uploads WHERE attached_customer_id IS NULL))::int AS total`;
    return row?.total ?? 0;
  }

  private rowsAfter({ table, id }: KeyTable, last: string): Promise<WrappedKey[]> {
    return this.database.$queryRaw<WrappedKey[]>`
      SELECT ${id}::text AS id, wrapped_key FROM ${table}
      WHERE ${id} > ${last}::uuid AND wrapped_key IS NOT NULL ORDER BY ${id} LIMIT ${BATCH_ROWS}`;
  }

  private replace({ table, id }: KeyTable, fresh: { id: string; before: string; after: string }[]): Promise<number> {
    const [ids, befores, afters] = (['id', 'before', 'after'] as const).map((part) => fresh.map((row) => row[part]));
    return this.database.$executeRaw`
      WITH held AS (
        SELECT kept.${id}, fresh.wrapped_key
        FROM ${table} AS kept
        JOIN unnest(${ids}::uuid[], ${befores}::text[], ${afters}::text[]) AS fresh (id, before, wrapped_key)
          ON kept.${id} = fresh.id AND kept.wrapped_key = fresh.before
        FOR UPDATE OF kept SKIP LOCKED)
      UPDATE ${table} AS kept SET wrapped_key = held.wrapped_key FROM held WHERE kept.${id} = held.${id}`;
  }
}

/** @throws OperatorError with the way out, when a data key is not under the current master key */
export function requireNoneLeft({ left_under_previous_key: left, unreadable }: Rewrapped): void {
  if (unreadable > 0)
    throw new OperatorError(
      `${unreadable} data keys open with no master key at hand and were left as they are: put the key that was in use before ` +
        'into PERSONAL_DATA_PREVIOUS_KEY, there and of the services, and run rewrap-keys again.',
    );
  if (left > 0)
    throw new OperatorError(
      `${left} data keys are still under the previous key: a customer service goes on wrapping with it. Restart it with the ` +
        'new PERSONAL_DATA_KEY, and run rewrap-keys again.',
    );
}
