/**
 * Metrics and traces of a database: its pool, and within a trace one span per statement, begin and commit. A span names
 * the statement's verb and its table, never a value or the statement itself.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { readAtScrape } from '@stablecoin/telemetry/metrics/instruments';
import { inSpan, isTracing } from '@stablecoin/telemetry/traces/tracing';
import type { Pool } from 'pg';

type Adapter = Awaited<ReturnType<PrismaPg['connect']>>;
type Transaction = Awaited<ReturnType<Adapter['startTransaction']>>;

export type PoolName = 'main' | 'reads';

export class ObservedPrismaPg extends PrismaPg {
  /** One for the client and for SQL past it. */
  private connected: Promise<Adapter> | undefined;

  constructor(
    pool: Pool,
    /** As the metrics name it. */
    private readonly poolName: string,
  ) {
    super(pool, { disposeExternalPool: true });
  }

  override connect(): Promise<Adapter> {
    return (this.connected ??= this.observed());
  }

  /** Ends the pool, if it was ever used. */
  async disconnect(): Promise<void> {
    await (await this.connected)?.dispose();
  }

  private async observed(): Promise<Adapter> {
    const adapter = await super.connect();
    const stopMeasuring = measurePool(adapter.underlyingDriver(), this.poolName);
    const dispose = adapter.dispose.bind(adapter);
    adapter.dispose = () => {
      this.connected = undefined;
      stopMeasuring();
      return dispose();
    };
    return isTracing() ? traced(adapter) : adapter;
  }
}

function measurePool(pool: Pool, name: string): () => void {
  const ends = [
    readAtScrape('database_pool_connections', () => [
      { labels: { pool: name, state: 'in_use' }, value: pool.totalCount - pool.idleCount },
      { labels: { pool: name, state: 'idle' }, value: pool.idleCount },
    ]),
    readAtScrape('database_pool_waiting', () => [{ labels: { pool: name }, value: pool.waitingCount }]),
    readAtScrape('database_pool_size', () => [{ labels: { pool: name }, value: pool.options.max }]),
  ];
  return () => ends.forEach((end) => end());
}

function traced(adapter: Adapter): Adapter {
  const startTransaction = adapter.startTransaction.bind(adapter);
  adapter.startTransaction = async (isolationLevel) =>
    traceStatements(await inStatementSpan('BEGIN', () => startTransaction(isolationLevel)));
  return traceStatements(adapter);
}

/** Prisma sends COMMIT and ROLLBACK as statements like any other. */
function traceStatements<Target extends Adapter | Transaction>(target: Target): Target {
  const queryRaw = target.queryRaw.bind(target);
  const executeRaw = target.executeRaw.bind(target);
  target.queryRaw = (query) => inStatementSpan(query.sql, () => queryRaw(query));
  target.executeRaw = (query) => inStatementSpan(query.sql, () => executeRaw(query));
  return target;
}

function inStatementSpan<Result>(sql: string, work: () => Promise<Result>): Promise<Result> {
  const { operation, table } = statementName(sql);
  const attributes = {
    'db.system.name': 'postgresql',
    'db.operation.name': operation,
    ...(table && { 'db.collection.name': table }),
  };
  return inSpan(table ? `${operation} ${table}` : operation, { kind: 'client', attributes }, work);
}

const OPERATION = /^\s*(SELECT|INSERT|UPDATE|DELETE|WITH|BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i;
const WRITTEN = /(?<!\b(?:FOR|DO)\s+)\b(?:INTO|UPDATE)\s+(?:ONLY\s+)?(?:"?public"?\s*\.\s*)?"?([a-z_]{1,63})\b/i;
const READ = /\bFROM\s+(?:ONLY\s+)?(?:"?public"?\s*\.\s*)?"?([a-z_]{1,63})\b/i;

/** What a statement does, and the first table that it names: of those that it writes, if it writes. */
export function statementName(sql: string): { operation: string; table: string | undefined } {
  const operation = OPERATION.exec(sql)?.[1]?.toUpperCase() ?? 'statement';
  return { operation, table: (WRITTEN.exec(sql) ?? READ.exec(sql))?.[1] };
}
