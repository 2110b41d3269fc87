import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { originOf, readCheckpoint, verifyCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { CompactRange } from '@stablecoin/event-proofs/compact-range';
import { leafOfEvent } from '@stablecoin/event-proofs/ledger-leaf';
import { isConsistent, isIncluded } from '@stablecoin/event-proofs/merkle-tree';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { consistencyPath, inclusionPath } from '@stablecoin/event-proofs/tree-proofs';
import { RecordedEvent } from '@stablecoin/ledger-domain/events';
import { logTiles } from '@stablecoin/ledger-store/checkpoints/log-tiles';
import { CheckpointRow, readCheckpoints, verifierKeys } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import { appendEventRows, EventRow, eventRows } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { eventually } from '@stablecoin/testing/eventually';
import { createTestDatabase, TestDatabase } from '@stablecoin/testing/postgres';
import { acquireLease, ensureShards, Lease, releaseLease } from '../event-log/lease';
import { Checkpointer, LogBroken } from './checkpointer';

const origin = originOf('ledger.test', 0);
const signer = new NoteSigner(origin, Buffer.alloc(32, 3));
const trusted = [{ publicKey: signer.publicKey }];
let files: TestDatabase;
let database: LedgerDatabase;
let owner: LedgerDatabase;
let log: EventRow[];
let published: { subject: string; note: string }[];

beforeEach(async () => {
  files = await createTestDatabase('ledger');
  database = new LedgerDatabase({ url: files.url, applicationName: 'test', poolSize: 4 });
  owner = new LedgerDatabase({ url: files.ownerUrl, applicationName: 'test', poolSize: 1 });
  await ensureShards(database, 1);
  [log, published] = [[], []];
});

afterEach(async () => {
  await Promise.all([database.$disconnect(), owner.$disconnect()]);
  await files.drop();
});

/** Appends events like the writer does, but without its rules. */
async function grow(count: number, description = 'a wallet'): Promise<void> {
  const events = Array.from({ length: count }, (_, index): RecordedEvent => {
    const position = log.length + index + 1;
    return {
      shard: 0,
      position,
      group: position,
      movement: 'wallet-opened',
      recorded_at: '2026-11-21T12:00:00.000Z',
      command_id: randomUUID(),
      merchant_id: randomUUID(),
      customer_id: null,
      event: {
        type: 'WalletOpened',
        version: 1,
        wallet_id: randomUUID(),
        currency: 'USD',
        description,
        address_index: position,
        balance_after: '0.00000000',
      },
    };
  });
  const rows = eventRows(events, log.at(-1)?.hash ?? GENESIS_HASH);
  for (let first = 0; first < rows.length; first += 1_000) {
    await appendEventRows(owner, rows.slice(first, first + 1_000));
  }
  log.push(...rows);
}

async function lease(): Promise<Lease> {
  const acquired = await acquireLease(database, 0, randomUUID());
  if (!acquired) throw new Error('the shard is held');
  return acquired;
}

function checkpointer(
  held: Lease,
  options: { intervalMs?: number; signer?: NoteSigner; maxEvents?: number } = {},
): Checkpointer {
  const connection = {
    publish: (subject: string, data?: unknown) => void published.push({ subject, note: String(data) }),
  };
  return new Checkpointer({
    database,
    connection,
    lease: held,
    signer,
    intervalMs: 60_000,
    now: () => new Date(),
    ...options,
  });
}

const stored = () => readCheckpoints(database, 0, { after: 0, limit: 100 });
const rootAt = (size: number) => {
  const range = new CompactRange();
  log.slice(0, size).forEach(({ body, hash }) => range.append(leafOfEvent(body, hash)));
  return range.root;
};

/** Expects each to be signed, to have the root of the log at its size, and to continue the one before. */
async function expectSound(checkpoints: CheckpointRow[]): Promise<void> {
  let before: { size: number; root: Buffer } | undefined;
  for (const { size, note } of checkpoints) {
    const root = rootAt(size);
    expect(verifyCheckpoint(note, trusted)).toMatchObject({ origin, size, root });
    if (before) {
      const sizes = { oldSize: before.size, oldRoot: before.root, newSize: size, newRoot: root };
      expect(
        isConsistent({ ...sizes, path: await consistencyPath(logTiles(database, 0, size), before.size, size) }),
      ).toBe(true);
    }
    before = { size, root };
  }
}

describe('checkpoints of a shard', () => {
  it('are made when the log has grown, each with the root of all events so far, and published', async () => {
    const maker = checkpointer(await lease());
    expect(await maker.make()).toBeUndefined();
    for (const count of [1, 2, 300, 0, 700]) {
      await grow(count);
      const newest = await maker.make();
      expect(readCheckpoint(newest ?? '')).toMatchObject({ size: log.length });
    }
    const checkpoints = await stored();
    expect(checkpoints.map(({ size }) => size)).toEqual([1, 3, 303, 1003]);
    await expectSound(checkpoints);
    expect(published).toEqual(checkpoints.map(({ note }) => ({ subject: 'ledger.checkpoints.0', note })));
    expect(await verifierKeys(database, 0)).toEqual([signer.verifierKey]);
  });

  it('go on after a restart, from the stored nodes of the tree alone', async () => {
    await grow(2_000);
    const first = await lease();
    await checkpointer(first, { maxEvents: 1_500 }).make();
    await releaseLease(database, first);
    await grow(1_000);
    await checkpointer(await lease()).make();
    const checkpoints = await stored();
    expect(checkpoints.map(({ size }) => size)).toEqual([1_500, 2_000, 3_000]);
    await expectSound(checkpoints);
    for (const index of [0, 255, 256, 1_499, 1_500, 2_559, 2_999]) {
      const { body, hash } = log[index] as EventRow;
      const path = await inclusionPath(logTiles(database, 0, 3_000), index, 3_000);
      expect(isIncluded({ leaf: leafOfEvent(body, hash), index, size: 3_000, path, root: rootAt(3_000) })).toBe(true);
    }
  });

  it('are made once an interval, and not while the log does not grow', async () => {
    await grow(5);
    const maker = checkpointer(await lease(), { intervalMs: 100 });
    maker.start();
    await eventually('the first is there', async () => (await stored()).length === 1);
    await delay(500);
    expect(await stored()).toHaveLength(1);
    await grow(5);
    await eventually('the second is there', async () => (await stored()).length === 2);
    await maker.stop();
    await grow(5);
    await delay(300);
    expect((await stored()).map(({ size }) => size)).toEqual([5, 10]);
  });

  it('name a new key after a change of keys, and still continue the old ones', async () => {
    const next = new NoteSigner(origin, Buffer.alloc(32, 9));
    const held = await lease();
    await grow(3);
    await checkpointer(held).make();
    await grow(3);
    await checkpointer(held, { signer: next }).make();
    expect((await stored()).map(({ key_id }) => key_id)).toEqual([signer.keyId, next.keyId]);
    expect(await verifierKeys(database, 0)).toEqual([signer.verifierKey, next.verifierKey]);
  });
});

describe('two instances that both believe they hold the shard', () => {
  it('the one that has lost its lease makes no checkpoint', async () => {
    const late = await lease();
    await releaseLease(database, late);
    const next = await lease();
    await grow(4);
    await expect(checkpointer(late).make()).rejects.toThrow(/another holder/);
    expect(await stored()).toEqual([]);
    await checkpointer(next).make();
    expect((await stored()).map(({ size }) => size)).toEqual([4]);
  });

  it('make one line of checkpoints, whatever they do at the same time', async () => {
    const held = await lease();
    const both = [checkpointer(held), checkpointer(held)];
    for (let round = 0; round < 10; round += 1) {
      await grow(300);
      await Promise.allSettled(both.map((maker) => maker.make()));
    }
    await both[0]?.make();
    const checkpoints = await stored();
    expect(checkpoints.at(-1)?.size).toBe(3_000);
    await expectSound(checkpoints);
    const rows = await database.$queryRaw<{ previous_size: bigint | null }[]>`
      SELECT previous_size FROM ledger_checkpoints ORDER BY tree_size`;
    const previous = [null, ...checkpoints.map(({ size }) => BigInt(size))].slice(0, -1);
    expect(rows.map(({ previous_size }) => previous_size)).toEqual(previous);
  });

  it('the table refuses a second checkpoint of a size, a second continuation, and a change', async () => {
    await grow(4);
    await checkpointer(await lease()).make();
    const copy = (size: number, previous: number | null) => database.$executeRaw`
      INSERT INTO ledger_checkpoints
      SELECT shard, ${size}, ${previous}::bigint, note, key_id, range_hashes, head_hash, created_at
      FROM ledger_checkpoints WHERE tree_size = 4`;
    await expect(copy(4, null)).rejects.toThrow(/nique/);
    await expect(copy(9, null)).rejects.toThrow(/nique/);
    await expect(copy(9, 5)).rejects.toThrow(/oreign/);
    expect(await copy(9, 4)).toBe(1);
    await expect(copy(8, 4)).rejects.toThrow(/nique/);
    await expect(database.$executeRaw`UPDATE ledger_checkpoints SET note = ''`).rejects.toThrow(/denied/);
    await expect(owner.$executeRaw`DELETE FROM ledger_checkpoints`).rejects.toThrow(/append-only/);
  });
});

describe('a log that contradicts its checkpoints', () => {
  const unlocked = async (statement: string) => {
    for (const table of ['ledger_events', 'ledger_checkpoints']) {
      await owner.$executeRawUnsafe(`ALTER TABLE ${table} DISABLE TRIGGER ${table}_are_append_only`);
    }
    await owner.$executeRawUnsafe(statement);
  };

  it.each<[string, (() => Promise<unknown>)[], RegExp]>([
    [
      'a tail cut off and grown anew',
      [() => unlocked('DELETE FROM ledger_events WHERE position > 7'), () => ((log.length = 7), grow(5))],
      /position 10 is not the event that was signed/,
    ],
    [
      'a tail cut off',
      [() => unlocked('DELETE FROM ledger_events WHERE position > 7')],
      /position 10 is not the event/,
    ],
    [
      'a new event that was changed',
      [
        () => grow(3),
        () => unlocked(`UPDATE ledger_events SET body = replace(body, 'USD', 'EUR') WHERE position = 12`),
      ],
      /position 12: the chain is broken/,
    ],
    [
      'a new event that is gone',
      [() => grow(3), () => unlocked('DELETE FROM ledger_events WHERE position = 11')],
      /position 11 is missing/,
    ],
    [
      'a checkpoint that was changed',
      [() => grow(3), () => unlocked(`UPDATE ledger_checkpoints SET note = replace(note, '2026', '2025')`)],
      /checkpoint at 10: no valid signature/,
    ],
    [
      'an edge that was changed',
      [
        () => grow(3),
        () =>
          unlocked(
            `UPDATE ledger_checkpoints SET range_hashes = set_byte(range_hashes, 3, get_byte(range_hashes, 3) # 1)`,
          ),
      ],
      /checkpoint at 10 does not say what its row says/,
    ],
  ])('%s: is not signed', async (_name, steps, problem) => {
    const maker = checkpointer(await lease());
    await grow(10);
    await maker.make();
    for (const step of steps) await step();
    const failed = await maker.make().catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(LogBroken);
    expect(String(failed)).toMatch(problem);
    expect(await stored()).toHaveLength(1);
  });
});
