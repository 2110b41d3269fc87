/** What the owner of the database can do to the log, and that the ledger neither builds upon it nor signs it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GENESIS_HASH } from '@stablecoin/event-chain/event-hash';
import { Checkpoint, readCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { readHeadSignature } from '@stablecoin/event-proofs/signed-head';
import { readCheckpoints } from '@stablecoin/ledger-store/checkpoints/checkpoint-rows';
import {
  appendEventRows,
  EventRow,
  eventRows,
  readEventRows,
  recordedEvent,
} from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { eventually } from '@stablecoin/testing/eventually';
import { Instance, RunningShards } from '../testing/running-shards';
import { openedWallet } from '../testing/written-shard';

const SETTINGS = { shards: 1, checkpointIntervalMs: 100 };
const SLOW = { timeoutMs: 20_000 };
let running: RunningShards;
let owner: LedgerDatabase;
let directory: string;

beforeEach(async () => {
  running = await RunningShards.start();
  owner = new LedgerDatabase({ url: running.servers.files.ownerUrl, applicationName: 'test', poolSize: 1 });
  for (const table of ['ledger_events', 'ledger_checkpoints']) {
    await owner.$executeRawUnsafe(`ALTER TABLE ${table} DISABLE TRIGGER ${table}_are_append_only`);
  }
  directory = await mkdtemp(join(tmpdir(), 'memory-'));
});
afterEach(async () => {
  await running.stop();
  await owner.$disconnect();
  await rm(directory, { recursive: true });
});

async function started(settings: Partial<Parameters<RunningShards['newInstance']>[0]> = {}): Promise<Instance> {
  const instance = await running.newInstance({ ...SETTINGS, ...settings });
  await instance.shards.onApplicationBootstrap();
  return instance;
}

/** A ledger that wrote some events, signed them, and ended in order. */
async function signedLog(settings?: Parameters<typeof started>[0]): Promise<EventRow[]> {
  const { shards } = await started(settings);
  for (let index = 0; index < 5; index += 1) await openedWallet(shards.writer(0));
  await running.stopInstances();
  const rows = await readEventRows(owner, 0, 0, 100);
  expect((await lastSigned())?.size).toBe(rows.length);
  return rows;
}

async function lastSigned(): Promise<Checkpoint | undefined> {
  return readCheckpoint((await readCheckpoints(owner, 0, { after: 0, limit: 100 })).at(-1)?.note ?? '');
}

async function headSignature() {
  const [row] = await owner.$queryRaw<
    { head_signature: Uint8Array | null }[]
  >`SELECT head_signature FROM ledger_shards`;
  return row?.head_signature ? readHeadSignature(row.head_signature) : undefined;
}

/** Sound hashes and the head: all that the ledger's own append would write, but its signature. */
async function forge(after: EventRow | undefined, like: readonly EventRow[]): Promise<EventRow[]> {
  const position = after?.position ?? 0;
  const events = like.map(({ body }, index) => {
    const recorded = recordedEvent(body.replaceAll('USD', 'EUR'));
    return { ...recorded, position: position + index + 1, group: position + index + 1 };
  });
  const rows = eventRows(events, after?.hash ?? GENESIS_HASH);
  await owner.$executeRaw`DELETE FROM ledger_events WHERE position > ${position}`;
  await appendEventRows(owner, rows);
  const last = rows.at(-1) as EventRow;
  await owner.$executeRaw`UPDATE ledger_shards SET head_position = ${last.position}, head_hash = ${last.hash}`;
  return rows;
}

/** @returns whether an instance that has just started serves the shard */
function serves({ shards }: Instance): boolean {
  try {
    shards.writer(0);
    return true;
  } catch {
    return false;
  }
}

describe('a tail that another login rewrote while the ledger runs', () => {
  it.each<[string, (rows: EventRow[]) => Promise<unknown>]>([
    ['with sound hashes', (rows) => forge(rows.at(-2), rows.slice(0, 1))],
    ['and made longer', (rows) => forge(rows.at(-2), rows.slice(0, 2))],
    ['cut off', (rows) => forge(rows.at(-3), rows.slice(0, 1))],
    ['in its head alone', () => owner.$executeRaw`UPDATE ledger_shards SET head_hash = sha256(head_hash)`],
  ])('%s: nothing is appended to it, by no instance', async (_name, rewrite) => {
    const { shards } = await started();
    for (let index = 0; index < 5; index += 1) await openedWallet(shards.writer(0));
    await rewrite(await readEventRows(owner, 0, 0, 100));
    const forged = await readEventRows(owner, 0, 0, 100);
    await expect(openedWallet(shards.writer(0))).rejects.toMatchObject({ code: 'unavailable' });
    await eventually('the shard is not served', () => Promise.resolve(!serves({ shards } as Instance)), SLOW);
    await running.stopInstances();
    const next = await started();
    expect(serves(next)).toBe(false);
    expect(await readEventRows(owner, 0, 0, 100)).toEqual(forged);
  });

  it('is served again once the log is what the ledger wrote', async () => {
    const { shards } = await started();
    for (let index = 0; index < 5; index += 1) await openedWallet(shards.writer(0));
    await owner.$executeRaw`UPDATE ledger_shards SET head_hash = sha256(head_hash)`;
    await expect(openedWallet(shards.writer(0))).rejects.toMatchObject({ code: 'unavailable' });
    const last = (await readEventRows(owner, 0, 0, 100)).at(-1);
    await owner.$executeRaw`UPDATE ledger_shards SET head_hash = ${last?.hash}`;
    await eventually('it is served', () => Promise.resolve(serves({ shards } as Instance)), SLOW);
    await openedWallet(shards.writer(0));
  }, 30_000);
});

describe('events that another login appended while the ledger was down', () => {
  it('are not signed, nor is what follows them, until an operator accepts them', async () => {
    const rows = await signedLog();
    await forge(rows.at(-1), rows.slice(0, 1));
    const { shards } = await started();
    await openedWallet(shards.writer(0));
    await expect(shards.checkpointer(0).make()).rejects.toThrow(/end at 7 is not signed by the ledger's key.* is 5,/);
    expect(shards.checkpointer(0).isLogBroken).toBe(true);
    await running.stopInstances();
    expect((await lastSigned())?.size).toBe(5);
    expect((await headSignature())?.position).toBe(5);
    const accepting = await started({ checkpointAcceptsUnsigned: true });
    await accepting.shards.checkpointer(0).make();
    expect((await lastSigned())?.size).toBe(7);
    expect((await headSignature())?.position).toBe(7);
  });

  it('a log without a signature, of a version before, is signed from then on', async () => {
    await signedLog();
    await owner.$executeRaw`UPDATE ledger_shards SET head_signature = NULL`;
    const { shards } = await started();
    await openedWallet(shards.writer(0));
    await shards.checkpointer(0).make();
    expect((await lastSigned())?.size).toBe(6);
    expect((await headSignature())?.position).toBe(6);
  });

  it('with the signatures removed as well: the memory outside of the database says that there were some', async () => {
    const rows = await signedLog({ checkpointMemoryDirectory: directory });
    await forge(rows.at(-1), rows.slice(0, 1));
    await owner.$executeRaw`UPDATE ledger_shards SET head_signature = NULL`;
    const { shards } = await started({ checkpointMemoryDirectory: directory });
    await expect(shards.checkpointer(0).make()).rejects.toThrow(/no head was/);
    expect((await lastSigned())?.size).toBe(5);
  });
});

describe('checkpoints that were deleted', () => {
  const deleteCheckpoints = () => owner.$executeRaw`TRUNCATE ledger_checkpoints, ledger_checkpoint_keys`;

  it('with the log rewritten consistently: the shard is neither served nor signed', async () => {
    const rows = await signedLog({ checkpointMemoryDirectory: directory });
    await deleteCheckpoints();
    await forge(undefined, rows);
    await owner.$executeRaw`UPDATE ledger_shards SET head_signature = NULL`;
    expect(serves(await started({ checkpointMemoryDirectory: directory }))).toBe(false);
    expect(await lastSigned()).toBeUndefined();
  });

  it('from a log that is as it was: nothing is signed, because a memory outside of the database says otherwise', async () => {
    await signedLog({ checkpointMemoryDirectory: directory });
    await deleteCheckpoints();
    const { shards } = await started({ checkpointMemoryDirectory: directory });
    await openedWallet(shards.writer(0));
    await expect(shards.checkpointer(0).make()).rejects.toThrow(/there is no checkpoint, but 5 events were signed at/);
    expect(await lastSigned()).toBeUndefined();
  });

  it('what was signed is remembered by every checkpoint, and each extends it', async () => {
    await signedLog({ checkpointMemoryDirectory: directory });
    const { shards } = await started({ checkpointMemoryDirectory: directory });
    for (let size = 6; size < 9; size += 1) {
      await openedWallet(shards.writer(0));
      await shards.checkpointer(0).make();
      expect((await lastSigned())?.size).toBe(size);
    }
  });
});
