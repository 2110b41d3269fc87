import { createHash } from 'node:crypto';
import { signCheckpoint, verifyCheckpoint } from './checkpoint';
import { cosignedAt, Cosigner, originHash, parseWitnessKey } from './cosignature';
import { NoteSigner, parseTrustedKey } from './signed-note';
import { formatWitnessRequest, parseWitnessRequest, PATH_HASHES_MAX } from './witness-request';

const log = new NoteSigner('ledger.test/shard/0', Buffer.alloc(32, 3));
const cosigner = new Cosigner('witness.test/w1', Buffer.alloc(32, 5));
const note = signCheckpoint({ size: 7, root: Buffer.alloc(32, 1), time: '2026-11-21T12:00:00.000Z' }, log);
const at = new Date('2026-11-21T12:00:05.900Z');
const key = { name: 'witness.test/w1', publicKey: parseWitnessKey(cosigner.verifierKey)?.publicKey ?? Buffer.alloc(0) };

describe('a cosignature', () => {
  const cosigned = note + cosigner.cosign(note, at);

  it('says when the witness has seen the checkpoint, to the second, and leaves the signature of the log valid', () => {
    expect(cosignedAt(cosigned, key)).toEqual(new Date('2026-11-21T12:00:05.000Z'));
    expect(verifyCheckpoint(cosigned, [{ publicKey: log.publicKey }])).toMatchObject({ size: 7 });
  });

  it('has the key id of c2sp.org/tlog-cosignature, so that the key signs no notes', () => {
    const hash = createHash('sha256')
      .update('witness.test/w1\n')
      .update(Buffer.from([4]))
      .update(key.publicKey);
    expect(cosigner.keyId).toBe(hash.digest('hex').slice(0, 8));
    expect(cosigner.verifierKey).toBe(
      `witness.test/w1+${cosigner.keyId}+${Buffer.concat([Buffer.from([4]), key.publicKey]).toString('base64')}`,
    );
    expect(parseTrustedKey(cosigner.verifierKey)).toBeUndefined();
    expect(parseWitnessKey(log.verifierKey)).toBeUndefined();
  });

  it.each([
    ['over another checkpoint', cosigned.replace('\n7\n', '\n8\n'), key],
    ['at another time', note + movedBy(1, cosigner.cosign(note, at)), key],
    ['by another key', cosigned, { ...key, publicKey: log.publicKey }],
    ['under another name', cosigned, { ...key, name: 'witness.test/w2' }],
    ['none', note, key],
    ['cut off', note + cosigner.cosign(note, at).replace(/.{30}\n$/, '=\n'), key],
  ])('%s: is not believed', (_name, text, by) => {
    expect(cosignedAt(text, by)).toBeUndefined();
  });
});

/** The time in a cosignature, by seconds. */
function movedBy(seconds: number, line: string): string {
  const [name = '', encoded = ''] = line.trimEnd().split(/ (?=[^ ]+$)/);
  const bytes = Buffer.from(encoded, 'base64');
  bytes.writeBigUInt64BE(bytes.readBigUInt64BE(4) + BigInt(seconds), 4);
  return `${name} ${bytes.toString('base64')}\n`;
}

describe('what is sent to a witness', () => {
  const path = [Buffer.alloc(32, 8), Buffer.alloc(32, 9)];

  it('is the old size, the proof and the checkpoint, as c2sp.org/tlog-witness has it', () => {
    const text = formatWitnessRequest({ oldSize: 3, path, note });
    expect(text).toBe(`old 3\n${path.map((hash) => hash.toString('base64')).join('\n')}\n\n${note}`);
    expect(parseWitnessRequest(text)).toEqual({ oldSize: 3, path, note });
    expect(parseWitnessRequest(formatWitnessRequest({ oldSize: 0, path: [], note }))).toMatchObject({ path: [] });
  });

  it.each([
    ['no old size', `\n${note}`],
    ['a size with a zero before it', `old 03\n\n${note}`],
    ['a negative size', `old -3\n\n${note}`],
    ['a hash that is none', `old 3\nabc\n\n${note}`],
    [
      'more hashes than a tree has levels',
      formatWitnessRequest({
        oldSize: 3,
        path: Array.from({ length: PATH_HASHES_MAX + 1 }, () => Buffer.alloc(32)),
        note,
      }),
    ],
    ['nothing', ''],
  ])('%s: is no request', (_name, text) => {
    expect(parseWitnessRequest(text)).toBeUndefined();
  });

  it('a log is called by the SHA-256 of its origin', () => {
    expect(originHash('ledger.test/shard/0')).toBe(createHash('sha256').update('ledger.test/shard/0').digest('hex'));
  });
});
