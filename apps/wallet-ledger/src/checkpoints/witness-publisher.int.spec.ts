/** What the ledger signs reaches its witnesses, and no witness holds it up. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCheckpoint } from '@stablecoin/event-proofs/checkpoint';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { metricsText } from '@stablecoin/telemetry/metrics/instruments';
import { eventually } from '@stablecoin/testing/eventually';
import { Witness, WitnessAnswer, WitnessUnavailable } from '@stablecoin/witness/witness';
import { WitnessBook } from '@stablecoin/witness/witness-book';
import { Instance, RunningShards } from '../testing/running-shards';
import { openedWallet } from '../testing/written-shard';

const ORIGIN = 'ledger.test/shard/0';
let running: RunningShards;
let directory: string;
let book: WitnessBook;

beforeEach(async () => {
  running = await RunningShards.start();
  directory = await mkdtemp(join(tmpdir(), 'witness-'));
  book = new WitnessBook({ directory });
});
afterEach(async () => {
  await running.stop();
  await rm(directory, { recursive: true });
});

async function started(checkpointWitnesses: Witness[]): Promise<Instance> {
  const instance = await running.newInstance({ shards: 1, checkpointIntervalMs: 60_000, checkpointWitnesses });
  await instance.shards.onApplicationBootstrap();
  return instance;
}

async function signed({ shards }: Instance): Promise<number> {
  await openedWallet(shards.writer(0));
  return readCheckpoint((await shards.checkpointer(0).make()) ?? '')?.size ?? 0;
}

const sizeAt = async (witness: Witness) => readCheckpoint((await witness.newest(ORIGIN)) ?? '')?.size ?? 0;
const reaches = (witness: Witness, size: number) =>
  eventually(`${witness.name} has ${size}`, async () => (await sizeAt(witness)) === size);

async function figure(series: string): Promise<number> {
  const line = (await metricsText()).split('\n').find((one) => one.startsWith(`${series} `));
  return Number(line?.split(' ').at(-1) ?? NaN);
}
const publications = (witness: Witness, outcome: string) =>
  figure(`ledger_witness_publications_total{witness="${witness.name}",outcome="${outcome}"}`);
const behind = (witness: Witness) => figure(`ledger_unwitnessed_seconds{shard="0",witness="${witness.name}"}`);

/** A witness that a spec makes hang, go away and come back. */
class MoodyWitness implements Witness {
  readonly name = `moody of ${directory}`;
  mood: 'well' | 'away' | 'hangs' = 'well';
  constructor(private readonly well: Witness) {}
  submit(request: Parameters<Witness['submit']>[0]): Promise<WitnessAnswer> {
    if (this.mood === 'away') return Promise.reject(new WitnessUnavailable('away'));
    return this.mood === 'hangs' ? new Promise(() => undefined) : this.well.submit(request);
  }
  newest = (origin: string) => this.well.newest(origin);
  refused = (origin: string) => this.well.refused(origin);
  origins = () => this.well.origins();
}

describe('a witness of the ledger', () => {
  it('is sent every checkpoint with its proof, also after a restart and what is signed at the end', async () => {
    const first = await started([book]);
    for (let index = 0; index < 3; index += 1) await reaches(book, await signed(first));
    await openedWallet(first.shards.writer(0));
    await running.stopInstances();
    expect(await sizeAt(book)).toBe(4);
    await reaches(book, await signed(await started([book])));
    expect(await sizeAt(book)).toBe(5);
    expect(await publications(book, 'refused')).toBe(0);
  });

  it('that hangs holds up neither commands, nor checkpoints, nor another witness', async () => {
    const moody = new MoodyWitness(book);
    moody.mood = 'hangs';
    const other = new WitnessBook({ directory: await mkdtemp(join(directory, 'other-')) });
    const instance = await started([moody, other]);
    for (let index = 0; index < 3; index += 1) await reaches(other, await signed(instance));
    expect(await sizeAt(book)).toBe(0);
    expect(await behind(moody)).toBeGreaterThan(0);
    expect(await behind(other)).toBe(0);
  });

  it('that is away is sent what it lacks once it is back, and the metrics say for how long it lacked it', async () => {
    const moody = new MoodyWitness(book);
    const instance = await started([moody]);
    await reaches(book, await signed(instance));
    moody.mood = 'away';
    for (let index = 0; index < 3; index += 1) await signed(instance);
    await eventually('it failed', async () => (await publications(moody, 'failed')) > 0);
    expect(await behind(moody)).toBeGreaterThan(0);
    moody.mood = 'well';
    await eventually('it has all', async () => (await sizeAt(book)) === 4, { timeoutMs: 20_000 });
    await eventually('it lacks nothing', async () => (await behind(moody)) === 0);
  }, 30_000);

  it('refuses a log that was set back and grew again: an error, and the metrics say so', async () => {
    const first = await started([book]);
    for (let index = 0; index < 3; index += 1) await reaches(book, await signed(first));
    await running.stopInstances();
    const owner = new LedgerDatabase({ url: running.servers.files.ownerUrl, applicationName: 'test', poolSize: 1 });
    for (const table of ['ledger_events', 'ledger_checkpoints']) {
      await owner.$executeRawUnsafe(`ALTER TABLE ${table} DISABLE TRIGGER ${table}_are_append_only`);
    }
    await owner.$executeRaw`DELETE FROM ledger_checkpoints`;
    await owner.$executeRaw`DELETE FROM ledger_events WHERE position > 1`;
    await owner.$executeRaw`DELETE FROM command_results`;
    await owner.$executeRaw`
      UPDATE ledger_shards SET head_position = 1, head_signature = NULL,
        head_hash = (SELECT hash FROM ledger_events WHERE position = 1)`;
    await owner.$disconnect();
    const before = await publications(book, 'refused');
    await signed(await started([book]));
    await eventually('it refused', async () => (await publications(book, 'refused')) > before);
    expect(await sizeAt(book)).toBe(3);
  });
});
