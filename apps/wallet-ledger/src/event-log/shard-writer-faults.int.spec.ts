import { createHash, randomUUID } from 'node:crypto';
import { AddressInfo, connect, createServer, Server, Socket } from 'node:net';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { withRequestContext } from '@stablecoin/messaging/request-context';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { Client } from 'pg';
import { acquireLease, ensureShards, settledHead } from './lease';
import { ShardWriter } from './shard-writer';
import { timeOrderedId } from '../identifiers/time-ordered-id';

let files: TestDatabase;
let database: LedgerDatabase;
let shards = 0;

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 5 });
});

afterAll(async () => {
  await database.$disconnect();
  await files.drop();
});

/** A shard that no other test in this file uses. */
async function newShard(): Promise<number> {
  shards += 1;
  await ensureShards(database, shards);
  return shards - 1;
}

async function takeOver(shard: number, through = database): Promise<ShardWriter> {
  await database.$executeRaw`UPDATE ledger_shards SET lease_expires_at = NULL WHERE shard = ${shard}`;
  const lease = await acquireLease(database, shard, randomUUID());
  const head = lease && (await settledHead(database, lease));
  if (!lease || !head) throw new Error('the shard is held');
  return new ShardWriter({
    database: through,
    lease,
    head,
    lastRecordedAt: '2026-01-01T00:00:00.000Z',
    deriveAddress: () => 'address',
    now: () => new Date(),
    onCommit: () => undefined,
    onLeaseLost: () => undefined,
  });
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
const codeOf = (error: unknown) => (error instanceof Refusal ? error.code : 'another error');

class Merchant {
  readonly id = randomUUID();
  readonly wallet = timeOrderedId();
  private readonly owner = { merchant_id: this.id, customer_id: null };

  /** Submits the command and returns the outcome as one word. */
  submit(
    to: ShardWriter,
    command: LedgerCommand,
    command_id = randomUUID(),
    input_hash = hashOf(command),
  ): Promise<string> {
    const request = { merchant_id: this.id, command_id, input_hash };
    const reply = to.submit({ request, command, result: () => ({ of: this.id }) });
    return reply.then(({ result, replayed }) => `${replayed ? 'replayed' : 'done'} for ${result.of}`, codeOf);
  }

  get done(): string {
    return `done for ${this.id}`;
  }

  open(): LedgerCommand {
    const wallet = {
      wallet_id: this.wallet,
      address_id: timeOrderedId(),
      address_index: 1,
      description: null,
      network: null,
    };
    return { kind: 'OpenWallet', ...this.owner, ...wallet, currency: 'USD' };
  }

  deposit(amount: string): LedgerCommand {
    const ids = { merchant_id: this.id, id: timeOrderedId(), reference_id: timeOrderedId(), wallet_id: this.wallet };
    return { kind: 'RecordDeposit', ...ids, amount, network: null, reference: null, confirmed: true };
  }

  hold(amount: string, exchange_rate = '1'): LedgerCommand {
    const bank = {
      bank_name: null,
      bank_code: '058',
      recipient_country: null,
      network: null,
      sealed_destination: 'v1.sealed',
    };
    const ids = { id: timeOrderedId(), reference_id: timeOrderedId() };
    const terms = { currency: 'USD', amount, recipient_currency: 'USD', exchange_rate, fee_schedule: null } as const;
    return { kind: 'HoldPayout', ...this.owner, ...ids, ...bank, ...terms };
  }

  async balance(): Promise<string | undefined> {
    const [row] = await database.$queryRaw<{ balance: string }[]>`
      SELECT balance::text FROM account_balances WHERE account_id = ${this.wallet}`;
    return row?.balance;
  }
}

describe('a writer that was overtaken', () => {
  it('refuses no command because of its outdated memory', async () => {
    const shard = await newShard();
    const merchant = new Merchant();
    const late = await takeOver(shard);
    await merchant.submit(late, merchant.open());
    expect(await merchant.submit(late, merchant.hold('5'))).toBe('insufficient_funds');
    const next = await takeOver(shard);
    expect(await merchant.submit(next, merchant.deposit('5'))).toBe(merchant.done);
    expect(await merchant.submit(late, merchant.hold('5'))).toBe('unavailable');
    expect(await merchant.submit(next, merchant.hold('5'))).toBe(merchant.done);
  });
});

describe('a batch with one command that fails', () => {
  it('is committed without a command that violates a constraint of the database', async () => {
    const [elsewhere, shard] = [await newShard(), await newShard()];
    const [good, split] = [new Merchant(), new Merchant()];
    await split.submit(await takeOver(elsewhere), split.open());
    const writer = await takeOver(shard);
    const second = { ...split.open(), wallet_id: timeOrderedId() } as LedgerCommand;
    const answers = await Promise.all([good.submit(writer, good.open()), split.submit(writer, second)]);
    expect(answers).toEqual([good.done, 'another error']);
  });

  it('is committed without commands that throw while they are decided', async () => {
    const writer = await takeOver(await newShard());
    const merchant = new Merchant();
    await merchant.submit(writer, merchant.open());
    await merchant.submit(writer, merchant.deposit('10'));
    const rates = ['1', '0', '01', '99999999999999999999', '1'];
    const answers = await Promise.all(rates.map((rate) => merchant.submit(writer, merchant.hold('1', rate))));
    expect(answers).toEqual([merchant.done, 'another error', 'another error', 'another error', merchant.done]);
    expect(await merchant.balance()).toBe('8.00000000');
  });
});

describe('a command id', () => {
  it('of another merchant is refused without its result', async () => {
    const writer = await takeOver(await newShard());
    const [owner, otherMerchant] = [new Merchant(), new Merchant()];
    const [id, input] = [randomUUID(), hashOf('the same input')];
    expect(await owner.submit(writer, owner.open(), id, input)).toBe(owner.done);
    expect(await otherMerchant.submit(writer, otherMerchant.open(), id, input)).toBe('idempotency_key_reused');
    expect(await owner.submit(writer, owner.open(), id, input)).toBe(`replayed for ${owner.id}`);
  });
});

/** Passes everything on until `cut` is set: then it ends the connection before or after the next COMMIT arrives. */
class CuttingProxy {
  cut: 'before' | 'after' | undefined;
  private readonly sockets = new Set<Socket>();
  private constructor(private readonly server: Server) {}

  static async to(url: string): Promise<{ proxy: CuttingProxy; url: string }> {
    const target = new URL(url);
    const { port, hostname } = target;
    const server = createServer();
    const proxy = new CuttingProxy(server);
    server.on('connection', (client) => proxy.pass(client, connect(Number(port), hostname)));
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    target.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    return { proxy, url: target.href };
  }

  async stop(): Promise<void> {
    this.sockets.forEach((socket) => socket.destroy());
    await new Promise((closed) => this.server.close(closed));
  }

  private pass(client: Socket, upstream: Socket): void {
    let deaf = false;
    [client, upstream].forEach((socket) => this.sockets.add(socket.on('error', () => undefined)));
    client.on('data', (bytes) => {
      const how = bytes.includes('COMMIT') ? this.cut : undefined;
      if (how !== 'before') upstream.write(bytes);
      if (!how) return;
      this.cut = undefined;
      deaf = true;
      // Time for the server to commit, if the COMMIT has reached it.
      setTimeout(() => client.resetAndDestroy(), 100);
      if (how === 'before') upstream.destroy();
    });
    upstream.on('data', (bytes) => deaf || client.write(bytes));
    upstream.on('close', () => deaf || client.destroy());
    client.on('close', () => deaf || upstream.destroy());
  }
}

describe('a connection that is reset at COMMIT', () => {
  it.each([
    ['before', 'unavailable'],
    ['after', 'done'],
  ] as const)('%s it arrived: the writer finds out whether it was committed, and goes on', async (cut, outcome) => {
    const { proxy, url } = await CuttingProxy.to(files.url);
    const cutOff = new LedgerDatabase({ url, applicationName: 'test', poolSize: 5 });
    try {
      const writer = await takeOver(await newShard(), cutOff);
      const merchant = new Merchant();
      await merchant.submit(writer, merchant.open());
      const deposit = merchant.deposit('1');
      const id = randomUUID();
      proxy.cut = cut;
      expect(await merchant.submit(writer, deposit, id)).toContain(outcome);
      const again = await merchant.submit(writer, deposit, id);
      expect(again).toBe(outcome === 'done' ? `replayed for ${merchant.id}` : merchant.done);
      expect(await merchant.submit(writer, merchant.deposit('1'))).toBe(merchant.done);
      expect(await merchant.balance()).toBe('2.00000000');
    } finally {
      await cutOff.$disconnect();
      await proxy.stop();
    }
  });
});

describe('a batch decided while the one before is being committed', () => {
  const BATCH = 1_000;

  it.each([
    ['is decided again when that one was not committed', 'before', 'unavailable', 'insufficient_funds', undefined],
    ['is committed when that one was', 'after', 'done', 'done', '500.00000000'],
  ] as const)('%s', async (_, cut, first, second, balance) => {
    const { proxy, url } = await CuttingProxy.to(files.url);
    const cutOff = new LedgerDatabase({ url, applicationName: 'test', poolSize: 5 });
    try {
      const writer = await takeOver(await newShard(), cutOff);
      const merchant = new Merchant();
      await merchant.submit(writer, merchant.open());
      proxy.cut = cut;
      const deposits = Array.from({ length: BATCH }, () => merchant.submit(writer, merchant.deposit('1')));
      const holds = Array.from({ length: BATCH / 2 }, () => merchant.submit(writer, merchant.hold('1')));
      const kinds = async (answers: Promise<string>[]) => [...new Set(await Promise.all(answers))];
      const shown = (answer: string) => (answer === 'done' ? merchant.done : answer);
      expect(await kinds(deposits)).toEqual([shown(first)]);
      expect(await kinds(holds)).toEqual([shown(second)]);
      expect(await merchant.balance()).toBe(balance);
    } finally {
      await cutOff.$disconnect();
      await proxy.stop();
    }
  });

  it('waits for the decision on that one, however long its loading takes', async () => {
    const writer = await takeOver(await newShard());
    const merchant = new Merchant();
    await merchant.submit(writer, merchant.open());
    await merchant.submit(writer, merchant.hold('1'));
    // Opens two connections, so that the second batch's first query need not wait for one.
    await Promise.all([0, 1].map(() => database.$queryRaw`SELECT 1 FROM pg_sleep(0.1)`));
    const otherMerchants = Array.from({ length: BATCH - 1 }, () => new Merchant());
    const unknown = otherMerchants.map((otherMerchant) => otherMerchant.submit(writer, otherMerchant.hold('1')));
    const deposit = merchant.submit(writer, merchant.deposit('500'));
    const holds = Array.from({ length: BATCH / 2 }, () => merchant.submit(writer, merchant.hold('1')));
    expect([...new Set(await Promise.all(unknown))]).toEqual(['wallet_not_found']);
    expect([...new Set(await Promise.all([deposit, ...holds]))]).toEqual([merchant.done]);
    expect(await merchant.balance()).toBe('0.00000000');
  });
});

describe('a command whose caller has stopped waiting when its turn comes', () => {
  const until = <Result>(deadline: number, work: () => Result) =>
    withRequestContext({ requestId: 'request', deadline }, work);

  it('is refused and does nothing; those beside it are committed', async () => {
    const writer = await takeOver(await newShard());
    const merchant = new Merchant();
    await merchant.submit(writer, merchant.open());
    const answers = await Promise.all([
      until(Date.now(), () => merchant.submit(writer, merchant.deposit('1'))),
      until(Date.now() + 5_000, () => merchant.submit(writer, merchant.deposit('2'))),
    ]);
    expect(answers).toEqual(['unavailable', merchant.done]);
    expect(await merchant.balance()).toBe('2.00000000');
  });

  it('does not shorten the time of the others when it was the one that woke the writer', async () => {
    const writer = await takeOver(await newShard());
    const merchant = new Merchant();
    await merchant.submit(writer, merchant.open());
    const first = until(Date.now() + 20, () => merchant.submit(writer, merchant.deposit('1')));
    const otherMerchants = Array.from({ length: 300 }, () => new Merchant());
    const others = otherMerchants.map((otherMerchant) => otherMerchant.submit(writer, otherMerchant.open()));
    await first;
    expect([
      ...new Set(
        await Promise.all(others.map((answer, index) => answer.then((is) => is === otherMerchants[index]?.done))),
      ),
    ]).toEqual([true]);
  });
});

describe('a queue that is too long for one commit', () => {
  const FITS = 40;

  /** Makes the database exceed the statement timeout on batches that are too large. */
  async function slowOverLargeBatches(): Promise<void> {
    const owner = new Client({ connectionString: files.ownerUrl });
    await owner.connect();
    await owner.query(`
      CREATE FUNCTION slow_over_many() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN IF (SELECT count(*) FROM added) > ${FITS} THEN PERFORM pg_sleep(5); END IF; RETURN NULL; END $$;
      CREATE TRIGGER slow_over_many AFTER INSERT ON command_results
        REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION slow_over_many()`);
    await owner.end();
  }

  it('is committed in parts, once its callers have retried', async () => {
    await slowOverLargeBatches();
    const impatient = new LedgerDatabase({
      url: files.url,
      applicationName: 'test',
      poolSize: 5,
      statementTimeoutMs: 300,
    });
    try {
      const writer = await takeOver(await newShard(), impatient);
      const merchant = new Merchant();
      await merchant.submit(writer, merchant.open());
      const deposits = Array.from({ length: 8 * FITS }, () => ({ id: randomUUID(), command: merchant.deposit('1') }));
      let open = deposits;
      for (let tries = 1; tries <= 10 && open.length > 0; tries += 1) {
        const answers = await Promise.all(open.map(({ id, command }) => merchant.submit(writer, command, id)));
        open = open.filter((_, index) => answers[index] === 'unavailable');
      }
      expect(open).toEqual([]);
      expect(await merchant.balance()).toBe(`${8 * FITS}.00000000`);
    } finally {
      await impatient.$disconnect();
    }
  });
});
