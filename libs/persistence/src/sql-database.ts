/**
 * SQL through Prisma's driver adapter, past its client (ADR 59): the same pool, the same conversions and the same errors,
 * without the client's engine, which takes as long again as the statement itself.
 */
import { Decimal, Sql as Fragment } from '@prisma/client/runtime/client';
import { isOutdatedPlan } from './database-error';
import { ObservedPrismaPg } from './observed-pool';
import { RawSql, Sql, Transactional } from './sql';

type Adapter = Awaited<ReturnType<ObservedPrismaPg['connect']>>;
type Begun = Awaited<ReturnType<Adapter['startTransaction']>>;
type Query = Parameters<Adapter['queryRaw']>[0];
type ResultSet = Awaited<ReturnType<Adapter['queryRaw']>>;
type Text = TemplateStringsArray | Fragment;
type IsolationLevel = NonNullable<Parameters<Adapter['startTransaction']>[0]>;
type Limits = NonNullable<Parameters<Transactional<Sql>['$transaction']>[1]> & {
  isolationLevel?: IsolationLevel;
  /** For work that remembers what it has done in the transaction: it is never done once more. */
  isDoneOnce?: boolean;
};

/** Prisma's own, where a caller names none. */
const WAIT_MS_MAX = 2_000;
const TIMEOUT_MS = 5_000;

/**
 * A statement of its own, and a whole transaction, are done once more after a change of the schema that a prepared
 * statement had not seen: nothing was done then. What a transaction does outside of the database it may so do twice.
 */
export class SqlDatabase implements Sql, Transactional<Sql> {
  constructor(private readonly adapter: ObservedPrismaPg) {}

  $queryRaw<Rows = unknown>(text: Text, ...values: unknown[]): Promise<Rows> {
    const query = queryOf(text, values);
    return unlessOutdated(async () => rowsOf(await (await this.adapter.connect()).queryRaw(query)) as Rows);
  }

  $executeRaw(text: Text, ...values: unknown[]): Promise<number> {
    const query = queryOf(text, values);
    return unlessOutdated(async () => (await this.adapter.connect()).executeRaw(query));
  }

  $transaction<Result>(work: (transaction: Sql & RawSql) => Promise<Result>, limits: Limits = {}): Promise<Result> {
    if (limits.isDoneOnce) return this.attempt(work, limits);
    return unlessOutdated(() => this.attempt(work, limits));
  }

  private async attempt<Result>(work: (transaction: Sql & RawSql) => Promise<Result>, limits: Limits): Promise<Result> {
    const begun = await this.begin(limits);
    const transaction = new SqlTransaction(begun, limits.timeout ?? TIMEOUT_MS);
    let result: Result;
    try {
      result = await work(transaction);
    } catch (error) {
      await transaction.rollBack();
      throw error;
    }
    await transaction.commit();
    return result;
  }

  private async begin({ maxWait: maxWaitMs = WAIT_MS_MAX, isolationLevel }: Limits): Promise<Begun> {
    const adapter = await this.adapter.connect();
    const beginning = adapter.startTransaction(isolationLevel);
    let timer: NodeJS.Timeout | undefined;
    const tooLate = new Promise<undefined>((resolve) => (timer = setTimeout(resolve, maxWaitMs, undefined)));
    const begun = await Promise.race([beginning, tooLate]).finally(() => clearTimeout(timer));
    if (begun) return begun;
    // It may still begin, and then it must not keep its connection.
    beginning.then((late) => new SqlTransaction(late, maxWaitMs).rollBack()).catch(() => undefined);
    throw new TransactionFailure('unable to start a transaction in the given time');
  }
}

/** Prisma's code for a transaction that did not begin, or that is over: for the caller, a database that did not answer. */
class TransactionFailure extends Error {
  readonly code = 'P2028';
}

/**
 * What comes after its end, and after its time, is refused: its connection may be another caller's by then. A statement
 * that is under way when the time runs out is not interrupted; the ROLLBACK waits behind it.
 */
class SqlTransaction implements Sql, RawSql {
  private over: string | undefined;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly begun: Begun,
    timeoutMs: number,
  ) {
    this.timer = setTimeout(() => void this.rollBack(`took longer than ${timeoutMs} ms`), timeoutMs);
    this.timer.unref();
  }

  async $queryRaw<Rows = unknown>(text: Text, ...values: unknown[]): Promise<Rows> {
    this.assertOpen();
    return rowsOf(await this.begun.queryRaw(queryOf(text, values))) as Rows;
  }

  async $executeRaw(text: Text, ...values: unknown[]): Promise<number> {
    this.assertOpen();
    return this.begun.executeRaw(queryOf(text, values));
  }

  async $queryRawUnsafe<Rows = unknown>(statement: string, ...values: unknown[]): Promise<Rows> {
    this.assertOpen();
    return rowsOf(await this.begun.queryRaw(asQuery(statement, values))) as Rows;
  }

  async $executeRawUnsafe(statement: string, ...values: unknown[]): Promise<number> {
    this.assertOpen();
    return this.begun.executeRaw(asQuery(statement, values));
  }

  async commit(): Promise<void> {
    this.assertOpen();
    await this.end('COMMIT', 'was committed');
  }

  /** Never fails: a connection that is lost rolls back by itself. */
  async rollBack(why = 'was rolled back'): Promise<void> {
    if (this.over === undefined) await this.end('ROLLBACK', why).catch(() => undefined);
  }

  private async end(statement: 'COMMIT' | 'ROLLBACK', over: string): Promise<void> {
    this.over = over;
    clearTimeout(this.timer);
    try {
      await this.begun.executeRaw({ sql: statement, args: [], argTypes: [] });
    } finally {
      // The adapter's own commit and rollback both only give the connection back.
      await this.begun.rollback();
    }
  }

  private assertOpen(): void {
    if (this.over !== undefined) throw new TransactionFailure(`the transaction ${this.over}`);
  }
}

async function unlessOutdated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!isOutdatedPlan(error)) throw error;
    return work();
  }
}

/** The text of a template without fragments is always the same: it is made once. */
const textOfTemplate = new WeakMap<TemplateStringsArray, string>();
const SCALAR = { scalarType: 'unknown', arity: 'scalar' } as const;
const LIST = { scalarType: 'unknown', arity: 'list' } as const;

function queryOf(text: Text, given: readonly unknown[]): Query {
  const { sql, values } = statementOf(text, given);
  return asQuery(sql, values);
}

function asQuery(sql: string, values: readonly unknown[]): Query {
  const argTypes = values.map((value) => (Array.isArray(value) ? LIST : SCALAR));
  return { sql, args: values.map(argument), argTypes };
}

function statementOf(text: Text, values: readonly unknown[]): { sql: string; values: readonly unknown[] } {
  if (text instanceof Fragment) return { sql: text.text, values: text.values };
  if (values.some((value) => value instanceof Fragment)) {
    const whole = new Fragment(text, values);
    return { sql: whole.text, values: whole.values };
  }
  let sql = textOfTemplate.get(text);
  if (sql === undefined) {
    sql = text.reduce((before, part, index) => `${before}$${index}${part}`);
    textOfTemplate.set(text, sql);
  }
  return { sql, values };
}

/** As Prisma's client sends it: the adapter and the driver know dates and bytes, but no Decimal and no JSON. */
function argument(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value !== 'object' || value === null || value instanceof Date || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map(argument);
  return Decimal.isDecimal(value) ? value.toString() : JSON.stringify(value);
}

type Reading = (value: never) => unknown;

const each =
  (reading: Reading): Reading =>
  (values: readonly unknown[]) =>
    values.map((value) => (value === null ? null : reading(value as never)));
const bigint: Reading = (value: string | number) => BigInt(value);
const decimal: Reading = (value: string) => new Decimal(value);
const date: Reading = (value: string) => new Date(value);
const time: Reading = (value: string) => new Date(`1970-01-01T${value}Z`);
const json: Reading = (value: string) => JSON.parse(value) as unknown;
const bytes: Reading = ({ buffer, byteOffset, byteLength }: Buffer) => new Uint8Array(buffer, byteOffset, byteLength);

/** By the adapter's numbers for types (ColumnTypeEnum). All others stay as the driver reads them. */
const READING_OF = { 1: bigint, 4: decimal, 8: date, 9: time, 10: date, 11: json, 13: bytes };
/** The number of a list is higher by this than that of its members. */
const LIST_FROM = 64;
const READINGS = new Map<number, Reading>(
  Object.entries(READING_OF).flatMap(([type, reading]) => [
    [Number(type), reading],
    [Number(type) + LIST_FROM, each(reading)],
  ]),
);

function rowsOf({ columnNames, columnTypes, rows }: ResultSet): Record<string, unknown>[] {
  const readings = columnTypes.map((type) => READINGS.get(type));
  return rows.map((row) => {
    const named: Record<string, unknown> = {};
    for (let column = 0; column < row.length; column += 1) {
      const value = row[column];
      const reading = value === null ? undefined : readings[column];
      named[columnNames[column] as string] = reading ? reading(value as never) : value;
    }
    return named;
  });
}
