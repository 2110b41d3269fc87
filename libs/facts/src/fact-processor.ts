/**
 * Handles, parks and retries facts that have arrived, each step in one transaction of the consumer's own database:
 *
 * - handle: select the new ones → hold back those behind a parked one, untried → handle the others
 * - park: store the inbox row, and the fact as it came, with the reason
 * - retry, when an operator asks: handle the parked one and remove it → the same for the next one that it held back,
 *   until none is left or one fails, which then is the parked one
 */
import { Logger } from '@nestjs/common';
import { factSubject, LedgerFact } from '@stablecoin/contracts/wallet/facts';
import { freshRequestContext, withRequestContext } from '@stablecoin/messaging/request-context';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { FactProgress, readFactProgress, storeFactProgress } from '@stablecoin/persistence/fact-progress';
import { takeNewFacts } from '@stablecoin/persistence/inbox';
import {
  countParked,
  failedAgain,
  Failure,
  handOn,
  holdBack,
  IncomingFact,
  insertParked,
  lockFirst,
  ParkedFact,
  requestedRetries,
} from '@stablecoin/persistence/parked-facts';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { Sql } from '@stablecoin/persistence/sql';
import { FactHandler, isOutage, reasonOf } from './fact-handler';

/** A fact as it was delivered. */
export type DeliveredFact = Pick<IncomingFact, 'fact' | 'sealed'>;

interface Queue {
  shard: number;
  concerns: string;
}

export class FactProcessor {
  private readonly log: Logger;
  readonly durable;
  readonly movements;

  constructor(
    private readonly handler: FactHandler,
    private readonly codec: SealedCodec,
  ) {
    this.durable = handler.durable;
    this.movements = handler.movements;
    this.log = new Logger(`FactProcessor ${handler.durable}`);
  }

  /** A fact of which the handler can't say what it concerns concerns itself alone. */
  concerns(fact: LedgerFact): string {
    try {
      return this.handler.concerns(fact);
    } catch {
      return `${fact.shard}:${fact.position}`;
    }
  }

  /** A throw means that nothing was done. */
  async handle(delivered: readonly DeliveredFact[]): Promise<void> {
    await this.transaction(async (transaction) => {
      const fresh = await this.newAmong(transaction, delivered);
      const ready = await holdBack(transaction, this.durable, fresh);
      if (ready.length > 0) await this.handler.handle(transaction, ready);
    });
    this.handler.handled?.();
  }

  /** Sets a fact aside that can't be handled, for an operator; the alert names it. */
  async park(delivered: DeliveredFact, failure: Failure): Promise<void> {
    const parked = await this.transaction(async (transaction) => {
      const [fact] = await this.newAmong(transaction, [delivered]);
      return fact !== undefined && insertParked(transaction, this.durable, fact, failure);
    });
    if (parked) this.alert(delivered.fact, failure);
  }

  progress(): Promise<FactProgress | undefined> {
    return readFactProgress(this.handler.database, this.durable);
  }

  storeProgress(progress: FactProgress): Promise<void> {
    return storeFactProgress(this.handler.database, this.durable, progress);
  }

  /** The number of parked facts and of those held back behind them. */
  parked(): Promise<number> {
    return countParked(this.handler.database, this.durable);
  }

  /** Makes the retries that operators have requested; each queue ends with its first failure. */
  async retryRequested(): Promise<void> {
    for (const queue of await requestedRetries(this.handler.database, this.durable)) {
      while (await this.retryFirst(queue));
    }
  }

  /** @returns whether it was handled, so that the next one may be */
  private async retryFirst(queue: Queue): Promise<boolean> {
    let tried: ParkedFact | undefined;
    try {
      const handled = await this.transaction(async (transaction) => {
        const first = await lockFirst(transaction, this.durable, queue);
        if (!first?.retryRequested) return false;
        tried = first;
        await this.handler.handle(transaction, [this.open(first)]);
        await handOn(transaction, this.durable, { ...queue, position: first.position });
        return true;
      });
      if (handled) this.handler.handled?.();
      return handled;
    } catch (error) {
      if (isOutage(error) || !tried) throw error;
      const reason = reasonOf(error);
      const attempts = await failedAgain(this.handler.database, this.durable, tried, reason);
      this.alert(tried, { reason, attempts });
      return false;
    }
  }

  private transaction<Result>(work: (transaction: Sql) => Promise<Result>): Promise<Result> {
    return withRequestContext(freshRequestContext(), () =>
      this.handler.database.sql.$transaction(work, TRANSACTION_LIMITS),
    );
  }

  /** The new facts, each once, though the batch may have it several times. */
  private async newAmong(transaction: Sql, delivered: readonly DeliveredFact[]): Promise<IncomingFact[]> {
    const byPlace = new Map(delivered.map((each) => [`${each.fact.shard}:${each.fact.position}`, each]));
    const facts = [...byPlace.values()].map(({ fact }) => fact);
    const fresh = new Set(this.handler.keepsInbox ? await takeNewFacts(transaction, this.durable, facts) : facts);
    return [...byPlace.values()]
      .filter(({ fact }) => fresh.has(fact))
      .map(({ fact, sealed }) => ({ fact, sealed, concerns: this.concerns(fact) }));
  }

  private open({ shard, movement, sealed }: ParkedFact): LedgerFact {
    return this.codec.decode(factSubject(shard, movement), sealed) as LedgerFact;
  }

  private alert({ shard, position, movement }: Omit<ParkedFact, 'sealed' | 'retryRequested'>, failure: Failure): void {
    const place = { consumer: this.durable, shard, position, movement };
    this.log.error({ alert: 'fact_parked', msg: 'a fact could not be handled and is parked', ...place, ...failure });
  }
}
