import { ObservedPrismaPg } from './observed-pool';
import { SqlDatabase } from './sql-database';

interface Client {
  readonly sql: SqlDatabase;
  $disconnect(): Promise<void>;
  $transaction: unknown;
}

/**
 * A Prisma client whose raw statements go past it (ADR 59). Its own transactions, and what is done within them, stay with
 * it: they are for work that has typed queries.
 *
 * The client itself is left as it is, for its transactions are derived from it: a raw statement of theirs must not leave
 * them.
 */
export function pastTheClient<Database extends Client>(client: Database, adapter: ObservedPrismaPg): Database {
  const { sql } = client;
  const disconnect = async () => {
    await client.$disconnect();
    // The client ends the pool only if it has used it.
    await adapter.disconnect();
  };
  const own = {
    // Looked up at each call: a spec may have put a failure in its place.
    $queryRaw: (...statement: Parameters<SqlDatabase['$queryRaw']>) => sql.$queryRaw(...statement),
    $executeRaw: (...statement: Parameters<SqlDatabase['$executeRaw']>) => sql.$executeRaw(...statement),
    $transaction: (client.$transaction as () => unknown).bind(client),
    $disconnect: disconnect,
  };
  return new Proxy(client, {
    get: (target, name) =>
      (Object.hasOwn(own, name) ? own[name as keyof typeof own] : Reflect.get(target, name)) as unknown,
  });
}
