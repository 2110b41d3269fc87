// What every kind of KeyWrapping promises, on each of them; then what is particular to one.

import { randomBytes } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { createDataKey } from '@stablecoin/personal-data/data-key';
import { DataKeyUnreadable, MasterKeys } from '@stablecoin/personal-data/master-keys';
import { eventually } from '@stablecoin/testing/eventually';
import { TransitServer } from '@stablecoin/testing/transit/transit-server';
import { KeyWrapping } from './key-wrapping';
import { MovingWrapping } from './moving-wrapping';
import { SettingsWrapping } from './settings-wrapping';
import { TransitClient } from './transit-client';
import { TransitWrapping } from './transit-wrapping';

const TOKEN = 'token-of-the-kms';
const READER = 'token-that-only-opens';
let kms: TransitServer;
let logged: object[] = [];

beforeAll(async () => {
  kms = await TransitServer.start({ tokens: { [TOKEN]: ['encrypt', 'decrypt'], [READER]: ['decrypt'] } });
  kms.keys.create('personal-data');
  kms.keys.create('derived', { derived: true });
  kms.keys.create('unbound', { ignores_associated_data: true });
});
afterAll(() => kms.stop());
beforeEach(() => {
  kms.disturbance = {};
  kms.asked.length = 0;
  logged = [];
  Logger.overrideLogger(false);
  jest.spyOn(Logger.prototype, 'error').mockImplementation((line: object) => void logged.push(line));
});
afterEach(() => jest.restoreAllMocks());

const outside = ({ cacheMs = 0, ...changes }: { cacheMs?: number; [name: string]: unknown } = {}) =>
  new TransitWrapping(
    new TransitClient({ url: kms.url, key: 'personal-data', token: TOKEN, timeoutMs: 500, ...changes }),
    cacheMs,
  );
const inSettings = (...keys: [Buffer, Buffer?]) => new SettingsWrapping(new MasterKeys(keys[0], keys[1] ?? null));
const failureOf = (work: Promise<unknown>) => work.then(String, (error: unknown) => error);
/** A right answer, but for its length. */
const TOO_MUCH = JSON.stringify({
  data: { batch_results: [{ plaintext: Buffer.alloc(32).toString('base64') }] },
  warnings: ['A'.repeat(1_100_000)],
});
const UNAVAILABLE = { code: 'unavailable', notExecuted: true };

describe.each<[string, () => KeyWrapping]>([
  ['a master key in the settings', () => inSettings(randomBytes(32))],
  ['a key of the key management service', () => outside()],
  ['a derived key of it', () => outside({ key: 'derived' })],
  ['a key of it, while data keys move there', () => new MovingWrapping(outside(), inSettings(randomBytes(32)))],
  [
    'a master key in the settings, while data keys move back',
    () => new MovingWrapping(inSettings(randomBytes(32)), outside()),
  ],
])('wrapping with %s', (_, make) => {
  it('opens what it has wrapped, for its owner alone', async () => {
    const wrapping = make();
    const dataKey = createDataKey();
    const wrapped = await wrapping.wrap(dataKey, 'ada');
    expect(wrapping.recognises(wrapped)).toBe(true);
    expect((await wrapping.unwrap(wrapped, 'ada')).equals(dataKey)).toBe(true);
    expect(await failureOf(wrapping.unwrap(wrapped, 'ben'))).toBeInstanceOf(DataKeyUnreadable);
  });

  it('wraps a key twice into two texts, neither of which contains it', async () => {
    const wrapping = make();
    const dataKey = createDataKey();
    const texts = await Promise.all([wrapping.wrap(dataKey, 'ada'), wrapping.wrap(dataKey, 'ada')]);
    expect(texts[0]).not.toBe(texts[1]);
    expect(texts.join(' ')).not.toContain(dataKey.toString('base64').slice(0, 40));
  });

  it.each([
    ['changed', (text: string) => `${text.slice(0, -8)}${text.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`],
    ['cut off', (text: string) => text.slice(0, -12)],
    ['empty', () => ''],
    ['of no kind', () => 'aws:kms:AQICAHh'],
  ])('does not open a text that is %s', async (_case, change) => {
    const wrapping = make();
    const changed = change(await wrapping.wrap(createDataKey(), 'ada'));
    expect(await failureOf(wrapping.unwrap(changed, 'ada'))).toBeInstanceOf(DataKeyUnreadable);
    expect(await failureOf(wrapping.rewrap(changed, 'ada'))).toBeInstanceOf(DataKeyUnreadable);
  });

  it('refuses to wrap what is no data key', async () => {
    await expect(make().wrap(Buffer.alloc(16), 'ada')).rejects.toThrow('A data key has 32 bytes');
  });

  it('leaves what is under the current key as it is', async () => {
    const wrapping = make();
    const wrapped = await wrapping.wrap(createDataKey(), 'ada');
    expect(await wrapping.rewrap(wrapped, 'ada')).toBeUndefined();
  });

  it('finds nothing wrong', async () => {
    expect(await make().check({ wraps: true })).toBeUndefined();
  });
});

describe('data keys that move', () => {
  const former = randomBytes(32);
  it.each<[string, () => KeyWrapping, () => KeyWrapping, () => KeyWrapping]>([
    [
      'from one master key to another',
      () => inSettings(former),
      () => inSettings(Buffer.alloc(32, 9), former),
      () => inSettings(Buffer.alloc(32, 9)),
    ],
    [
      'from the settings to the service',
      () => inSettings(former),
      () => new MovingWrapping(outside(), inSettings(former)),
      () => outside(),
    ],
    [
      'from the service to the settings',
      () => outside(),
      () => new MovingWrapping(inSettings(former), outside()),
      () => inSettings(former),
    ],
  ])('%s are the same there, and need the former no more', async (_, before, while_, after) => {
    const dataKey = createDataKey();
    const wrapped = await before().wrap(dataKey, 'ada');
    const moving = while_();
    expect((await moving.unwrap(wrapped, 'ada')).equals(dataKey)).toBe(true);
    const moved = (await moving.rewrap(wrapped, 'ada')) as string;
    expect(await moving.rewrap(moved, 'ada')).toBeUndefined();
    expect((await after().unwrap(moved, 'ada')).equals(dataKey)).toBe(true);
    expect(await failureOf(after().unwrap(wrapped, 'ada'))).toBeInstanceOf(DataKeyUnreadable);
  });

  it('go from one version of the service’s key to the next', async () => {
    kms.keys.create('versions');
    const dataKey = createDataKey();
    const old = await outside({ key: 'versions' }).wrap(dataKey, 'ada');
    kms.keys.rotate('versions');
    const wrapping = outside({ key: 'versions' });
    const moved = (await wrapping.rewrap(old, 'ada')) as string;
    expect([old, moved].map((text) => text.slice(0, 9))).toEqual(['vault:v1:', 'vault:v2:']);
    expect(await wrapping.rewrap(moved, 'ada')).toBeUndefined();
    kms.keys.configure('versions', { min_decryption_version: 2 });
    expect((await wrapping.unwrap(moved, 'ada')).equals(dataKey)).toBe(true);
    expect(await failureOf(wrapping.unwrap(old, 'ada'))).toBeInstanceOf(DataKeyUnreadable);
  });
});

describe('a key management service', () => {
  const wrappedOf = (owners: string[]) => Promise.all(owners.map((owner) => outside().wrap(createDataKey(), owner)));

  it('is asked once for what is wanted in the same turn', async () => {
    const owners = Array.from({ length: 300 }, (_, index) => `owner-${index}`);
    const wrapping = outside();
    await wrapping.wrap(createDataKey(), 'first');
    kms.asked.length = 0;
    const wrapped = await Promise.all(owners.map((owner) => wrapping.wrap(createDataKey(), owner)));
    await Promise.all(owners.map((owner, index) => wrapping.unwrap(wrapped[index] as string, owner)));
    expect(kms.asked.map(({ verb, items }) => [verb, items])).toEqual([
      ...[
        ['encrypt', 250],
        ['encrypt', 50],
      ],
      ...[
        ['decrypt', 250],
        ['decrypt', 50],
      ],
    ]);
    expect(kms.asked[0]?.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it('fails one of them alone when that one does not open', async () => {
    const wrapping = outside();
    const [ada = '', ben = ''] = await wrappedOf(['ada', 'ben']);
    kms.asked.length = 0;
    const answers = await Promise.all([wrapping.unwrap(ada, 'ada'), failureOf(wrapping.unwrap(ben, 'ada'))]);
    expect(answers).toEqual([expect.any(Buffer), expect.any(DataKeyUnreadable)]);
    expect(kms.asked).toHaveLength(1);
  });

  it('is asked again only when an opened key was forgotten', async () => {
    const wrapping = outside({ cacheMs: 200 });
    const [wrapped = ''] = await wrappedOf(['ada']);
    kms.asked.length = 0;
    await Promise.all([wrapping.unwrap(wrapped, 'ada'), wrapping.unwrap(wrapped, 'ada')]);
    await wrapping.unwrap(wrapped, 'ada');
    expect(kms.asked).toHaveLength(1);
    // What is known of one owner opens nothing for another.
    expect(await failureOf(wrapping.unwrap(wrapped, 'ben'))).toBeInstanceOf(DataKeyUnreadable);
    kms.asked.length = 0;
    await eventually('it is forgotten', async () => {
      await wrapping.unwrap(wrapped, 'ada');
      return kms.asked.length > 0;
    });
  });

  it('that does not bind to the owner wraps nothing', async () => {
    const wrapping = outside({ key: 'unbound' });
    await expect(wrapping.wrap(createDataKey(), 'ada')).rejects.toThrow('another owner than it was wrapped for');
    await expect(wrapping.check({ wraps: true })).rejects.toThrow('aes256-gcm96');
  });

  it('need not let those wrap who only open', async () => {
    const [wrapped = ''] = await wrappedOf(['ada']);
    const reader = outside({ token: READER });
    await reader.unwrap(wrapped, 'ada');
    expect(await reader.check({ wraps: false })).toBeUndefined();
    expect(await failureOf(reader.wrap(createDataKey(), 'ada'))).toMatchObject(UNAVAILABLE);
  });

  it.each([
    ['can not, for a moment', { status: 503, times: 2 }],
    ['has too much to do, for a moment', { status: 429, times: 1 }],
  ])('that %s is asked again', async (_, disturbance) => {
    const [wrapped = ''] = await wrappedOf(['ada']);
    kms.disturbance = disturbance;
    await expect(outside().unwrap(wrapped, 'ada')).resolves.toHaveLength(32);
  });

  it.each([
    ['is sealed', { status: 503 }, {}, 3],
    ['knows another mount', {}, { url: 'elsewhere' }, 1],
    ['does not know the token', {}, { token: 'another-token' }, 1],
    ['has no such key', {}, { key: 'no-such-key' }, 1],
    ['says nothing', { silent: true }, {}, 1],
    ['says what is no JSON', { text: '<html>' }, {}, 1],
    ['answers fewer than were asked', { text: '{"data":{"batch_results":[]}}' }, {}, 1],
    ['says too much', { text: TOO_MUCH }, {}, 1],
    ['sends elsewhere', { status: 307 }, {}, 1],
  ])('that %s makes a request unavailable, nothing executed, and no data key unreadable', async (...given) => {
    const [, disturbance, changes, attempts] = given;
    const [wrapped = ''] = await wrappedOf(['ada']);
    const url = 'url' in changes ? kms.url.replace('transit', changes.url) : kms.url;
    const wrapping = outside({ ...changes, url });
    kms.disturbance = disturbance;
    kms.asked.length = 0;
    const began = performance.now();
    const error = await failureOf(wrapping.unwrap(wrapped, 'ada'));
    expect(error).toBeInstanceOf(Refusal);
    expect(error).toMatchObject(UNAVAILABLE);
    expect(kms.asked).toHaveLength(attempts);
    expect(performance.now() - began).toBeLessThan(2_000);
    expect(await wrapping.check({ wraps: false })).toBe('did not answer when it was asked last');
  });

  it('that is away is asked by one request at a time, while the others are refused at once; and is noticed when it is back', async () => {
    const owners = Array.from({ length: 20 }, (_, index) => `owner-${index}`);
    const wrapped = await wrappedOf(owners);
    const wrapping = outside();
    kms.disturbance = { silent: true };
    await failureOf(wrapping.unwrap(wrapped[0] as string, 'owner-0'));
    kms.asked.length = 0;
    for (const [index, owner] of owners.entries())
      expect(await failureOf(wrapping.unwrap(wrapped[index] as string, owner))).toMatchObject(UNAVAILABLE);
    expect(kms.asked).toHaveLength(0);
    kms.disturbance = {};
    await eventually('it is noticed', () => wrapping.unwrap(wrapped[0] as string, 'owner-0').catch(() => false));
    await expect(wrapping.unwrap(wrapped[1] as string, 'owner-1')).resolves.toHaveLength(32);
    expect(await wrapping.check({ wraps: true })).toBeUndefined();
  });

  it('that is away is logged once, without a token or a key', async () => {
    const [wrapped = ''] = await wrappedOf(['ada']);
    const wrapping = outside({ token: 'another-token' });
    await failureOf(wrapping.unwrap(wrapped, 'ada'));
    await failureOf(wrapping.unwrap(wrapped, 'ada'));
    expect(logged).toEqual([
      expect.objectContaining({ alert: 'key_management_away', reason: 'status 403, permission denied' }),
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/another-token|vault:v1/);
  });
});
