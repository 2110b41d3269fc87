import { Injectable } from '@nestjs/common';
import { LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { FactHandler } from '@stablecoin/messaging/fact-consumer';
import { FactConsumers } from '@stablecoin/messaging/fact-consumers';
import { takeNewFacts } from '@stablecoin/persistence/inbox';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { SwapDatabase } from '../persistence/swap-database';

/**
 * The ledger's own word that a swap happened: its quote is used, whatever became of the request that asked for it.
 * The claim stays, so that the same command coming again still gets its result from the ledger.
 */
@Injectable()
export class SwapSettledConsumer implements FactHandler {
  readonly durable = 'swap-pricing';
  readonly movements = ['swap-settled'] as const;

  constructor(
    private readonly database: SwapDatabase,
    consumers: FactConsumers,
  ) {
    consumers.add(this);
  }

  async handle(facts: LedgerFact[]): Promise<void> {
    await this.database.$transaction(async (transaction) => {
      const fresh = await takeNewFacts(transaction, this.durable, facts);
      const quoteIds = [...new Set(fresh.flatMap((fact) => fact.transactions.map(({ reference_id }) => reference_id)))];
      if (quoteIds.length === 0) return;
      await transaction.$executeRaw`
        UPDATE quotes SET state = 'used', updated_at = clock_timestamp()
        WHERE id = ANY (${quoteIds}::uuid[]) AND state <> 'used'`;
    }, TRANSACTION_LIMITS);
  }
}
