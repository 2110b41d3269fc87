import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cosignedAt, originHash, parseWitnessKey, WitnessKey } from '@stablecoin/event-proofs/cosignature';
import { formatWitnessRequest } from '@stablecoin/event-proofs/witness-request';
import { HttpWitness } from '@stablecoin/witness/http-witness';
import { GrownLog } from '@stablecoin/witness/testing/grown-log';
import { WitnessUnavailable } from '@stablecoin/witness/witness';
import { witnessAt } from '@stablecoin/witness/witness-address';
import { WitnessServer } from './witness-server';

const log = new GrownLog();
const forged = new GrownLog(log.origin, 'forged ');
const path = `/${originHash(log.origin)}`;
let directory: string;
let server: WitnessServer;
let url: string;
let key: WitnessKey;
let told: object[];

async function start(): Promise<void> {
  told = [];
  server = new WitnessServer({
    name: 'witness.test',
    key: Buffer.alloc(32, 5),
    directory,
    logs: [{ ledger: 'ledger.test', key: { publicKey: log.signer.publicKey } }],
    tell: (event) => void told.push(event),
  });
  url = await server.listen('127.0.0.1', 0);
  key = parseWitnessKey(server.cosigner.verifierKey) as WitnessKey;
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'witness-'));
  await start();
});
afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true, force: true });
});

async function post(body: string) {
  const response = await fetch(`${url}/add-checkpoint`, { method: 'POST', body });
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
}
const send = async (of: GrownLog, oldSize: number, size: number) =>
  post(formatWitnessRequest(await of.request(oldSize, size)));

describe('a witness of c2sp.org/tlog-witness', () => {
  it('answers with its cosignature, and then shows the checkpoint with it', async () => {
    expect(await send(log, 0, 5)).toMatchObject({ status: 200 });
    const { status, text } = await send(log, 5, 9);
    expect(status).toBe(200);
    expect(cosignedAt(log.checkpoint(9) + text, key)).toBeInstanceOf(Date);
    expect(await (await fetch(url + path + '/checkpoint')).text()).toBe(log.checkpoint(9) + text);
    expect(await (await fetch(`${url}/origins`)).json()).toEqual([log.origin]);
  });

  it('names the size that it has where the proof begins elsewhere', async () => {
    await send(log, 0, 5);
    expect(await send(log, 0, 9)).toEqual({ status: 409, type: 'text/x.tlog.size', text: '5\n' });
  });

  it.each<[string, () => Promise<{ status: number }>, number]>([
    ['no request', () => post('hello'), 400],
    [
      'a size that shrinks',
      async () => post(formatWitnessRequest({ oldSize: 9, path: [], note: log.checkpoint(5) })),
      400,
    ],
    ['more than any request needs', () => post(`old 0\n\n${'x'.repeat(20_000)}`), 400],
    ['a log that it was not told of', () => send(new GrownLog('other.test/shard/0'), 0, 5), 404],
    ['a log that only begins like one', () => send(new GrownLog('ledger.test/shard/0/shard/1'), 0, 5), 404],
    ['a key that it was not told of', () => send(new GrownLog(log.origin, '', 4), 0, 5), 403],
    ['a log that does not extend what it has', () => send(forged, 5, 9), 422],
    ['another root of the size that it has', () => send(forged, 5, 5), 409],
  ])('%s: is not cosigned', async (_name, ask, status) => {
    await send(log, 0, 5);
    expect((await ask()).status).toBe(status);
    expect(await (await fetch(url + path + '/checkpoint')).text()).toContain(log.checkpoint(5));
  });

  it('another shard of a ledger that it was told of is taken', async () => {
    const other = new GrownLog('ledger.test/shard/12');
    expect((await send(other, 0, 5)).status).toBe(200);
    expect((await fetch(`${url}/${originHash('ledger.test/shard/3')}/checkpoint`)).status).toBe(404);
  });

  it('remembers after a restart', async () => {
    await send(log, 0, 5);
    await server.close();
    await start();
    expect((await send(forged, 5, 5)).status).toBe(409);
    expect((await send(log, 5, 6)).status).toBe(200);
  });

  it('without its directory it cosigns nothing and says so', async () => {
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await rm(directory, { recursive: true });
    expect((await send(log, 0, 5)).status).toBe(503);
    expect((await fetch(`${url}/health`)).status).toBe(503);
    expect(told).toMatchObject([{ msg: 'a request failed' }]);
  });

  it.each([
    ['DELETE', '/add-checkpoint', 405],
    ['GET', '/', 404],
    ['GET', '/../etc/passwd', 404],
  ])('%s %s: %i', async (method, at, status) => {
    expect((await fetch(url + at, { method })).status).toBe(status);
  });
});

describe('as a ledger and an auditor ask it', () => {
  const witness = () => witnessAt(`${url}#${server.cosigner.verifierKey}`);

  it('takes what grows, names another size, and says what it has refused', async () => {
    expect(await witness().newest(log.origin)).toBeUndefined();
    expect(await witness().submit(await log.request(0, 5))).toEqual({ answer: 'taken' });
    expect(await witness().submit(await log.request(0, 9))).toEqual({ answer: 'other_size', size: 5 });
    expect(await witness().submit(await forged.request(5, 9))).toMatchObject({ answer: 'refused' });
    expect(await witness().submit(await forged.request(5, 5))).toMatchObject({ answer: 'refused' });
    expect(await witness().refused(log.origin)).toMatchObject([{ is_proof: false }, { is_proof: true }]);
    expect(await witness().newest(log.origin)).toContain(log.checkpoint(5));
    expect(await witness().origins()).toEqual([log.origin]);
  });

  it('a server with another key is not believed, whatever it answers', async () => {
    const other = new HttpWitness(url, { ...key, publicKey: Buffer.alloc(32, 7) });
    await expect(other.submit(await log.request(0, 5))).rejects.toThrow(WitnessUnavailable);
    await expect(other.newest(log.origin)).rejects.toThrow(/no cosignature by its key/);
  });

  it('one that is away is unavailable', async () => {
    await server.close();
    await expect(witness().newest(log.origin)).rejects.toThrow(WitnessUnavailable);
    await start();
  });

  it.each([
    'witness.test',
    'http://witness.test',
    'file:relative',
    'ftp://witness.test#x',
    `http://w.test#${log.signer.verifierKey}`,
  ])('%s is no address of a witness', (address) => {
    expect(() => witnessAt(address)).toThrow(/file:\/DIRECTORY, or a URL/);
  });
});
