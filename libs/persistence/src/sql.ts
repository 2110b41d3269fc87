/** What only reads. */
export interface Reads {
  $queryRaw<Rows = unknown>(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<Rows>;
}

/**
 * The part of a Prisma client, or of its transaction, that runs SQL. Code for tables that every service's database has
 * (command results, inboxes) depends on this only, so that no service needs another's client.
 */
export interface Sql extends Reads {
  $executeRaw(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<number>;
}

/** Statements that are put together: what is in them comes from this program alone, never from outside. */
export interface RawSql {
  $executeRawUnsafe(statement: string, ...values: unknown[]): PromiseLike<number>;
  $queryRawUnsafe<Rows = unknown>(statement: string, ...values: unknown[]): PromiseLike<Rows>;
}

/** A Prisma client whose transactions speak SQL too. */
export interface Transactional<Transaction extends Sql> {
  $transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    limits?: { maxWait?: number; timeout?: number },
  ): Promise<Result>;
}
