import { Handles } from '@stablecoin/messaging/handles';
import { setTimeout as delay } from 'node:timers/promises';
import { ExecutedSwap, ExecuteSwap, executeSwap } from '@stablecoin/contracts/swap/execute-swap';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { releasingSlot } from '@stablecoin/messaging/concurrency-limiter';
import { currentRequest, freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { asRefusal, findResult, lockCommand } from '@stablecoin/persistence/command-log';
import { databaseFailure } from '@stablecoin/persistence/database-error';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { RunningCommands } from '../persistence/running-commands';
import { SwapDatabase, SwapTransaction } from '../persistence/swap-database';
import { QUOTE_COLUMNS, QuoteRow } from '../quotes/quote-row';
import { TermsMac } from '../quotes/terms-mac';
import { pausesUntilDeadline, SwapExecution } from './swap-execution';
import { findQuote, judgeQuote } from './choose-quote';

/** The next step, by the state of the quotes and the command results. */
type Step =
  | { do: 'reply'; reply: CommandReply<ExecutedSwap> }
  | { do: 'finish'; quote: QuoteRow }
  | { do: 'take-over'; quote: QuoteRow }
  | { do: 'resolve'; quote: QuoteRow }
  | { do: 'wait' };

/**
 * First the usual case in one statement: a new command, and an open quote for it. Any other command is decided in rounds.
 * Each round: one short transaction reads the quotes and claims one if it can → the call to the ledger, outside of any
 * transaction (see SwapExecution). Rounds repeat while another command's attempt at the quote is under way or its
 * outcome must be found out, and end with the request's deadline.
 */
@Handles(executeSwap)
export class ExecuteSwapHandler {
  private readonly running = new RunningCommands();

  constructor(
    private readonly database: SwapDatabase,
    private readonly execution: SwapExecution,
    private readonly mac: TermsMac,
  ) {}

  execute(command: ExecuteSwap): Promise<CommandReply<ExecutedSwap>> {
    const context = currentRequest() ?? freshRequestContext();
    return this.running.once(command.command_id, () => withRequestContext(context, () => this.run(command)));
  }

  private async run(command: ExecuteSwap): Promise<CommandReply<ExecutedSwap>> {
    const claimed = command.objection ? undefined : await asRefusal(() => this.execution.claimAtOnce(command));
    if (claimed) return this.finish(claimed);
    for (const pause of pausesUntilDeadline()) {
      const step = await this.look(command);
      if (step.do === 'reply') return step.reply;
      if (step.do === 'finish') return this.finish(step.quote);
      if (step.do === 'take-over') {
        const taken = await this.execution.takeOver(step.quote);
        // The attempt is still under way in an instance, or another retry was faster.
        if (!taken) throw new Refusal('idempotency_in_flight');
        return this.finish(taken);
      }
      if (step.do === 'resolve') await this.execution.resolve(step.quote);
      else await releasingSlot(() => delay(pause));
    }
    throw new Refusal('unavailable');
  }

  private async finish(quote: QuoteRow): Promise<CommandReply<ExecutedSwap>> {
    const outcome = await this.execution.finish(quote);
    if ('refused' in outcome) throw outcome.refused;
    return outcome.posted;
  }

  private look(command: ExecuteSwap): Promise<Step> {
    return asRefusal(async () => {
      try {
        return await this.database.sql.$transaction(
          (transaction) => this.decide(transaction, command),
          TRANSACTION_LIMITS,
        );
      } catch (error) {
        // The same command has just claimed another quote through another instance.
        if (databaseFailure(error).kind === 'constraint') throw new Refusal('idempotency_in_flight');
        throw error;
      }
    });
  }

  private async decide(transaction: SwapTransaction, command: ExecuteSwap): Promise<Step> {
    const locked = await lockCommand(transaction, command.command_id);
    const stored = await findResult<ExecutedSwap>(transaction, command);
    if (stored) return { do: 'reply', reply: { result: stored.result, replayed: true } };
    if (!locked) throw new Refusal('idempotency_in_flight');
    const own = await this.ownClaim(transaction, command);
    if (own) return { do: 'take-over', quote: own };
    if (command.objection) throw new Refusal(command.objection);
    const { quote, next } = judgeQuote(await findQuote(transaction, command), command, this.mac);
    if (next === 'await') return quote.running ? { do: 'wait' } : { do: 'resolve', quote };
    const claimed = await this.execution.claim(transaction, quote, command);
    return claimed ? { do: 'finish', quote: claimed } : { do: 'wait' };
  }

  /** The quote that an earlier attempt of this command claimed without storing an outcome. */
  private async ownClaim(transaction: SwapTransaction, command: ExecuteSwap): Promise<QuoteRow | undefined> {
    const [own] = await transaction.$queryRaw<QuoteRow[]>`
      SELECT ${QUOTE_COLUMNS} FROM quotes WHERE claim_command_id = ${command.command_id}::uuid`;
    const another = own && (own.merchant_id !== command.merchant_id || own.claim_input_hash !== command.input_hash);
    if (another) throw new Refusal('idempotency_key_reused');
    return own;
  }
}
