import { Inject, Injectable, OnApplicationBootstrap, OnModuleDestroy } from '@nestjs/common';
import { LedgerFact, Movement } from '@stablecoin/contracts/wallet/facts';
import { FactConsumer, FactHandler } from '@stablecoin/messaging/fact-consumer';
import { LedgerStream } from '@stablecoin/messaging/ledger-stream';
import { BUS_CONNECTION } from '@stablecoin/messaging/messaging.module';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { takeNewFacts } from '@stablecoin/persistence/inbox';
import { TRANSACTION_LIMITS } from '@stablecoin/persistence/postgres';
import { NatsConnection } from 'nats';
import { Clock } from '../../clock';
import { CustomerDatabase } from '../../persistence/customer-database';

/**
 * Marks closed whom the ledger has closed: usually done already by the request itself, else this makes good for a crash
 * between the ledger's yes and our own commit. The broker may be away at the start; the consumer keeps trying.
 */
@Injectable()
export class ClosedCustomersConsumer implements FactHandler, OnApplicationBootstrap, OnModuleDestroy {
  readonly durable = 'customer';
  readonly movements: readonly Movement[] = ['customer-closed'];
  private consumer: FactConsumer | undefined;

  constructor(
    private readonly database: CustomerDatabase,
    private readonly clock: Clock,
    @Inject(BUS_CONNECTION) private readonly connection: NatsConnection,
    private readonly codec: SealedCodec,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.consumer = new FactConsumer(await LedgerStream.open(this.connection, this.codec), this);
    this.consumer.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.consumer?.stop();
  }

  async handle(facts: LedgerFact[]): Promise<void> {
    await this.database.$transaction(async (transaction) => {
      const fresh = await takeNewFacts(transaction, this.durable, facts);
      const ids = fresh.flatMap(({ customer_id }) => customer_id ?? []);
      await transaction.customer.updateMany({
        where: { id: { in: ids }, status: 'active' },
        data: { status: 'closed', updated_at: this.clock.now() },
      });
    }, TRANSACTION_LIMITS);
  }
}
