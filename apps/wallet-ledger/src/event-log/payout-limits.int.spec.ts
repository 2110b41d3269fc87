/** Limits and approvals as the writer decides them: many at once, in one batch and over many, and after the shard has another writer. */
import { createHash, randomUUID } from 'node:crypto';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { HoldPayout, LedgerCommand } from '@stablecoin/ledger-domain/commands';
import { PayoutPolicy } from '@stablecoin/ledger-domain/events';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { eventually } from '@stablecoin/testing/eventually';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { timeOrderedId } from '../identifiers/time-ordered-id';
import { acquireLease, ensureShards, settledHead } from './lease';
import { ShardWriter } from './shard-writer';

let files: TestDatabase;
let database: LedgerDatabase;
let writer: ShardWriter;
const writers: ShardWriter[] = [];
let merchant_id: string;
let now: Date;

beforeAll(async () => {
  files = await createTestDatabase('ledger');
  database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 5 });
  await ensureShards(database, 1);
  now = new Date('2026-12-01T10:00:00.000Z');
  await takeOver();
});
afterAll(async () => {
  await Promise.all(writers.map((each) => each.close()));
  await database.$disconnect();
  await files.drop();
});

beforeEach(async () => {
  merchant_id = randomUUID();
  const wallet_id = timeOrderedId();
  const owner = { merchant_id, customer_id: null };
  await submit({
    ...{ kind: 'OpenWallet', ...owner, wallet_id, address_id: timeOrderedId(), address_index: 1, currency: 'USD' },
    ...{ network: null, description: null },
  });
  await submit({
    ...{ kind: 'RecordDeposit', merchant_id, id: timeOrderedId(), reference_id: timeOrderedId(), wallet_id },
    ...{ amount: '100000', network: null, reference: null, confirmed: true },
  });
});

/** Another instance holds the shard from here on, with nothing in memory. */
async function takeOver(): Promise<void> {
  await database.$executeRaw`UPDATE ledger_shards SET lease_expires_at = NULL`;
  // The writer before may be writing what payouts count for, and a locked row is left for the next look.
  const lease = await eventually('the shard is free', () => acquireLease(database, 0, randomUUID()));
  const head = await settledHead(database, lease);
  if (!head) throw new Error('the shard is held');
  writer = new ShardWriter({
    ...{ database, lease, head, lastRecordedAt: now.toISOString(), deriveAddress: () => 'address', now: () => now },
    ...{ onCommit: () => undefined, onLeaseLost: () => undefined },
  });
  writers.push(writer);
}

function submit(command: LedgerCommand): Promise<string> {
  const input_hash = createHash('sha256').update(JSON.stringify(command)).digest('hex');
  const request = { merchant_id, command_id: randomUUID(), input_hash };
  return writer.submit({ request, command, result: () => 'accepted' }).then(
    ({ result }) => result,
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );
}

const setPolicy = (more: Partial<PayoutPolicy>) =>
  submit({
    ...{ kind: 'ChangePolicy', merchant_id, changed_by: 'an operator', reason: 'case 1' },
    policy: { limits: [], new_destination_wait_seconds: 0, ...more },
  });

const CREATOR = { key_id: randomUUID(), signer_id: randomUUID() };
const APPROVER = { key_id: randomUUID(), signer_id: randomUUID() };
const DAY_LIMIT = { currency: 'USD', per: 'merchant', within: 'day' } as const;

const pay = (more: Partial<HoldPayout> = {}): HoldPayout => ({
  ...{ kind: 'HoldPayout', merchant_id, customer_id: null, id: timeOrderedId(), reference_id: timeOrderedId() },
  ...{ currency: 'USD', amount: '1', network: null, sealed_destination: 'v1.sealed', bank_name: null },
  ...{ bank_code: '058', recipient_currency: 'USD', recipient_country: null, exchange_rate: '1', fee_schedule: null },
  ...{ destination_hash: 'd'.repeat(64), created_by: CREATOR },
  ...more,
});

const outcomes = (answers: readonly string[]) => ({
  accepted: answers.filter((answer) => answer === 'accepted').length,
  refused: answers.filter((answer) => answer === 'limit_exceeded').length,
});
const atOnce = (count: number) => Promise.all(Array.from({ length: count }, () => submit(pay())));

it('of 200 payouts at once under a limit for 100, exactly 100 are taken', async () => {
  await setPolicy({ limits: [{ ...DAY_LIMIT, amount: '100.00000000' }] });
  expect(outcomes(await atOnce(200))).toEqual({ accepted: 100, refused: 100 });
});

it('and so over many batches, and for a writer that has only the tables', async () => {
  await setPolicy({ limits: [{ ...DAY_LIMIT, count: 100 }] });
  const answers: string[] = [];
  for (let part = 0; part < 5; part += 1) {
    answers.push(...(await atOnce(40)));
    await takeOver();
  }
  expect(outcomes(answers)).toEqual({ accepted: 100, refused: 100 });
});

it('a policy holds from the next command on, in its own batch too', async () => {
  const asked = [
    submit(pay()),
    setPolicy({ limits: [{ ...DAY_LIMIT, count: 1 }] }),
    submit(pay()),
    submit(pay()),
    setPolicy({ limits: [{ ...DAY_LIMIT, count: 2 }] }),
    submit(pay()),
    submit(pay()),
  ];
  const [first, , second, third, , fourth, fifth] = await Promise.all(asked);
  expect([first, second, third, fourth, fifth]).toEqual([
    ...['accepted', 'accepted', 'limit_exceeded', 'accepted', 'limit_exceeded'],
  ]);
});

it('what has failed counts no more, also for a writer that has to load it', async () => {
  await setPolicy({ limits: [{ ...DAY_LIMIT, count: 1 }] });
  const { id, ...payout } = pay();
  expect(await submit({ ...payout, id })).toBe('accepted');
  await takeOver();
  expect(await submit(pay())).toBe('limit_exceeded');
  await takeOver();
  const failed = { kind: 'ResolvePayout', resolution: 'FAILED', rail_reference: null, onward: null } as const;
  expect(await submit({ ...failed, merchant_id, transaction: id })).toBe('accepted');
  expect(await submit(pay())).toBe('accepted');
});

describe('what payouts count for', () => {
  const counted = async () => {
    const [row] = await database.$queryRaw<{ behind: bigint }[]>`
      SELECT head_position - counted_position AS behind FROM ledger_shards`;
    return Number(row?.behind);
  };

  /**
   * Nothing of it can be written meanwhile; it can be read.
   *
   * @param work gets a function that ends a write which waits for this, as the death of its process does
   */
  async function withoutWriting(work: (endWrites: () => Promise<void>) => Promise<void>): Promise<void> {
    const owner = new LedgerDatabase({ url: files.ownerUrl, applicationName: 'test', poolSize: 2 });
    const endWrites = async () => {
      for (let ended = 1; ended > 0;)
        ended = await owner.$executeRaw`
          SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%INSERT INTO payout_usage%'`;
    };
    await owner.$transaction(
      async (sql) => {
        await sql.$executeRaw`LOCK TABLE payout_usage IN SHARE MODE`;
        await work(endWrites);
      },
      { timeout: 20_000 },
    );
    await owner.$disconnect();
  }

  /** As a version before takes a shard over. */
  const takenByOlder = () =>
    database.$executeRaw`
      UPDATE ledger_shards SET epoch = epoch + 1, holder = 'older', lease_expires_at = NULL
      WHERE shard = (SELECT shard FROM ledger_shards WHERE shard = 0 FOR UPDATE SKIP LOCKED)`;

  it('is in no commit, and is counted by the next holder if this one ends before it is written', async () => {
    await setPolicy({ limits: [{ ...DAY_LIMIT, count: 100 }] });
    const answers: string[] = [];
    await withoutWriting(async (endWrites) => {
      for (let part = 0; part < 3; part += 1) {
        answers.push(...(await atOnce(50)));
        expect(await counted()).toBeGreaterThan(0);
        await endWrites();
        await takeOver();
      }
    });
    expect(outcomes(answers)).toEqual({ accepted: 100, refused: 50 });
  });

  it('is counted by a holder that fails a batch and has to load everything again', async () => {
    await setPolicy({ limits: [{ ...DAY_LIMIT, count: 3 }] });
    await withoutWriting(async () => {
      expect(outcomes(await atOnce(2))).toEqual({ accepted: 2, refused: 0 });
      const id = timeOrderedId();
      const [first, second] = await Promise.all([submit(pay({ id })), submit(pay({ id }))]);
      expect(first).toBe('accepted');
      expect(second).not.toBe('accepted');
      expect(outcomes(await atOnce(2))).toEqual({ accepted: 0, refused: 2 });
    });
  });

  it('is written when the shard is handed over, and with nothing to count the position goes along', async () => {
    await setPolicy({ limits: [{ ...DAY_LIMIT, count: 100 }] });
    await atOnce(10);
    await writer.close();
    expect(await counted()).toBe(0);
    await takeOver();
    await setPolicy({ limits: [{ ...DAY_LIMIT, count: 50 }] });
    expect(await counted()).toBe(0);
  });

  it('is written before a version before can take the shard, and what that one wrote counts as written', async () => {
    await setPolicy({ limits: [{ ...DAY_LIMIT, count: 100 }] });
    await withoutWriting(async () => {
      await atOnce(10);
      expect(await takenByOlder()).toBe(0);
    });
    await writer.close();
    expect(await takenByOlder()).toBe(1);
    await database.$executeRaw`UPDATE ledger_shards SET counted_position = 1`;
    await takeOver();
    expect(await counted()).toBe(0);
    expect(outcomes(await atOnce(100))).toEqual({ accepted: 90, refused: 10 });
  });
});

it('what is old counts no more, and the row keeps no more than its periods', async () => {
  await setPolicy({ limits: [{ ...DAY_LIMIT, within: 'hour', count: 3 }] });
  const start = now.getTime();
  for (let minute = 0; minute < 200; minute += 5) {
    now = new Date(start + minute * 60_000);
    await submit(pay());
  }
  await writer.close();
  await takeOver();
  const [row] = await database.$queryRaw<{ used: string }[]>`
    SELECT used FROM payout_usage WHERE merchant_id = ${merchant_id}::uuid AND subject = 'merchant'`;
  const { USD: used } = JSON.parse(row?.used ?? '') as { USD: Record<string, unknown[]> };
  expect(used['hour']?.length).toBe(3);
});

it('a dry run is judged as the command would be, and counts nothing', async () => {
  await setPolicy({ limits: [{ ...DAY_LIMIT, count: 1 }] });
  const tried = async () => {
    const command = pay();
    const request = { merchant_id, command_id: randomUUID(), input_hash: '' };
    const asked = writer.dryRun({ request, command, result: (ledger) => ledger.transaction(command.id)?.waiting_for });
    return asked.then(
      () => 'accepted',
      (error: unknown) => (error as Refusal).code,
    );
  };
  expect([await tried(), await tried(), await submit(pay()), await tried()]).toEqual([
    ...['accepted', 'accepted', 'accepted', 'limit_exceeded'],
  ]);
});

it('an approval stands for a writer that has to load the payout, and is counted once', async () => {
  await setPolicy({
    limits: [{ ...DAY_LIMIT, amount: '1000.00000000' }],
    approval: {
      ...{ above: [{ currency: 'USD', amount: '10.00000000' }], new_destination: false, new_rail: false },
      ...{ approvers: 1, expires_after_seconds: 3_600 },
    },
  });
  const payout = pay({ amount: '11' });
  expect(await submit(payout)).toBe('accepted');
  await takeOver();
  const { underPolicy, waitingFor } = await database.transaction.findUniqueOrThrow({ where: { id: payout.id } });
  expect(waitingFor).toBe('approval');
  const { approval } = JSON.parse(underPolicy ?? '') as { approval: { hash: string } };
  const approve = (signer = APPROVER): LedgerCommand => ({
    ...{ kind: 'ApprovePayout', merchant_id, transaction: payout.id, approval_hash: approval.hash, signer },
  });
  const [own, ...others] = await Promise.all([submit(approve(CREATOR)), submit(approve()), submit(approve())]);
  expect([own, ...others]).toEqual(['approver_not_allowed', 'accepted', 'invalid_transition']);
  const [row] = await database.$queryRaw<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ledger_events
    WHERE transaction = ${payout.id}::uuid AND body LIKE '%"PayoutApproved"%'`;
  expect(row?.count).toBe(1);
});
