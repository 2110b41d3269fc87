import { createHash, randomUUID } from 'node:crypto';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Currency } from '@stablecoin/money/currency';
import { LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { LedgerView } from '@stablecoin/ledger-domain/ledger-state';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { dryRunTransaction } from '../transactions/transaction-view';
import { acquireLease, ensureShards, settledHead } from './lease';
import { ShardWriter } from './shard-writer';

const QUEUE_MAX = 5_000;

let files: TestDatabase;
let database: LedgerDatabase;
let shards = 0;
let shard: number;
let writer: ShardWriter;
let commits: number;
let merchant: Merchant;

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 5 });
});

afterAll(async () => {
  await database.$disconnect();
  await files.drop();
});

beforeEach(async () => {
  shard = shards;
  shards += 1;
  await ensureShards(database, shards);
  writer = await takeOver();
  merchant = new Merchant();
  commits = 0;
});

async function takeOver(): Promise<ShardWriter> {
  await database.$executeRaw`UPDATE ledger_shards SET lease_expires_at = NULL WHERE shard = ${shard}`;
  const lease = await acquireLease(database, shard, randomUUID());
  const head = lease && (await settledHead(database, lease));
  if (!lease || !head) throw new Error('the shard is held');
  return new ShardWriter({
    database,
    lease,
    head,
    lastRecordedAt: '2026-01-01T00:00:00.000Z',
    deriveAddress: () => 'address',
    now: () => new Date(),
    onCommit: () => (commits += 1),
    onLeaseLost: () => undefined,
  });
}

type CommandId = ReturnType<typeof randomUUID>;

/** A text of what came: the result's JSON, or the code of the refusal. */
const ended = (asked: Promise<{ result: unknown }>): Promise<string> =>
  asked.then(
    ({ result }) => JSON.stringify(result),
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

class Merchant {
  readonly id = randomUUID();
  private readonly owner = { merchant_id: this.id, customer_id: null };
  private readonly wallets = new Map<string, string>();

  submit = (command: LedgerCommand, to = writer, id?: CommandId) => ended(to.submit(this.submission(command, id)));
  dryRun = (command: LedgerCommand, to = writer, id?: CommandId) => ended(to.dryRun(this.submission(command, id)));

  /** As text, the answer is the same for a dry run and for the command itself: both without ids and times. */
  private submission(command: LedgerCommand, command_id: CommandId = randomUUID()) {
    const input_hash = createHash('sha256').update(JSON.stringify(command)).digest('hex');
    const result = (ledger: LedgerView) => idsOf(command).map((id) => dryRunTransaction(ledger, id));
    return { request: { merchant_id: this.id, command_id, input_hash }, command, result };
  }

  async opens(currency: Currency, amount = '0'): Promise<void> {
    const wallet_id = timeOrderedId();
    this.wallets.set(currency, wallet_id);
    const address = { address_id: timeOrderedId(), address_index: 1, network: null };
    await this.submit({ kind: 'OpenWallet', ...this.owner, ...address, wallet_id, currency, description: null });
    if (amount !== '0') await this.submit(this.deposit(currency, amount));
  }

  deposit(currency: Currency, amount: string): LedgerCommand {
    const ids = { merchant_id: this.id, id: timeOrderedId(), reference_id: timeOrderedId() };
    const wallet_id = this.wallets.get(currency) ?? '';
    return { kind: 'RecordDeposit', ...ids, wallet_id, amount, network: null, reference: null, confirmed: true };
  }

  hold(amount: string, currency: Currency = 'USD', basis_points = 0): LedgerCommand {
    const ids = { id: timeOrderedId(), reference_id: timeOrderedId() };
    const bank = { bank_name: null, bank_code: '058', recipient_country: null, network: null };
    const terms = { sealed_destination: 'v1.sealed', recipient_currency: 'USD', exchange_rate: '1' } as const;
    const fee_schedule = { flat: '0', basis_points };
    return { kind: 'HoldPayout', ...this.owner, ...ids, ...bank, ...terms, currency, amount, fee_schedule };
  }

  swap(from_amount: string, to_currency: Currency = 'EUR', afterMs = 60_000): LedgerCommand {
    const ids = { debit_id: timeOrderedId(), credit_id: timeOrderedId(), swap_id: timeOrderedId() };
    const valid_until = new Date(Date.now() + afterMs).toISOString();
    const to_amount = (Math.floor(Number(from_amount) * 90) / 100).toFixed(2);
    const terms = { to_amount, quoted_price: '0.9', valid_until };
    return { kind: 'PostSwap', ...this.owner, ...ids, from_currency: 'USD', from_amount, to_currency, ...terms };
  }
}

function idsOf(command: LedgerCommand): string[] {
  if (command.kind === 'PostSwap') return [command.debit_id, command.credit_id];
  return command.kind === 'HoldPayout' ? [command.id] : [];
}

/** Every row of every table, the shard's head included. */
async function wholeDatabase(): Promise<string> {
  const tables = await database.$queryRaw<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND has_table_privilege(oid, 'SELECT')
    ORDER BY name`;
  expect(tables.length).toBeGreaterThan(6);
  const dumps = await Promise.all(
    tables.map(({ name }) =>
      database.$queryRawUnsafe(`SELECT '${name}', md5(string_agg(t::text, '|' ORDER BY t::text)) FROM "${name}" t`),
    ),
  );
  return JSON.stringify(dumps);
}

describe('a dry run', () => {
  beforeEach(async () => {
    await merchant.opens('USD', '100');
    await merchant.opens('EUR');
    commits = 0;
  });

  it.each<[string, () => LedgerCommand, string]>([
    ['a payout', () => merchant.hold('10'), '"balance":"90.00000000"'],
    ['a payout with a fee', () => merchant.hold('10', 'USD', 33), '"fee":"0.04000000"'],
    ['a payout of all there is', () => merchant.hold('100'), '"balance":"0.00000000"'],
    ['a payout of one cent more', () => merchant.hold('100.01'), 'insufficient_funds'],
    ['a payout for whose fee there is no money', () => merchant.hold('100', 'USD', 1), 'insufficient_funds'],
    ['a payout without a wallet', () => merchant.hold('1', 'NGN'), 'wallet_not_found'],
    ['a payout of half a cent', () => merchant.hold('0.005'), 'validation_failed'],
    ['a swap', () => merchant.swap('10'), '"balance":"90.00000000"'],
    ['a swap of more than there is', () => merchant.swap('100.01'), 'insufficient_funds'],
    ['a swap without the other wallet', () => merchant.swap('1', 'NGN'), 'wallet_not_found'],
    ['a swap at a price of before', () => merchant.swap('1', 'EUR', -1), 'quote_expired'],
  ])('of %s has its answer, and no other the second time', async (_what, command, expected) => {
    const asked = command();
    const before = await wholeDatabase();
    const tried = await merchant.dryRun(asked);
    expect(tried).toContain(expected);
    expect(await merchant.dryRun(asked)).toBe(tried);
    expect([await wholeDatabase(), commits]).toEqual([before, 0]);
    expect(await merchant.submit(asked)).toBe(tried);
  });

  it('writes nothing, however many there are and whatever they ask for', async () => {
    const before = [await wholeDatabase(), writer.figures.position];
    const asked = Array.from({ length: 200 }, (_, index) => [
      merchant.hold('100'),
      merchant.hold('1', 'USD', 50),
      merchant.hold('101'),
      merchant.swap('100'),
      merchant.swap(String(index + 1)),
      merchant.swap('1', 'NGN'),
    ]).flat();
    const tried = await Promise.all(asked.map((command) => merchant.dryRun(command)));
    // None is decided upon what another one would have left.
    expect(tried.filter((text) => text.startsWith('['))).toHaveLength(3 * 200 + 100);
    expect([await wholeDatabase(), writer.figures.position]).toEqual(before);
    expect(commits).toBe(0);
  });

  it('changes nothing of who gets the money, and knows at its place in the queue whether there is some', async () => {
    const places = Array.from({ length: 200 }, () => [merchant.hold('1'), merchant.hold('1'), merchant.swap('1')]);
    const answers = await Promise.all(
      places.map(async ([payout, tried, swapped]) =>
        Promise.all([
          merchant.submit(payout as LedgerCommand),
          merchant.dryRun(tried as LedgerCommand),
          merchant.dryRun(swapped as LedgerCommand),
        ]),
      ),
    );
    const isAccepted = (text: string) => text.startsWith('[');
    expect(answers.map(([payout]) => isAccepted(payout))).toEqual(places.map((_, index) => index < 100));
    for (const verdict of [1, 2] as const) {
      expect(answers.map((answer) => isAccepted(answer[verdict]))).toEqual(places.map((_, index) => index < 99));
    }
    expect(answers[41]?.[1]).toContain('"balance":"57.00000000"');
    expect(await merchant.dryRun(merchant.hold('0.01'))).toBe('insufficient_funds');
  });

  it('neither uses its command id nor waits for it, and shows the stored result once there is one', async () => {
    const id = randomUUID();
    const command = merchant.hold('60');
    const first = await Promise.all([1, 2, 3].map(() => merchant.dryRun(command, writer, id)));
    expect(new Set(first).size).toBe(1);
    const [done, beside] = await Promise.all([
      merchant.submit(command, writer, id),
      merchant.dryRun(command, writer, id),
    ]);
    expect([done, beside]).toEqual([first[0], 'insufficient_funds']);
    const submission = { merchant_id: merchant.id, command_id: id, input_hash: 'another' };
    expect(await merchant.dryRun(command, writer, id)).toBe(done);
    await expect(writer.dryRun({ request: submission, command, result: () => 'new' })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
  });

  it('does not end the wait for the command of the same id that is under way', async () => {
    const id = randomUUID();
    const command = merchant.hold('60');
    const tried = merchant.dryRun(command, writer, id);
    // The dry run's batch has begun: the command goes into the next one.
    for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
    const first = merchant.submit(command, writer, id);
    await tried;
    expect(await merchant.submit(command, writer, id)).toBe('idempotency_in_flight');
    expect(await first).toBe(await tried);
  });

  it('is refused with its objection', async () => {
    const request = { merchant_id: merchant.id, command_id: randomUUID(), input_hash: '', objection: 'kyc_required' };
    const submission = { request, command: merchant.hold('1'), result: () => 'done' } as const;
    await expect(writer.dryRun(submission as never)).rejects.toMatchObject({ code: 'kyc_required' });
  });

  it('is not answered by a writer that was overtaken, neither alone nor with the command that it rests on', async () => {
    const next = await takeOver();
    await merchant.submit(merchant.hold('100'), next);
    expect(await merchant.dryRun(merchant.hold('1'))).toBe('unavailable');
    const overtaken = await takeOver();
    await takeOver();
    const both = [
      merchant.submit(merchant.deposit('USD', '1'), overtaken),
      merchant.dryRun(merchant.hold('1'), overtaken),
    ];
    expect(await Promise.all(both)).toEqual(['unavailable', 'unavailable']);
  });

  it('takes a place in the queue like a command, and there are no more of them', async () => {
    const asked = Array.from({ length: QUEUE_MAX + 2 }, () => merchant.hold('1'));
    const tried = asked.slice(0, QUEUE_MAX).map((command) => merchant.dryRun(command));
    const beyond = [
      merchant.dryRun(asked[QUEUE_MAX] as LedgerCommand),
      merchant.submit(asked[QUEUE_MAX + 1] as LedgerCommand),
    ];
    expect(await Promise.all(beyond)).toEqual(['unavailable', 'unavailable']);
    expect((await Promise.all(tried)).every((text) => text.startsWith('['))).toBe(true);
  });
});
