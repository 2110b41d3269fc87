import { createHash, randomInt, randomUUID } from 'node:crypto';
import { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { dryRunPostSwap, PostedSwapDryRun } from '@stablecoin/contracts/wallet/dry-run-post-swap';
import { PostedSwap, PostSwap, postSwap } from '@stablecoin/contracts/wallet/post-swap';
import { CommandReply } from '@stablecoin/contracts/wire/merchant-request';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { BusServer } from '@stablecoin/messaging/bus-server';
import { MessagingModule } from '@stablecoin/messaging/messaging.module';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { loadConfiguration } from '@stablecoin/service-host/setting';
import { testNatsUrl } from '@stablecoin/testing/nats';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { SwapPricingConfiguration } from '../swap-pricing.configuration';
import { SwapPricingModule } from '../swap-pricing.module';

const COMMAND_KEY = Buffer.alloc(32, 7);
const BUS_KEY = createHash('sha256').update('integration tests of swap-pricing').digest();

/** swap-pricing on a database and a bus, with a stand-in for the ledger, which is another process. */
export interface RunningSwapPricing {
  app: INestApplicationContext;
  commands: CommandBus;
  queries: QueryBus;
  database: TestDatabase;
  ledger: LedgerStandIn;
  codec: SealedCodec;
  connection: Awaited<ReturnType<typeof connectToBus>>;
  stop(): Promise<void>;
}

export async function startSwapPricing(environment: NodeJS.ProcessEnv = {}): Promise<RunningSwapPricing> {
  const database = await createTestDatabase('swap');
  const connection = await connectToBus(testNatsUrl(), 'swap-pricing-spec');
  const codec = new SealedCodec(BUS_KEY);
  const ledger = await LedgerStandIn.start(connection, codec);
  const app = await startApp(database, connection, codec, environment);
  return {
    app,
    commands: app.get(CommandBus),
    queries: app.get(QueryBus),
    database,
    ledger,
    codec,
    connection,
    stop: async () => {
      await app.close();
      await connection.close();
      await database.drop();
    },
  };
}

async function startApp(
  database: TestDatabase,
  connection: RunningSwapPricing['connection'],
  codec: SealedCodec,
  environment: NodeJS.ProcessEnv,
): Promise<INestApplicationContext> {
  const configuration = loadConfiguration(SwapPricingConfiguration, {
    NATS_URL: testNatsUrl(),
    BUS_KEY: BUS_KEY.toString('base64'),
    COMMAND_KEY: COMMAND_KEY.toString('base64'),
    SWAP_DATABASE_URL: database.url,
    ...environment,
  });
  const provided = { provide: SwapPricingConfiguration, useValue: configuration };
  const server = new BusServer(connection, codec, 'spec');
  const secret = new CallerSecret('swap-pricing', COMMAND_KEY);
  const bus = { connection, codec, secret, client: new BusClient(connection, codec, secret), server };
  const root = {
    module: class Root {},
    global: true,
    imports: [MessagingModule.of(bus), SwapPricingModule],
    providers: [provided],
    exports: [provided],
  };
  return NestFactory.createApplicationContext(root, { logger: false, abortOnError: false });
}

/** Answers `wallet.post-swap` for one shard as the ledger does: once per command id; and its dry run, which posts nothing. */
export class LedgerStandIn {
  /** A shard that no other spec uses, because the specs share a broker. */
  readonly shard = randomInt(1_000, 32_000);
  readonly posted = new Map<string, { request: PostSwap; result: PostedSwap }>();
  requests = 0;
  /** Hooks before and after a swap is posted: `before` throws to refuse it, `after` to lose the reply. */
  before: (request: PostSwap) => Promise<void> | void = () => undefined;
  after: (request: PostSwap) => Promise<void> | void = () => undefined;

  static async start(connection: RunningSwapPricing['connection'], codec: SealedCodec): Promise<LedgerStandIn> {
    const ledger = new LedgerStandIn();
    const server = new BusServer(connection, codec, 'wallet-ledger');
    const answer = (request: PostSwap) => ledger.answer(request);
    server.serve(postSwap, answer);
    server.serve(dryRunPostSwap, (request) => ledger.answerDryRun(request));
    await server.takeShard(ledger.shard);
    return ledger;
  }

  private async answerDryRun(request: PostSwap): Promise<PostedSwapDryRun | null> {
    if (this.posted.has(request.command_id)) return null;
    await this.before(request);
    const unrecorded = { id: null, transaction_id: null, reference_id: null, created_at: null, updated_at: null };
    return {
      debit_transaction: { ...transactionOf(request, 'DEBIT'), ...unrecorded },
      credit_transaction: { ...transactionOf(request, 'CREDIT'), ...unrecorded },
    };
  }

  private async answer(request: PostSwap): Promise<CommandReply<PostedSwap>> {
    this.requests += 1;
    const stored = this.posted.get(request.command_id);
    if (stored) return { result: stored.result, replayed: true };
    await this.before(request);
    const result = {
      debit_transaction: transactionOf(request, 'DEBIT'),
      credit_transaction: transactionOf(request, 'CREDIT'),
    };
    this.posted.set(request.command_id, { request, result });
    await this.after(request);
    return { result, replayed: false };
  }
}

function transactionOf(request: PostSwap, mode: 'DEBIT' | 'CREDIT'): PostedSwap['debit_transaction'] {
  const now = new Date().toISOString();
  const nothing = {
    sender_wallet_id: null,
    receiver_wallet_id: null,
    fee: null,
    amount_fiat: null,
    network: null,
    crypto_transaction_id: null,
    fiat_reference_id: null,
    recipient_currency: null,
    recipient_country: null,
    bank_name: null,
    bank_code: null,
    reason: null,
    sealed_destination: null,
  };
  return {
    ...nothing,
    id: randomUUID(),
    transaction_id: 'ABCDEFGHIJ',
    reference_id: request.swap_id,
    merchant_id: request.merchant_id,
    customer_id: request.customer_id ?? null,
    transaction_type: 'INTERNAL TRANSFER',
    transaction_mode: mode,
    asset_code: mode === 'DEBIT' ? request.from_currency : request.to_currency,
    amount: mode === 'DEBIT' ? request.from_amount : request.to_amount,
    status: 'PENDING',
    balance: '0.00000000',
    exchange_rate: request.quoted_price,
    created_at: now,
    updated_at: now,
  };
}
