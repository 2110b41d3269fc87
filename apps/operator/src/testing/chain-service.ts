import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { DepositAddresses } from '@stablecoin/addresses/derive-address';
import { TokenCurrency } from '@stablecoin/chains/tokens';
import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { listActs } from '@stablecoin/customer-store/operator-acts/operator-acts';
import { describeSigner } from '@stablecoin/contracts/signer/describe';
import { Operation, Plain } from '@stablecoin/contracts/wire/operation';
import { commandSettings } from '@stablecoin/local-stack/command-keys';
import { bundledMain, nodeCommand, ServiceProcess } from '@stablecoin/local-stack/service-process';
import { BusClient } from '@stablecoin/messaging/bus-client';
import { connectToBus } from '@stablecoin/messaging/bus-connection';
import { SealedCodec } from '@stablecoin/messaging/sealed-codec';
import { Address, startChain, TestChain } from '@stablecoin/testing/chain';
import { OwnNats, startOwnNats } from '@stablecoin/testing/nats-server';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { deployedOperator } from '../deployed-operator';

const SEED = createHash('sha512').update('integration tests: signer').digest();
const BUS_KEY = createHash('sha256').update('integration tests: chain commands').digest();
const addresses = new DepositAddresses(SEED);

const CAPS = {
  SIGNER_PAYOUT_CAPS: 'polygon:USDT=1000/100000, polygon:USDC=1000/100000',
  SIGNER_GAS_CAPS: 'polygon=1/50',
  SIGNER_FEE_CAPS: 'polygon=1/100',
  SIGNER_FEE_PER_GAS_CAPS: 'polygon=2000',
};

/** Chain and signer as processes on a chain, a database and a broker of their own, and the commands against them. */
export class ChainService {
  private constructor(
    readonly chain: TestChain,
    readonly hot: Address,
    private readonly parts: {
      nats: OwnNats;
      database: TestDatabase;
      /** Where the log of acts is. */
      record: TestDatabase;
      owner: Client;
      processes: readonly ServiceProcess[];
      folder: string;
    },
  ) {}

  /** @param settings further ones of the chain service */
  static async start(settings: NodeJS.ProcessEnv = {}): Promise<ChainService> {
    const folder = mkdtempSync(join(tmpdir(), 'signer-'));
    const [database, record, nats, chain] = await Promise.all([
      createTestDatabase('chain'),
      createTestDatabase('customer'),
      startOwnNats(),
      startChain({ network: 'polygon', blocks: 'ordered' }),
    ]);
    const commandKey = Buffer.alloc(32, 7).toString('base64');
    const keys = { BUS_KEY: BUS_KEY.toString('base64'), COMMAND_KEY: commandKey };
    const shared = { ...process.env, NATS_URL: nats.url, ...keys };
    const signing = { SIGNER_SEED: SEED.toString('hex'), SIGNER_JOURNAL_DIRECTORY: folder };
    const evidence = commandSettings('signer', () => commandKey);
    const signer = await started('signer', { ...shared, ...CAPS, ...signing, ...evidence });
    const watching = { CHAIN_DATABASE_URL: database.url, CHAIN_RPC_POLYGON: chain.rpcUrl };
    const often = { CHAIN_POLL_MS: '50', CHAIN_TREASURY_POLL_MS: '100' };
    const watcher = await started('chain', { ...shared, ...watching, ...often, ...settings });
    const owner = new Client({ connectionString: database.ownerUrl });
    await owner.connect();
    const parts = { nats, database, record, owner, processes: [watcher, signer], folder };
    const service = new ChainService(chain, await hotWallet(nats.url), parts);
    await chain.sendTokens('USDT', service.hot, 5_000_000_000n);
    return service;
  }

  /** Without a ledger to tell of it: a wallet and its address, as facts leave them. */
  async wallet(currency: TokenCurrency, index: number): Promise<{ id: string; address: Address }> {
    const [id, address] = [randomUUID(), addresses.derive('polygon', index) as Address];
    const bytes = `\\x${address.slice(2)}`;
    await this.sql('INSERT INTO wallets (id, merchant_id, shard, currency) VALUES ($1, $2, 0, $3)', [
      ...[id, randomUUID(), currency],
    ]);
    await this.sql(
      `INSERT INTO deposit_addresses (address, network, wallet_id, recorded_at) VALUES ($1, 'polygon', $2, now())`,
      [bytes, id],
    );
    return { id, address };
  }

  /** Behind the service's back, as the database's owner. */
  async sql<Row = Record<string, unknown>>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.parts.owner.query(text, values)).rows as Row[];
  }

  ask<Request extends object, Reply>(operation: Operation<Request, Reply>, body: Plain<Request>): Promise<Reply> {
    return onBus(this.parts.nats.url, (bus) => bus.call(operation, body));
  }

  /** Runs the command line like a shell. */
  async operate(args: readonly string[], settings: NodeJS.ProcessEnv = {}) {
    const env = { NATS_URL: this.parts.nats.url, BUS_KEY: BUS_KEY.toString('base64'), OPERATOR_NAME: 'Ada Obi' };
    const log = { CUSTOMER_DATABASE_URL: this.parts.record.url };
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const code = await deployedOperator({ ...env, ...log, ...settings }, stdout, stderr).run(['chain', ...args]);
    const text = (stream: PassThrough) => String((stream.read() as Buffer | null) ?? '');
    return { code, out: text(stdout), err: text(stderr) };
  }

  /** What operators did, oldest first. */
  async acts(): Promise<Record<string, unknown>[]> {
    const database = new CustomerDatabase({ url: this.parts.record.url, poolSize: 1 });
    try {
      return (await listActs(database, { since: undefined, limit: 1_000 })).toReversed() as unknown as Record<
        string,
        unknown
      >[];
    } finally {
      await database.$disconnect();
    }
  }

  /** The answer of a command that must succeed with one line of JSON. */
  async answer<Answer>(command: string, ...args: string[]): Promise<Answer> {
    const { code, out, err } = await this.operate([...command.split(' '), ...args, '--json']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/^\S[^\n]*\n$/);
    return JSON.parse(out) as Answer;
  }

  /** The chain service alone; everything else goes on. */
  async stopChainService(): Promise<void> {
    await this.parts.processes[0]?.stop();
  }

  async stop(): Promise<void> {
    const { processes, owner, nats, database, record, folder } = this.parts;
    for (const process of processes) await process.stop();
    await owner.end();
    await Promise.all([nats.stop(), this.chain.stop()]);
    await database.drop();
    await record.drop();
    rmSync(folder, { recursive: true });
  }
}

async function started(title: string, env: NodeJS.ProcessEnv): Promise<ServiceProcess> {
  const service = new ServiceProcess({ title, command: nodeCommand(bundledMain(title)), env, output: 'tail' });
  await service.untilReady();
  return service;
}

async function onBus<Result>(url: string, work: (bus: BusClient) => Promise<Result>): Promise<Result> {
  const connection = await connectToBus(url, `operator-spec-${randomBytes(4).toString('hex')}`);
  try {
    return await work(new BusClient(connection, new SealedCodec(BUS_KEY)));
  } finally {
    await connection.close();
  }
}

async function hotWallet(url: string): Promise<Address> {
  const { hot } = await onBus(url, (bus) => bus.call(describeSigner, {}));
  return hot.polygon;
}
