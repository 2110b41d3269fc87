import { FactTransaction, LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { Sql, Transactional } from '@stablecoin/persistence/sql';

/** What a service does with facts of the ledger. FactProcessor delivers them and parks those that fail. */
export interface FactHandler {
  /** The consumer's name on the stream, in the inbox and among what is parked. */
  readonly durable: string;
  readonly movements: readonly Movement[];
  readonly database: Sql & { readonly sql: Transactional<Sql> };
  /** False where the handler's own tables recognise a fact that is delivered again. */
  readonly keepsInbox: boolean;
  /**
   * What the fact is about, and whose order counts: when one fact can't be handled, later ones that concern the same
   * wait behind it.
   */
  concerns(fact: LedgerFact): string;
  /**
   * Does what the facts ask for, in the order given, through the transaction and nothing else; a throw means that
   * nothing was done. It must allow for facts that it has handled before and for another order: a stream that was lost
   * is filled again from the beginning of the log, and the inbox keeps its rows for a limited time.
   */
  handle(transaction: Sql, facts: LedgerFact[]): Promise<void>;
  /** After the commit. */
  handled?(): void;
}

/** Facts about money name the transaction that they are about first. */
export function firstTransactionOf({ transactions }: LedgerFact): FactTransaction {
  const [first] = transactions;
  if (!first) throw new Error('the fact names no transaction');
  return first;
}

const REASON_LENGTH_MAX = 300;

/**
 * Whether a failure says nothing about the fact: the database or the bus is away, or another transaction was in the
 * way.
 */
export function isOutage(error: unknown): boolean {
  const { kind } = databaseFailure(error);
  return kind === 'unknown' || kind === 'retry' || (error instanceof Refusal && error.code === 'unavailable');
}

/** One line for an operator. Facts carry ids and what is sealed, so there is nothing personal to quote. */
export function reasonOf(error: unknown): string {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  const line = message.trim().split('\n').at(-1) ?? '';
  return `${name}: ${line}`.slice(0, REASON_LENGTH_MAX);
}
