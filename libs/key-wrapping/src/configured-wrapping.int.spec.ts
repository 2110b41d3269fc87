// The settings, against the key management service for tests as a process of its own, and over TLS with certificates of both sides.

import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDataKey } from '@stablecoin/personal-data/data-key';
import { loadConfiguration, SettingGroup } from '@stablecoin/service-host/setting';
import { TransitProcess } from '@stablecoin/testing/transit/transit-process';
import { TransitServer } from '@stablecoin/testing/transit/transit-server';
import { configuredWrapping } from './configured-wrapping';
import { KeyWrappingSettings } from './key-wrapping-settings';

class Configuration {
  @SettingGroup(KeyWrappingSettings) dataKeys: KeyWrappingSettings;
}

const MASTER_KEY = Buffer.alloc(32, 1).toString('base64');
const TOKEN = 'token-of-the-kms';
const wrappingWith = (env: NodeJS.ProcessEnv) => configuredWrapping(loadConfiguration(Configuration, env).dataKeys);
let folder: string;

beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'transit-'))));
afterAll(() => rmSync(folder, { recursive: true }));

describe('settings', () => {
  const outside = { PERSONAL_DATA_KEYS: 'transit', PERSONAL_DATA_TRANSIT_URL: 'https://vault.internal/v1/transit' };
  it.each([
    ['none', {}, /PERSONAL_DATA_KEY: expected it to be set, because PERSONAL_DATA_KEYS is settings/],
    ['transit without a place', { PERSONAL_DATA_KEYS: 'transit' }, /PERSONAL_DATA_TRANSIT_URL: expected it to be set/],
    ['transit beside a key', { ...outside, PERSONAL_DATA_KEY: MASTER_KEY }, /take it away from here/],
    ['a certificate without its key', { ...outside, PERSONAL_DATA_TRANSIT_CLIENT_CERTIFICATE_FILE: '/x' }, /set both/],
    ['a file that is not there', { ...outside, PERSONAL_DATA_TRANSIT_CA_FILE: '/no/file' }, /can be read \(ENOENT\)/],
    ['a name with a path in it', { ...outside, PERSONAL_DATA_TRANSIT_KEY: '../keys/other' }, /letters, digits/],
  ])('%s are refused', (_, env, message) => {
    expect(() => wrappingWith(env)).toThrow(message);
  });

  it('have the key in the settings where nothing else is said', async () => {
    const wrapped = await wrappingWith({ PERSONAL_DATA_KEY: MASTER_KEY }).wrap(createDataKey(), 'ada');
    expect(wrapped).toMatch(/^v1\./);
  });
});

describe('the key management service as a process', () => {
  it('opens after its restart what was wrapped before', async () => {
    const file = join(folder, 'keys.json');
    const first = await TransitProcess.start({ file, token: TOKEN });
    const env = {
      PERSONAL_DATA_KEYS: 'transit',
      PERSONAL_DATA_TRANSIT_URL: first.url,
      PERSONAL_DATA_TRANSIT_TOKEN: TOKEN,
      PERSONAL_DATA_TRANSIT_CACHE_SECONDS: '0',
    };
    const dataKey = createDataKey();
    const wrapping = wrappingWith(env);
    const wrapped = await wrapping.wrap(dataKey, 'ada');
    await first.kill();
    await expect(wrapping.unwrap(wrapped, 'ada')).rejects.toMatchObject({ code: 'unavailable' });
    const second = await TransitProcess.start({ file, token: TOKEN, port: Number(new URL(first.url).port) });
    expect((await wrappingWith(env).unwrap(wrapped, 'ada')).equals(dataKey)).toBe(true);
    await second.kill();
  });
});

describe('over TLS', () => {
  let kms: TransitServer;
  const file = (name: string) => join(folder, name);
  const certificate = (name: string) =>
    execFileSync('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
      ...['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1'],
      ...['-keyout', file(`${name}.key`), '-out', file(`${name}.pem`)],
    ]);

  beforeAll(async () => {
    certificate('server');
    certificate('client');
    kms = await TransitServer.start({
      tokens: { [TOKEN]: ['encrypt', 'decrypt'] },
      tls: {
        key: readFileSync(file('server.key')),
        cert: readFileSync(file('server.pem')),
        ca: readFileSync(file('client.pem')),
        requestCert: true,
        rejectUnauthorized: true,
      },
    });
    kms.keys.create('personal-data');
  });
  afterAll(() => kms.stop());

  const env = (more: object) => ({
    PERSONAL_DATA_KEYS: 'transit',
    PERSONAL_DATA_TRANSIT_URL: kms.url,
    PERSONAL_DATA_TRANSIT_TOKEN: TOKEN,
    ...more,
  });
  const ca = () => ({ PERSONAL_DATA_TRANSIT_CA_FILE: file('server.pem') });
  const client = () => ({
    PERSONAL_DATA_TRANSIT_CLIENT_CERTIFICATE_FILE: file('client.pem'),
    PERSONAL_DATA_TRANSIT_CLIENT_KEY_FILE: file('client.key'),
  });

  it('each side knows the other by its certificate', async () => {
    const wrapping = wrappingWith(env({ ...ca(), ...client() }));
    const wrapped = await wrapping.wrap(createDataKey(), 'ada');
    await expect(wrapping.unwrap(wrapped, 'ada')).resolves.toHaveLength(32);
  });

  it.each([
    ['a client without a certificate', ca],
    ['a server that nothing vouches for', client],
  ])('%s is sent nothing', async (_, settings) => {
    kms.asked.length = 0;
    await expect(wrappingWith(env(settings())).wrap(createDataKey(), 'ada')).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(kms.asked).toEqual([]);
  });
});
