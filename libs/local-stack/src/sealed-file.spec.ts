import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { backupKeyId, opening, SealBroken, sealing } from './sealed-file';

const key = Buffer.alloc(32, 7);
const CHUNK = 65_536;
const HEADER = 36;

async function through(bytes: Buffer, by: ReturnType<typeof sealing>, piece = 10_000): Promise<Buffer> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
    bytes.subarray(index * piece, (index + 1) * piece),
  );
  let out = Buffer.alloc(0);
  await pipeline(Readable.from(pieces), by, async (source) => {
    out = await buffer(source as AsyncIterable<Buffer>);
  });
  return out;
}
const seal = (bytes: Buffer, name = 'a') => through(bytes, sealing(key, name));
const open = (bytes: Buffer, name = 'a', by = key) => through(bytes, opening(by, name), 7_777);

describe('a sealed file', () => {
  it.each([0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 200_000])('of %i bytes opens as it was', async (length) => {
    const bytes = randomBytes(length);
    const sealed = await seal(bytes);
    expect((await open(sealed)).equals(bytes)).toBe(true);
    expect(length > 16 && sealed.includes(bytes.subarray(0, 16))).toBe(false);
  });

  it('is another one each time, and gives only the identity of its key away', async () => {
    expect((await seal(Buffer.from('x'))).equals(await seal(Buffer.from('x')))).toBe(false);
    expect(backupKeyId(key)).toMatch(/^[0-9a-f]{16}$/);
    expect(backupKeyId(key)).not.toBe(backupKeyId(Buffer.alloc(32, 8)));
  });

  const parts = (sealed: Buffer) => {
    const header = sealed.subarray(0, HEADER);
    const chunks = [0, 1, 2].map((number) =>
      sealed.subarray(HEADER + number * (CHUNK + 16), HEADER + (number + 1) * (CHUNK + 16)),
    ) as [Buffer, Buffer, Buffer];
    return { header, chunks };
  };

  it.each<[string, (sealed: Buffer) => Buffer]>([
    ['cut off within a chunk', (sealed) => sealed.subarray(0, sealed.length - 5)],
    ['cut off after a chunk', (sealed) => sealed.subarray(0, HEADER + CHUNK + 16)],
    ['cut off after its header', (sealed) => sealed.subarray(0, HEADER)],
    ['cut off in its header', (sealed) => sealed.subarray(0, 20)],
    ['empty', () => Buffer.alloc(0)],
    [
      'with two chunks exchanged',
      (sealed) => {
        const {
          header,
          chunks: [one, two, three],
        } = parts(sealed);
        return Buffer.concat([header, two, one, three]);
      },
    ],
    [
      'with a chunk left out',
      (sealed) => {
        const {
          header,
          chunks: [one, , three],
        } = parts(sealed);
        return Buffer.concat([header, one, three]);
      },
    ],
    [
      'with a chunk doubled',
      (sealed) => {
        const {
          header,
          chunks: [one, two, three],
        } = parts(sealed);
        return Buffer.concat([header, one, two, two, three]);
      },
    ],
    ['with something added', (sealed) => Buffer.concat([sealed, Buffer.from('more')])],
    ['not sealed', () => randomBytes(500)],
  ])('%s: does not open', async (_name, change) => {
    const sealed = await seal(randomBytes(2 * CHUNK + 1_000));
    await expect(open(change(sealed))).rejects.toThrow(SealBroken);
  });

  it('with any one bit changed does not open', async () => {
    const sealed = await seal(randomBytes(CHUNK + 100));
    for (const place of [0, 25, HEADER, HEADER + 9_000, HEADER + CHUNK + 3, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8((changed[place] ?? 0) ^ 1, place);
      await expect(open(changed)).rejects.toThrow(SealBroken);
    }
  });

  it('does not open as another file of the same backup, nor under another key', async () => {
    const sealed = await seal(Buffer.from('balances'), 'postgres/base/1');
    await expect(open(sealed, 'postgres/base/2')).rejects.toThrow(SealBroken);
    await expect(open(sealed, 'postgres/base/1', Buffer.alloc(32, 8))).rejects.toThrow(SealBroken);
  });
});
