/**
 * The lists that movements are screened against. An operator loads each under a name; the content that is loaded later takes the
 * place of the one before.
 *
 * | phase | reads             | writes                                                    | bounded by       |
 * |-------|-------------------|-----------------------------------------------------------|------------------|
 * | begin | nothing           | a list that is `loading`, which nothing is screened by    | one row          |
 * | load  | the file, once    | its entries, batch by batch; its hash is made on the way  | BATCH_ENTRIES    |
 * | take  | the highest       | the act of the operator; the list before is `former`, this | one transaction  |
 * |       | screening         | one `current`, with the past that it is to be held against |                  |
 *
 * What is stored and what is there in the end are counted: a list whose entries were changed meanwhile is not taken. What fails leaves
 * the list before as it is. Screening takes the lock of SHARED_LISTS, a change of lists LISTS: a movement is held against the new list
 * when it is screened, or else as one of the past.
 */
import { createHash, randomUUID } from 'node:crypto';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { ListFormat, readList } from '@stablecoin/screening/read-list';
import { ListUnreadable } from '@stablecoin/screening/list-text';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { columnsOf } from '@stablecoin/persistence/columns';
import { CustomerDatabase, Transaction } from '../customer-database';
import { Clock } from '../clock';
import { Prisma } from '../generated/client';
import { ActedBy, recordAct } from '../operator-acts/operator-acts';

export interface SuppliedList {
  name: string;
  format: ListFormat;
  maxAgeDays: number;
  /** When its publisher published it; null: as it is loaded. */
  dated: Date | null;
  chunks: AsyncIterable<Uint8Array>;
}

export interface ListView {
  list: string;
  name: string;
  format: string;
  sha256: string;
  addresses: number;
  names: number;
  dated: string;
  max_age_days: number;
  current_at: string;
  /** Older than its limit: what needs it waits. */
  is_stale: boolean;
  /** Past screenings that it has still to be held against. */
  rescan_left: number;
}

export interface CurrentList {
  id: string;
  name: string;
  sha256: string;
  addresses: number;
  names: number;
  dated: Date;
  max_age_days: number;
}

interface ListRow extends CurrentList {
  format: string;
  current_at: Date;
  rescan_left: number;
}

const BATCH_ENTRIES = 2_000;
const DAY_MS = 86_400_000;
const LOCK = Prisma.sql`hashtextextended('screening-lists', 0)`;
export const SHARED_LISTS = Prisma.sql`SELECT 1 FROM pg_advisory_xact_lock_shared(${LOCK})`;
const LISTS = Prisma.sql`SELECT 1 FROM pg_advisory_xact_lock(${LOCK})`;

export class ScreeningLists {
  constructor(
    private readonly database: CustomerDatabase,
    private readonly clock: Clock,
  ) {}

  /** @throws OperatorError for a file that is not of its format, and names the line */
  async load(supplied: SuppliedList, by: ActedBy): Promise<ListView> {
    const { name, format, maxAgeDays } = supplied;
    const id = randomUUID();
    const dated = supplied.dated ?? this.clock.now();
    if (dated > this.clock.now())
      throw new OperatorError('It is dated in the future: it would count as new for longer than its limit.');
    if (isStale({ dated, max_age_days: maxAgeDays }, this.clock.now()))
      throw new OperatorError('It is older than its limit already: nothing could be screened by it.');
    await this.database.$executeRaw`
      INSERT INTO screening_lists (id, name, format, dated, max_age_days)
      VALUES (${id}::uuid, ${name}, ${format}, ${dated}, ${maxAgeDays})`;
    const content = await this.loadEntries(id, supplied).catch((error: unknown) => {
      if (error instanceof ListUnreadable) throw new OperatorError(`The list can't be read, ${error.message}.`);
      throw error;
    });
    await this.database.$transaction(
      (sql) => this.take(sql, { id, name, format, dated, maxAgeDays }, content, by),
      TRANSACTION_LIMITS,
    );
    const [loaded] = await this.views(Prisma.sql`id = ${id}::uuid`);
    if (!loaded) throw new Error('the list that was loaded is not there');
    return loaded;
  }

  /** What was supplied under the name is screened by no longer. */
  async retire(name: string, by: ActedBy): Promise<ListView> {
    const [list] = await this.views(Prisma.sql`state = 'current' AND name = ${name}`);
    if (!list) throw new OperatorError(`There is no list ${name}: the lists are shown by screening lists.`);
    await this.database.$transaction(async (sql) => {
      await sql.$queryRaw(LISTS);
      const details = { list: list.list, name, sha256: list.sha256 };
      const act = await recordAct(sql, { action: 'screening retire', details }, by);
      const retired = await sql.$executeRaw`
        UPDATE screening_lists SET state = 'former', act_number = ${act} WHERE id = ${list.list}::uuid AND state = 'current'`;
      if (retired === 0)
        throw new OperatorError('Another command has changed this list just now: look at the lists again.');
    }, TRANSACTION_LIMITS);
    return list;
  }

  /** Those that movements are screened against, by their names. */
  list(): Promise<ListView[]> {
    return this.views(Prisma.sql`state = 'current'`);
  }

  /** Deletes entries of lists that are current no longer, and of those whose loading was given up. */
  async forgetFormer(limit: number): Promise<number> {
    return this.database.$executeRaw`
      DELETE FROM screening_entries WHERE (key, list_id, entry) IN (
        SELECT key, list_id, entry FROM screening_entries
        WHERE list_id = (
          SELECT id FROM screening_lists
          WHERE (state = 'former' OR (state = 'loading' AND begun_at < now() - interval '1 day'))
            AND EXISTS (SELECT FROM screening_entries WHERE list_id = screening_lists.id)
          LIMIT 1
        )
        LIMIT ${limit}
      )`;
  }

  private async loadEntries(listId: string, { format, chunks }: SuppliedList) {
    const hash = createHash('sha256');
    const counted = { address: 0, name: 0 };
    let batch: { key: string; entry: string; text: string }[] = [];
    let entries = 0;
    const store = async () => {
      const column = columnsOf(batch);
      entries += await this.database.$executeRaw`
        INSERT INTO screening_entries (key, list_id, entry, text)
        SELECT decode(key, 'hex'), ${listId}::uuid, entry, text
        FROM unnest(${column('key')}::text[], ${column('entry')}::text[], ${column('text')}::text[]) AS loaded (key, entry, text)
        ON CONFLICT DO NOTHING`;
      batch = [];
    };
    for await (const { kind, key, id, text } of readList(format, hashing(chunks, hash))) {
      counted[kind] += 1;
      batch.push({ key: key.toString('hex'), entry: id, text });
      if (batch.length === BATCH_ENTRIES) await store();
    }
    if (batch.length > 0) await store();
    return { sha256: hash.digest('hex'), addresses: counted.address, names: counted.name, entries };
  }

  private async take(
    sql: Transaction,
    {
      id,
      name,
      format,
      dated,
      maxAgeDays,
    }: Pick<SuppliedList, 'name' | 'format' | 'maxAgeDays'> & { id: string; dated: Date },
    { sha256, addresses, names, entries }: { sha256: string; addresses: number; names: number; entries: number },
    by: ActedBy,
  ): Promise<void> {
    await sql.$queryRaw(LISTS);
    const [stored] = await sql.$queryRaw<{ entries: number }[]>`
      SELECT count(*)::int AS entries FROM screening_entries WHERE list_id = ${id}::uuid`;
    if (stored?.entries !== entries)
      throw new OperatorError('Its entries were changed while it was loaded: find out by whom, and load it again.');
    const content = { list: id, name, format, sha256, addresses, names };
    const details = { ...content, dated: dated.toISOString(), max_age_days: maxAgeDays };
    const act = await recordAct(sql, { action: 'screening load', details }, by);
    await sql.$executeRaw`
      UPDATE screening_lists SET state = 'former', act_number = ${act} WHERE name = ${name} AND state = 'current'`;
    await sql.$executeRaw`
      UPDATE screening_lists SET state = 'current', sha256 = ${sha256}, addresses = ${addresses}, names = ${names},
        current_at = ${this.clock.now()}, act_number = ${act}, rescan_to = (SELECT coalesce(max(number), 0) FROM screenings)
      WHERE id = ${id}::uuid`;
  }

  private async views(which: Prisma.Sql): Promise<ListView[]> {
    const rows = await this.database.$queryRaw<ListRow[]>`
      SELECT id, name, format, sha256, addresses, names, dated, max_age_days, current_at,
        (
          SELECT count(*) FROM screenings
          WHERE number > coalesce(split_part(rescan_proof, '.', 1)::bigint, 0) AND number <= rescan_to
        )::int AS rescan_left
      FROM screening_lists WHERE ${which} ORDER BY name`;
    const now = this.clock.now();
    return rows.map(({ id, dated, current_at, ...row }) => ({
      list: id,
      ...row,
      dated: dated.toISOString(),
      current_at: current_at.toISOString(),
      is_stale: isStale({ dated, max_age_days: row.max_age_days }, now),
    }));
  }
}

export function currentLists(sql: Pick<Transaction, '$queryRaw'>): Promise<CurrentList[]> {
  return sql.$queryRaw<CurrentList[]>`
    SELECT id, name, sha256, addresses, names, dated, max_age_days FROM screening_lists WHERE state = 'current' ORDER BY name`;
}

export const staleAt = ({ dated, max_age_days }: Pick<CurrentList, 'dated' | 'max_age_days'>): Date =>
  new Date(dated.getTime() + max_age_days * DAY_MS);

export const isStale = (list: Pick<CurrentList, 'dated' | 'max_age_days'>, now: Date): boolean => staleAt(list) <= now;

async function* hashing(
  chunks: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    hash.update(chunk);
    yield chunk;
  }
}
