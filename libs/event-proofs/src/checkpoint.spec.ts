import { originOf, readCheckpoint, shardOf, signCheckpoint, verifyCheckpoint } from './checkpoint';
import { leafHash } from './merkle-tree';
import { NoteSigner, parseTrustedKey, TrustedKey } from './signed-note';

const origin = originOf('ledger.example', 3);
const signer = new NoteSigner(origin, Buffer.alloc(32, 7));
const next = new NoteSigner(origin, Buffer.alloc(32, 8));
const said = { size: 1204, root: leafHash('any'), time: '2026-11-21T12:00:00.000Z' };
const note = signCheckpoint(said, signer);
const trusted = (...texts: string[]) => texts.map((text) => parseTrustedKey(text) as TrustedKey);

describe('a checkpoint', () => {
  it('has the form of c2sp.org/tlog-checkpoint', () => {
    const [name, size, root, time, empty, signature, end] = note.split('\n');
    expect([name, size, root]).toEqual([origin, '1204', said.root.toString('base64')]);
    expect([time, empty, end]).toEqual(['time 2026-11-21T12:00:00.000Z', '', '']);
    expect(signature).toMatch(new RegExp(`^— ${origin} [A-Za-z0-9+/]+=*$`));
    expect(shardOf(origin)).toBe(3);
    expect(readCheckpoint(note)).toEqual({ origin, ...said, keyIds: [signer.keyId] });
  });

  it('verifies with its key in either form, among other keys', () => {
    const expected = { origin, ...said, keyId: signer.keyId };
    for (const key of [signer.verifierKey, signer.publicKey.toString('base64')]) {
      expect(verifyCheckpoint(note, trusted(key))).toEqual(expected);
      expect(verifyCheckpoint(note, trusted(next.verifierKey, key))).toEqual(expected);
    }
  });

  it('does not verify with another key, nor with the key of another log', () => {
    const elsewhere = new NoteSigner(originOf('ledger.example', 4), Buffer.alloc(32, 7));
    const refusal = expect.stringContaining(`signed under ${signer.keyId} key id`) as unknown;
    expect(verifyCheckpoint(note, trusted(next.verifierKey))).toEqual(refusal);
    expect(verifyCheckpoint(note, trusted(elsewhere.verifierKey))).toEqual(refusal);
    expect(verifyCheckpoint(note, [])).toEqual(refusal);
  });

  it('does not verify when any byte of it is changed', () => {
    const bytes = Buffer.from(note);
    for (let place = 0; place < bytes.length; place += 1) {
      const changed = Buffer.from(bytes);
      changed[place] = (changed[place] ?? 0) ^ 1;
      expect(typeof verifyCheckpoint(changed.toString(), trusted(signer.publicKey.toString('base64')))).toBe('string');
    }
  });

  it('may carry signatures of other keys, which are ignored', () => {
    const witnessed = `${note}${next.sign(note.slice(0, note.indexOf('\n\n') + 1)).split('\n\n')[1]}`;
    expect(verifyCheckpoint(witnessed, trusted(signer.verifierKey))).toMatchObject({ size: 1204 });
    expect(verifyCheckpoint(witnessed, trusted(next.verifierKey))).toMatchObject({ keyId: next.keyId });
  });

  it.each([
    ['no note', 'text\n'],
    ['a size of another spelling', note.replace('1204', '01204')],
    ['a short root', note.replace(said.root.toString('base64'), 'AAAA')],
    ['no time', note.replace(/time .*\n/, '')],
    ['a line too many', note.replace(/(time .*\n)/, '$1more\n')],
    ['no signature', note.slice(0, note.indexOf('—'))],
    ['a signature that is no base64', note.replace(/[A-Za-z0-9+/]+=*\n$/, '?\n')],
  ])('%s: is none', (_name, text) => expect(readCheckpoint(text)).toBeUndefined());
});

describe('a public key', () => {
  // The example of the specification of Go's sumdb note package.
  it('has the id and form that other tools know', () => {
    const key = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
    expect(parseTrustedKey(key)).toMatchObject({ name: 'PeterNeumann' });
    expect(parseTrustedKey(signer.verifierKey)).toEqual({ name: origin, publicKey: signer.publicKey });
  });

  it.each(['', 'nonsense', 'AAAA', `x${signer.verifierKey}`, signer.verifierKey.slice(0, -1), 'a+b+c'])(
    '%p is none',
    (text) => expect(parseTrustedKey(text)).toBeUndefined(),
  );
});
