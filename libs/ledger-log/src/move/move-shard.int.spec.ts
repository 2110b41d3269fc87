import { randomUUID } from 'node:crypto';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { insertCheckpoint } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { appendEventRows } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { readShardRows } from '@stablecoin/ledger-store/placement/shard-rows';
import { projectionChanges, writeProjections } from '@stablecoin/ledger-store/projections/project';
import { Sql } from '@stablecoin/persistence/sql';
import { Drawing } from '@stablecoin/testing/drawing';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { DrivenLog, eventfulLog, storeResults, writeLog } from '../testing/driven-log';
import { signLog } from '../testing/signed-log';
import { OpenDatabase } from './move';
import { MoveRequest, moveShard } from './move-shard';

const SHARD = 3;
let files: TestDatabase[];
let owners: LedgerDatabase[];
let databases: OpenDatabase[];

beforeEach(async () => {
  files = await Promise.all([createTestDatabase('ledger'), createTestDatabase('ledger')]);
  owners = files.map(({ ownerUrl }) => new LedgerDatabase({ url: ownerUrl, applicationName: 'test', poolSize: 8 }));
  databases = owners.map(({ sql }, index) => ({ name: index === 0 ? 'home' : 'b', sql }));
});

afterEach(async () => {
  await Promise.all(owners.map((owner) => owner.$disconnect()));
  await Promise.all(files.map((one) => one.drop()));
});

const home = () => owners[0] as LedgerDatabase;
const b = () => owners[1] as LedgerDatabase;
const TIMES = { handOverMs: 100, placeValidMs: 0 };
const move = (to: string, among: readonly OpenDatabase[] = databases, request: Partial<MoveRequest> = {}) =>
  moveShard(among, {
    ...{ shard: SHARD, to, merchants: () => Promise.resolve([]), times: TIMES },
    ...{ pageSize: 7, attempts: 1, ...request },
  });

const begin = () =>
  home().$executeRaw`INSERT INTO ledger_shards (shard, epoch, head_hash) VALUES (${SHARD}, 7, ${GENESIS_HASH})`;

/** The names of the databases that say that they have the shard. */
async function having(): Promise<string[]> {
  const rows = await Promise.all(
    databases.map(async ({ name, sql }) => ({ name, row: (await readShardRows(sql, SHARD))[0] })),
  );
  return rows.filter(({ row }) => row?.moved_to === null).map(({ name }) => name);
}

const epochs = async () =>
  Promise.all(databases.map(async ({ sql }) => Number((await readShardRows(sql, SHARD))[0]?.epoch)));

const TABLES = [
  ...['ledger_events', 'command_results', 'account_balances', 'wallets', 'deposit_addresses', 'closed_customers'],
  ...['payout_policies', 'payout_usage', 'transactions', 'transaction_search', 'daily_figures'],
  ...['transaction_search_progress', 'daily_figures_progress'],
  ...['ledger_checkpoints', 'ledger_checkpoint_keys', 'ledger_tree_nodes', 'relay_checkpoints'],
];

/** All that a database has of the shard, which is its only one. */
async function contents(sql: LedgerDatabase): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const table of TABLES) {
    const rows = await sql.$queryRawUnsafe<{ row: string }[]>(
      `SELECT row_to_json(each)::text AS row FROM ${table} AS each ORDER BY 1`,
    );
    found[table] = rows.map(({ row }) => row);
  }
  // `first_position` is where to look from, at the earliest.
  const counts = await sql.$queryRawUnsafe<{ row: string }[]>(
    "SELECT (to_jsonb(each) - 'first_position')::text AS row FROM transaction_counts AS each WHERE transactions > 0 ORDER BY 1",
  );
  return { ...found, transaction_counts: counts.map(({ row }) => row) };
}

/** What a holder adds to a log that is there already, from this event on. */
async function write(sql: LedgerDatabase, log: DrivenLog, from: number): Promise<void> {
  const [rows, events] = [log.rows.slice(from), log.events.slice(from)];
  const last = rows.at(-1)!;
  await sql.$executeRaw`
    UPDATE ledger_shards SET head_position = ${last.position}, head_hash = ${last.hash} WHERE shard = ${SHARD}`;
  await appendEventRows(sql, rows);
  await storeResults(sql, log.events);
  await writeProjections(sql, SHARD, projectionChanges(events, log.state));
}

/** The databases, with what a mover does: it is told of each statement and commit how many there were before. */
function watched(before: (count: number) => Promise<void>): OpenDatabase[] {
  let count = 0;
  const watch = (sql: Sql): Sql =>
    ({
      $queryRaw: async (text: TemplateStringsArray, ...values: unknown[]) => {
        await before(count++);
        return sql.$queryRaw(text, ...values);
      },
      $executeRaw: async (text: TemplateStringsArray, ...values: unknown[]) => {
        await before(count++);
        return sql.$executeRaw(text, ...values);
      },
    }) as Sql;
  return databases.map(({ name, sql }) => ({
    name,
    sql: {
      ...watch(sql),
      $transaction: (work, limits) =>
        sql.$transaction(async (transaction) => {
          const result = await work(watch(transaction));
          await before(count++);
          return result;
        }, limits),
    },
  }));
}

const killedAt = (step: number) =>
  watched((count) => (count === step ? Promise.reject(new Error('killed')) : Promise.resolve()));

describe('a shard without events', () => {
  beforeEach(() => begin());

  it('is on the other database then, and comes back, under a higher epoch each time', async () => {
    expect(await move('b')).toMatchObject({ moved: true, events: 0 });
    expect({ having: await having(), epochs: await epochs() }).toEqual({ having: ['b'], epochs: [8, 9] });
    expect(await move('b')).toMatchObject({ moved: false });
    expect(await move('home')).toMatchObject({ moved: true });
    expect({ having: await having(), epochs: await epochs() }).toEqual({ having: ['home'], epochs: [11, 10] });
  });

  it('leaves a row that no version of the service can hold or append to', async () => {
    await move('b');
    const service = new LedgerDatabase({ url: files[0]!.url, applicationName: 'test', poolSize: 1 });
    const taken = await service.$executeRaw`
      UPDATE ledger_shards SET epoch = epoch + 1, holder = 'an older one', lease_expires_at = now() WHERE shard = ${SHARD}`;
    const moved = await service.$executeRaw`UPDATE ledger_shards SET head_position = 1 WHERE shard = ${SHARD}`;
    expect([taken, moved]).toEqual([0, 0]);
    await service.$disconnect();
  });

  it('is not moved to a database that is not named', () =>
    expect(move('c')).rejects.toThrow('There is no database "c": there are home, b.'));

  it('is not moved while two databases say that they have it, or none', async () => {
    await b().$executeRaw`INSERT INTO ledger_shards (shard, head_hash) VALUES (${SHARD}, ${GENESIS_HASH})`;
    await expect(move('b')).rejects.toThrow('home, b both say that they have shard 3');
    await expect(move('b', databases, { shard: 9 })).rejects.toThrow('No database has shard 9');
  });

  it('never has two places, whatever two movers do at once and wherever they are stopped', async () => {
    const draw = new Drawing(20261206);
    for (let round = 0; round < 25; round += 1) {
      const slow = () =>
        watched(async () => {
          if (draw.next() < 0.02) throw new Error('killed');
          await new Promise((resolve) => setTimeout(resolve, draw.below(4)));
        });
      await Promise.allSettled([move('b', slow()), move('home', slow()), move('b', slow())]);
      expect((await having()).length).toBeLessThan(2);
      const to = draw.next() < 0.5 ? 'b' : 'home';
      await move(to);
      expect(await having()).toEqual([to]);
    }
  }, 60_000);
});

describe('a shard with events', () => {
  let log: DrivenLog;

  beforeEach(async () => {
    log = eventfulLog(SHARD);
    await writeLog(home(), log);
    await home().$executeRaw`
      INSERT INTO relay_checkpoints (shard, position, stream_created_at) VALUES (${SHARD}, 5, '2026-11-21T12:00:00Z')`;
  });

  it('is there with all that its log says, what was answered, signed and published', async () => {
    expect(await move('b')).toMatchObject({ moved: true, events: log.events.length });
    expect(await having()).toEqual(['b']);
    const [left, arrived] = [await contents(home()), await contents(b())];
    // The log is followed by these a moment later: what drove this one did not.
    for (const table of ['transaction_search', 'daily_figures'])
      expect(arrived[table]!.length).toBeGreaterThan(left[table]!.length);
    for (const each of [left, arrived])
      for (const table of Object.keys(each).filter((name) => /search|figures/.test(name))) delete each[table];
    expect(arrived).toEqual(left);
    const [row] = await b().$queryRaw<object[]>`
      SELECT head_position::int AS head, counted_position::int AS counted, counting_epoch = epoch AS counting, mover FROM ledger_shards`;
    expect(row).toEqual({ head: log.events.length, counted: log.events.length, counting: true, mover: null });
  });

  it('takes along what was answered to a merchant of whom the log says nothing', async () => {
    const [merchant, other] = [randomUUID(), randomUUID()];
    for (const owner of [merchant, other])
      await home().$executeRaw`
        INSERT INTO command_results (command_id, merchant_id, input_hash, result, created_at)
        VALUES (${randomUUID()}::uuid, ${owner}::uuid, 'hash', '{}', '2026-01-01T00:00:00Z')`;
    await move('b', databases, { merchants: () => Promise.resolve([merchant]) });
    const of = (owner: string) => b().$queryRaw<[]>`SELECT 1 FROM command_results WHERE merchant_id = ${owner}::uuid`;
    expect([await of(merchant), await of(other)].map(({ length }) => length)).toEqual([1, 0]);
  });

  it('takes along what is written while it is copied', async () => {
    let grown = false;
    const merchants = async () => {
      const from = log.events.length;
      if (!grown) {
        log.deposit(log.openWallet('NGN'), '5');
        await write(home(), log, from);
        await signLog(home(), log.rows, [log.events.length]).catch(() => undefined);
      }
      grown = true;
      return [];
    };
    expect(await move('b', databases, { merchants })).toMatchObject({ events: log.events.length });
    expect((await contents(b()))['command_results']).toEqual((await contents(home()))['command_results']);
  });

  it('comes back with what was written meanwhile, as if the older copy had not been there', async () => {
    await move('b');
    const from = log.events.length;
    log.deposit(log.openWallet('NGN'), '5');
    await write(b(), log, from);
    await move('home');
    const [there, here] = [await contents(b()), await contents(home())];
    for (const each of [there, here])
      for (const table of Object.keys(each).filter((name) => /search|figures/.test(name))) delete each[table];
    expect(here).toEqual(there);
    await move('b');
    expect(await having()).toEqual(['b']);
  });

  it('is finished or undone wherever the mover was killed', async () => {
    const pages = { pageSize: 100 };
    for (let step = 0; ; step += 1) {
      await move('home', databases, pages);
      const killed = await move('b', killedAt(step), pages).then(
        () => false,
        () => true,
      );
      if (!killed) return expect(step).toBeGreaterThan(50);
      expect((await having()).length).toBeLessThan(2);
      const to = step % 2 === 0 ? 'b' : 'home';
      await move(to, databases, pages);
      expect(await having()).toEqual([to]);
      if (to === 'home') continue;
      expect((await readShardRows(home(), SHARD))[0]?.mover).toBeNull();
      const [left, arrived] = [await contents(home()), await contents(b())];
      for (const table of ['ledger_events', 'command_results', 'wallets', 'transactions', 'ledger_checkpoints'])
        expect(arrived[table]).toEqual(left[table]);
    }
  }, 240_000);

  it('is not handed over while its holder keeps it, and is free again at once', async () => {
    await home().$executeRaw`
      UPDATE ledger_shards SET holder = 'an instance', lease_expires_at = now() + interval '1 minute' WHERE shard = ${SHARD}`;
    await expect(move('b')).rejects.toThrow('not handed over');
    const rows = await home().$queryRaw`SELECT reserved_until FROM ledger_shards`;
    expect({ having: await having(), rows }).toEqual({ having: ['home'], rows: [{ reserved_until: null }] });
  });

  it('does not depart while a checkpoint is being stored, and takes it along then', async () => {
    const [last] = await home().$queryRaw<{ note: string; size: bigint; key_id: string; verifier_key: string }[]>`
      SELECT note, tree_size AS size, key_id, verifier_key FROM ledger_checkpoints JOIN ledger_checkpoint_keys USING (shard, key_id)`;
    const from = log.events.length;
    log.deposit(log.openWallet('NGN'), '5');
    await write(home(), log, from);
    const edge = { range: [], head_hash: log.rows.at(-1)!.hash, created_at: '2026-11-21T12:00:00Z' };
    const made = { ...{ ...last!, ...edge }, shard: SHARD, size: log.events.length, previous_size: Number(last!.size) };
    let commit = (): void => undefined;
    let stored = (): void => undefined;
    const isStored = new Promise<void>((resolve) => (stored = resolve));
    const storing = home().$transaction(
      async (sql) => {
        await insertCheckpoint(sql, made, 0n);
        stored();
        await new Promise<void>((resolve) => (commit = resolve));
      },
      { timeout: 20_000 },
    );
    await isStored;
    await expect(move('b')).rejects.toThrow('was not copied in the time');
    expect(await having()).toEqual(['home']);
    commit();
    await storing;
    await move('b');
    expect((await contents(b()))['ledger_checkpoints']).toEqual((await contents(home()))['ledger_checkpoints']);
  });

  it('arrives only when no instance can answer from the old copy any more', async () => {
    const { reserved_ms } = await move('b', databases, { times: { ...TIMES, placeValidMs: 1_500 } });
    expect(reserved_ms).toBeGreaterThanOrEqual(1_500);
  });

  it('waits for no holder whose lease ends, but for a while', async () => {
    await home().$executeRaw`
      UPDATE ledger_shards SET holder = 'one that is gone', lease_expires_at = now() + interval '1 second' WHERE shard = ${SHARD}`;
    expect(await move('b', databases, { attempts: 9, pauseMs: 100 })).toMatchObject({ moved: true });
  });

  describe('is not moved, and nothing changes,', () => {
    afterEach(async () => expect(await having()).toEqual(['home']));

    const tampered = async (sql: LedgerDatabase, statement: string) => {
      await sql.$executeRawUnsafe('ALTER TABLE ledger_events DISABLE TRIGGER ledger_events_are_append_only');
      await sql.$executeRawUnsafe('ALTER TABLE ledger_checkpoints DISABLE TRIGGER ledger_checkpoints_are_append_only');
      await sql.$executeRawUnsafe(statement);
    };

    it.each([
      ['with an event that was changed', "UPDATE ledger_events SET body = body || ' ' WHERE position = 9"],
      ['with an event that is missing', 'DELETE FROM ledger_events WHERE position = 9'],
      [
        'whose last event is missing',
        'DELETE FROM ledger_events WHERE position = (SELECT max(position) FROM ledger_events)',
      ],
    ])('one %s', async (_, statement) => {
      await tampered(home(), statement);
      await expect(move('b')).rejects.toThrow('A log with a fault is not moved');
    });

    it.each([
      ['another event', `UPDATE ledger_events SET hash = sha256('x') WHERE position = 9`, 'position 9'],
      [
        'an event more',
        `INSERT INTO ledger_events SELECT shard, position + 1, recorded_at, account_id, transaction, body, hash
        FROM ledger_events ORDER BY position DESC LIMIT 1`,
        'position',
      ],
      ['another answer', `UPDATE command_results SET result = '{}'`, 'the result of command'],
      ['another checkpoint', `UPDATE ledger_checkpoints SET note = 'x'`, 'the checkpoint of'],
    ])('where the older copy on the target has %s', async (_, statement, what) => {
      await move('b');
      await move('home');
      await tampered(b(), statement);
      await expect(move('b')).rejects.toThrow(what);
    });
  });
});
