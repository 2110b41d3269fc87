import { setTimeout as delay } from 'node:timers/promises';
import { DryRunExecuteSwap, dryRunExecuteSwap, SwapDryRun } from '@stablecoin/contracts/swap/dry-run-execute-swap';
import { dryRunPostSwap } from '@stablecoin/contracts/wallet/dry-run-post-swap';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { releasingSlot } from '@stablecoin/messaging/concurrency-limiter';
import { Handles } from '@stablecoin/messaging/handles';
import { asRefusal } from '@stablecoin/persistence/command-log';
import { SwapDatabase } from '../persistence/swap-database';
import { QuoteRow } from '../quotes/quote-row';
import { TermsMac } from '../quotes/terms-mac';
import { findQuote, judgeQuote } from './choose-quote';
import { SignedQuotes } from './signed-quotes';
import { LEDGER_REFUSALS, ledgerCommand, pausesUntilDeadline } from './swap-execution';

/**
 * What ExecuteSwapHandler would answer to a new command, by the same choice of the quote and the ledger's own decision on
 * the same swap. It claims no quote. While another command executes the quote, it waits for the outcome, as that handler does.
 */
@Handles(dryRunExecuteSwap)
export class DryRunExecuteSwapHandler {
  constructor(
    private readonly database: SwapDatabase,
    private readonly bus: BusClient,
    private readonly quotes: SignedQuotes,
    private readonly mac: TermsMac,
  ) {}

  async execute(command: DryRunExecuteSwap): Promise<SwapDryRun> {
    if (command.objection) throw new Refusal(command.objection);
    for (const pause of pausesUntilDeadline()) {
      const { quote, next } = judgeQuote(await asRefusal(() => findQuote(this.database, command)), command, this.mac);
      if (next === 'claim') return this.executed(quote, command.shard);
      if (!quote.running) return this.executedAfterAbandoned(quote);
      await releasingSlot(() => delay(pause));
    }
    throw new Refusal('unavailable');
  }

  private async executed(quote: QuoteRow, shard: number): Promise<SwapDryRun> {
    const command = ledgerCommand(quote);
    const swap = await this.bus.call(dryRunPostSwap, command, {
      shard,
      evidence: this.quotes.evidence(quote, command),
    });
    if (!swap) throw new Refusal('quote_used');
    return { ...swap, swap_id: quote.id };
  }

  /**
   * An attempt of another command ended without a known outcome. The execution would finish it first: it was posted, or
   * it would be posted now, and the quote is used; or the ledger refuses it, and would refuse this one likewise.
   */
  private async executedAfterAbandoned(quote: QuoteRow): Promise<never> {
    try {
      await this.executed(quote, quote.claim_shard as number);
    } catch (error) {
      const isOpenAgain = error instanceof Refusal && LEDGER_REFUSALS.has(error.code);
      throw isOpenAgain && quote.expired ? new Refusal('quote_expired') : error;
    }
    throw new Refusal('quote_used');
  }
}
