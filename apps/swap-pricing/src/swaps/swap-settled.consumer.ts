import { Injectable } from '@nestjs/common';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { FactConsumers } from '@stablecoin/facts/fact-consumers';
import { FactHandler, firstTransactionOf } from '@stablecoin/facts/fact-handler';
import { Sql } from '@stablecoin/persistence/sql';
import { SwapDatabase } from '../persistence/swap-database';

/**
 * Marks a quote as used when the ledger's fact says that its swap was settled, whether or not the request that caused
 * it got an answer. The claim stays, so that a repetition of the command still gets its result from the ledger.
 */
@Injectable()
export class SwapSettledConsumer implements FactHandler {
  readonly durable = 'swap-pricing';
  readonly movements = ['swap-settled'] as const;
  readonly keepsInbox = true;

  constructor(
    readonly database: SwapDatabase,
    consumers: FactConsumers,
  ) {
    consumers.add(this);
  }

  /** The quote's id, which both transactions of the swap carry as their reference. */
  concerns(fact: LedgerFact): string {
    return firstTransactionOf(fact).reference_id;
  }

  async handle(transaction: Sql, facts: LedgerFact[]): Promise<void> {
    const quoteIds = [...new Set(facts.flatMap((fact) => fact.transactions.map(({ reference_id }) => reference_id)))];
    // Locked by their ids, as by the requests that settle several at once: neither has one that the other waits for.
    await transaction.$executeRaw`
      WITH locked AS MATERIALIZED (
        SELECT id AS locked_quote FROM quotes WHERE id = ANY (${quoteIds}::uuid[]) AND state <> 'used'
        ORDER BY id FOR UPDATE
      )
      UPDATE quotes SET state = 'used', updated_at = clock_timestamp()
      FROM locked WHERE id = locked_quote AND state <> 'used'`;
  }
}
