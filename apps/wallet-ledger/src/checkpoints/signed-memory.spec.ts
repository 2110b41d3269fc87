import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SignedMemoryFiles, SignedState } from './signed-memory';

let directory: string;
let memory: SignedMemoryFiles;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'memory-'));
  memory = new SignedMemoryFiles(directory);
});
afterEach(() => rm(directory, { recursive: true }));

const signed = (size: number): SignedState => ({
  origin: 'ledger.test/shard/3',
  size,
  root: Buffer.alloc(32, size),
  head_hash: Buffer.alloc(32, size + 1),
  verifier_key: 'key',
  time: '2026-11-23T03:00:00.000Z',
});

describe('what was signed last, in a file', () => {
  it('is read as it was written, each shard by itself, and leaves no other file', async () => {
    expect(await memory.read(3)).toBeUndefined();
    await memory.write(3, signed(7));
    await memory.write(3, signed(9));
    expect(await new SignedMemoryFiles(directory).read(3)).toEqual(signed(9));
    expect(await memory.read(4)).toBeUndefined();
    expect(await readdir(directory)).toEqual(['shard-3.json']);
  });

  it('never goes back, also where instances share the directory', async () => {
    await memory.write(3, signed(9));
    await memory.write(3, signed(8));
    expect(await memory.read(3)).toEqual(signed(9));
  });

  it('that can’t be read does not pass for one that is not there', async () => {
    await writeFile(memory.place(3), '{"size":');
    await expect(memory.read(3)).rejects.toThrow(/JSON/);
    await expect(new SignedMemoryFiles(join(directory, 'nowhere')).write(3, signed(1))).rejects.toThrow(/ENOENT/);
  });
});
