/**
 * The part of a Prisma client, or of a transaction of one, that speaks SQL. What is kept alike in every service's
 * database (command results, inboxes) is written against this, so that no service needs another's client.
 */
export interface Sql {
  $queryRaw<Rows = unknown>(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<Rows>;
  $executeRaw(query: TemplateStringsArray, ...values: unknown[]): PromiseLike<number>;
}

/** A Prisma client whose transactions speak SQL too. */
export interface Transactional<Transaction extends Sql> {
  $transaction<Result>(
    work: (transaction: Transaction) => Promise<Result>,
    limits?: { maxWait?: number; timeout?: number },
  ): Promise<Result>;
}
