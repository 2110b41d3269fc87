import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { RequestProof } from '@stablecoin/command-proofs/command-mac';
import { ExecutedSwap, ExecuteSwap } from '@stablecoin/contracts/swap/execute-swap';
import { PostedSwap, postSwap, PostSwap, postSwapCommandName } from '@stablecoin/contracts/wallet/post-swap';
import { ErrorCode } from '@stablecoin/contracts/wire/error-codes';
import { CommandReply, MerchantCommand } from '@stablecoin/contracts/wire/merchant-request';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { derivedCommand } from '@stablecoin/messaging/derived-command';
import { releasingSlot } from '@stablecoin/messaging/concurrency-limiter';
import {
  currentRequest,
  freshRequestContext,
  RequestContext,
  withRequestContext,
} from '@stablecoin/messaging/request-context';
import { asRefusal, findResult, storeResult } from '@stablecoin/persistence/command-log';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { SwapDatabase, SwapTransaction } from '../persistence/swap-database';
import { Prisma } from '../persistence/generated/client';
import { QUOTE_COLUMNS, QuoteRow } from '../quotes/quote-row';
import { claimingQuotes, settlingQuotes } from '../quotes/quote-statements';
import { TermsMac } from '../quotes/terms-mac';
import { SignedQuotes } from './signed-quotes';

/** Codes with which the ledger confirms that nothing was posted. Every other code leaves the outcome unknown. */
export const LEDGER_REFUSALS: ReadonlySet<ErrorCode> = new Set([
  'wallet_not_found',
  'customer_closed',
  'unsupported_pair',
  'quote_expired',
  'quote_mismatch',
  'insufficient_funds',
]);
/**
 * How long after its expiry a quote that was claimed in time may still be posted: two deadlines of a request. Without a
 * bound, a merchant could retry until an outdated price was to its advantage.
 */
const POSTING_GRACE_MS = 10_000;
const POLL_MS = 25;
const POLL_MS_MAX = 250;

type ShardCommand = MerchantCommand & { shard: number };

/** How an attempt ended: the swap is posted, or the ledger refused it and the quote is open again. */
export type AttemptOutcome = { posted: CommandReply<ExecutedSwap> } | { refused: Refusal };

/**
 * The part of executing a swap that spans two services. A quote goes open → claimed → used:
 *
 * 1. `claim`: one command takes an open quote for itself, with a time until which its attempt may be under way.
 * 2. `finish`: the swap is posted to the ledger under a command id derived from the quote, so that any instance can
 *    send it again and it still happens once. Posted → used, with the command's result in the same commit. Refused →
 *    open again. Anything else: the outcome is unknown and the quote stays claimed.
 * 3. A claim whose time has passed is finished by the next attempt that finds it (`takeOver`), for the command that
 *    claimed it.
 *
 * `claim_attempt` fences: a refusal that arrives late can't open a quote that another attempt has since taken over.
 */
@Injectable()
export class SwapExecution {
  private readonly log = new Logger(SwapExecution.name);
  private readonly claimNew;
  private readonly settleNew;

  constructor(
    private readonly database: SwapDatabase,
    private readonly bus: BusClient,
    private readonly quotes: SignedQuotes,
    private readonly mac: TermsMac,
  ) {
    this.claimNew = claimingQuotes(database);
    this.settleNew = settlingQuotes(database);
  }

  /** @returns undefined when the quote is no longer open, or has expired */
  async claim(transaction: SwapTransaction, quote: QuoteRow, command: ShardCommand): Promise<QuoteRow | undefined> {
    const [claimed] = await transaction.$queryRaw<QuoteRow[]>`
      UPDATE quotes SET ${claimOf(command)}
      WHERE id = ${quote.id}::uuid AND state = 'open' AND expires_at > clock_timestamp()
      RETURNING ${QUOTE_COLUMNS}`;
    return claimed;
  }

  /**
   * Finds and claims the quote at once, for a new command that nothing stands against: the usual case.
   *
   * @returns undefined for every other command, which then has to be decided step by step
   */
  async claimAtOnce(command: ExecuteSwap): Promise<QuoteRow | undefined> {
    const requestProof = proofText(currentRequest()?.requestProof);
    const claimed = await this.claimNew({ command, requestProof, deadline: deadline() });
    if (!claimed || this.mac.fits(claimed)) return claimed;
    await this.reopen(claimed);
    throw new Refusal('quote_expired');
  }

  /** Takes over a claim whose attempt has ended; undefined when another attempt was faster. */
  async takeOver(quote: QuoteRow): Promise<QuoteRow | undefined> {
    const [taken] = await asRefusal(
      () => this.database.$queryRaw<QuoteRow[]>`
        UPDATE quotes SET claim_attempt = claim_attempt + 1,
          running_until = clock_timestamp() + ${remainingMs()}::int * interval '1 millisecond'
        WHERE id = ${quote.id}::uuid AND claim_attempt = ${quote.claim_attempt}::int
          AND claim_command_id IS NOT NULL AND running_until <= clock_timestamp()
        RETURNING ${QUOTE_COLUMNS}`,
    );
    return taken;
  }

  /** Waits until the quote is not claimed, or finds its outcome out; returns it open or used, if it exists. */
  async untilUnclaimed(find: () => Promise<QuoteRow | undefined>): Promise<QuoteRow | undefined> {
    for (const pause of pausesUntilDeadline()) {
      const quote = await asRefusal(find);
      if (quote?.state !== 'claimed') return quote;
      if (quote.running) await releasingSlot(() => delay(pause));
      else await this.resolve(quote);
    }
    throw new Refusal('unavailable');
  }

  /** Finishes an abandoned attempt of another command; does nothing when another attempt is under way. */
  async resolve(quote: QuoteRow): Promise<void> {
    const taken = await this.takeOver(quote);
    if (taken) await this.finish(taken);
  }

  /**
   * Posts a claimed quote and settles the claim.
   *
   * @throws Refusal `unavailable`, or an internal error, when the outcome is unknown
   */
  async finish(quote: QuoteRow): Promise<AttemptOutcome> {
    const reply = await this.post(quote);
    if (reply instanceof Refusal) {
      await this.reopen(quote);
      return { refused: reply };
    }
    const result = await this.settle(quote, { swap_id: quote.id, ...reply.result });
    return { posted: { result, replayed: reply.replayed } };
  }

  private async post(quote: QuoteRow): Promise<CommandReply<PostedSwap> | Refusal> {
    try {
      const command = ledgerCommand(quote);
      const target = { shard: quote.claim_shard as number, evidence: this.quotes.evidence(quote, command) };
      return await withRequestContext(contextOfClaim(quote), () => this.bus.call(postSwap, command, target));
    } catch (error) {
      if (error instanceof Refusal && LEDGER_REFUSALS.has(error.code)) return error;
      await this.endAttempt(quote);
      this.log.warn(`quote ${quote.id}: outcome unknown (${error instanceof Refusal ? error.code : String(error)})`);
      if (error instanceof Refusal && error.code === 'idempotency_in_flight') throw new Refusal('unavailable');
      throw error instanceof Refusal && error.code === 'unavailable' ? error : new Refusal('internal_error');
    }
  }

  private async settle(quote: QuoteRow, result: ExecutedSwap): Promise<ExecutedSwap> {
    const command: MerchantCommand = {
      merchant_id: quote.merchant_id,
      command_id: quote.claim_command_id as string,
      input_hash: quote.claim_input_hash as string,
    };
    return asRefusal(async () => {
      if (await this.settleNew({ quote, command, result })) return result;
      return this.database.sql.$transaction(async (transaction) => {
        await transaction.$queryRaw`SELECT 1 FROM quotes WHERE id = ${quote.id}::uuid FOR UPDATE`;
        const stored = await findResult<ExecutedSwap>(transaction, command);
        if (stored) return stored.result;
        await transaction.$executeRaw`
          UPDATE quotes SET state = 'used', updated_at = clock_timestamp()
          WHERE id = ${quote.id}::uuid AND state <> 'used'`;
        await storeResult(transaction, command, result);
        return result;
      }, TRANSACTION_LIMITS);
    });
  }

  private async reopen(quote: QuoteRow): Promise<void> {
    const reopened = await asRefusal(
      () => this.database.$executeRaw`
        UPDATE quotes SET state = 'open', claim_command_id = NULL, claim_input_hash = NULL, claim_shard = NULL,
          claim_request_proof = NULL, running_until = NULL
        WHERE id = ${quote.id}::uuid AND state = 'claimed' AND claim_attempt = ${quote.claim_attempt}::int`,
    );
    // Taken over meanwhile: the ledger may answer the later attempt differently.
    if (reopened === 0) throw new Refusal('unavailable');
  }

  /** Lets the next attempt take over at once, before this one's deadline. Nothing depends on it. */
  private async endAttempt(quote: QuoteRow): Promise<void> {
    try {
      await this.database.$executeRaw`
        UPDATE quotes SET running_until = clock_timestamp()
        WHERE id = ${quote.id}::uuid AND state = 'claimed' AND claim_attempt = ${quote.claim_attempt}::int`;
    } catch (error) {
      this.log.warn(`quote ${quote.id}: ${(error as Error).message}`);
    }
  }
}

/** Another command's attempt that was abandoned is finished for the request that claimed the quote, with the proof of that one. */
function contextOfClaim({ claim_command_id, claim_request_proof: stored }: QuoteRow): RequestContext {
  const context = currentRequest() ?? freshRequestContext();
  if (stored === null || context.commandId === claim_command_id) return context;
  return { ...context, requestProof: JSON.parse(stored) as RequestProof };
}

const proofText = (proof: RequestProof | undefined): string | null => (proof ? JSON.stringify(proof) : null);

/** The same command for every attempt at a quote's terms, by any instance. */
export function ledgerCommand(quote: QuoteRow): PostSwap {
  const terms = {
    merchant_id: quote.merchant_id,
    swap_id: quote.id,
    customer_id: quote.customer_id,
    from_currency: quote.from_currency,
    to_currency: quote.to_currency,
    from_amount: quote.from_amount,
    to_amount: quote.to_amount,
    quoted_price: quote.quoted_price,
    valid_until: new Date(quote.expires_at.getTime() + POSTING_GRACE_MS).toISOString(),
  };
  return { ...terms, ...derivedCommand(postSwapCommandName(quote.id), terms) };
}

const deadline = (): number => (currentRequest() ?? freshRequestContext()).deadline;

const remainingMs = (): number => Math.max(0, deadline() - Date.now());

/** Growing pauses while the request has time: a loop over them ends by its deadline. */
export function* pausesUntilDeadline(): Generator<number> {
  const end = deadline();
  for (let pause = POLL_MS; Date.now() + pause < end; pause = Math.min(pause * 2, POLL_MS_MAX)) yield pause;
}

/** The assignments by which a command takes a quote, with a time until which its attempt may be under way. */
const claimOf = (command: ShardCommand): Prisma.Sql => Prisma.sql`
  state = 'claimed', claim_command_id = ${command.command_id}::uuid, claim_input_hash = ${command.input_hash},
  claim_shard = ${command.shard}::int, claim_request_proof = ${proofText(currentRequest()?.requestProof)},
  claim_attempt = claim_attempt + 1,
  running_until = clock_timestamp() + ${remainingMs()}::int * interval '1 millisecond'`;
