import { BeforeApplicationShutdown, Inject, Injectable, OnApplicationBootstrap } from '@nestjs/common';
import { LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { FactConsumer, FactHandler } from '@stablecoin/messaging/fact-consumer';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { BUS_CONNECTION } from '@stablecoin/messaging/messaging.module';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { takeNewFacts } from '@stablecoin/persistence/inbox';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { NatsConnection } from 'nats';
import { DepositConfirmations } from '../payout-process/deposit-confirmations';
import { PayoutBooks, payoutsInFact } from '../payout-process/payout-books';
import { ProcessWorker } from '../payout-process/process-worker';
import { PayoutDatabase } from '../persistence/payout-database';

/** Accepted payouts begin their process here, and the ledger's word on how they ended closes the books. */
@Injectable()
export class LedgerFactsConsumer implements FactHandler, OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly durable = 'payout';
  readonly movements = ['payout-accepted', 'payout-completed', 'payout-failed', 'payout-reversed', 'deposit-recorded'] as const;
  private consumer: FactConsumer | undefined;

  constructor(
    private readonly database: PayoutDatabase,
    private readonly books: PayoutBooks,
    private readonly deposits: DepositConfirmations,
    private readonly worker: ProcessWorker,
    private readonly codec: SealedCodec,
    @Inject(BUS_CONNECTION) private readonly connection: NatsConnection,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.consumer = new FactConsumer(await LedgerStream.open(this.connection, this.codec), this);
    this.consumer.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.consumer?.stop();
  }

  async handle(facts: LedgerFact[]): Promise<void> {
    await this.database.$transaction(async (transaction) => {
      const fresh = await takeNewFacts(transaction, this.durable, facts);
      const of = (movement: Movement) => fresh.filter((fact) => fact.movement === movement);
      const payouts = (movement: Movement) => of(movement).flatMap(payoutsInFact);
      // A payout appears at most once per movement, and this is the only order in which it moves.
      await this.books.accept(transaction, payouts('payout-accepted'));
      await this.books.close(transaction, payouts('payout-completed'), 'completed');
      await this.books.close(transaction, payouts('payout-failed'), 'failed');
      await this.books.close(transaction, payouts('payout-reversed'), 'reversed');
      await this.deposits.expect(transaction, of('deposit-recorded'));
    }, TRANSACTION_LIMITS);
    this.worker.wake();
  }
}
