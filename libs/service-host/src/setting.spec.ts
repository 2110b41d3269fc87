import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceConfiguration } from './service-configuration';
import { bytes, filePath, loadConfiguration, Setting, SettingGroup, settingsOf, urlsOf, wholeNumber } from './setting';

class Example {
  @Setting({
    env: 'EXAMPLE_KEY',
    describe: 'Opens it.',
    example: '4 random bytes',
    read: bytes(4, 'hex'),
    secret: true,
  })
  key: Buffer;

  @Setting({ env: 'EXAMPLE_SIZE', describe: 'How large.', example: '7', read: wholeNumber(1, 9), default: 5 })
  size: number;
}

class Grouped {
  @SettingGroup(Example) example: Example;
}

const KEY = '01abcdef';
let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'settings-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function fileWith(content: string): string {
  const file = join(folder, 'secret');
  writeFileSync(file, content);
  return file;
}

function problemOf(environment: NodeJS.ProcessEnv): string {
  try {
    loadConfiguration(Example, environment);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing is wrong with it');
}

it('a group of settings is one property, and each of its variables is known', () => {
  const { example } = loadConfiguration(Grouped, { EXAMPLE_KEY: KEY });
  expect(example).toBeInstanceOf(Example);
  expect([example.key.toString('hex'), example.size]).toEqual([KEY, 5]);
  expect(settingsOf(Grouped).map(({ definition }) => definition.env)).toEqual(['EXAMPLE_KEY', 'EXAMPLE_SIZE']);
  expect(() => loadConfiguration(Grouped, { EXAMPLE_SIZE: '12' })).toThrow(/EXAMPLE_KEY: .*\nEXAMPLE_SIZE: /);
});

describe('a secret in a file', () => {
  it.each([KEY, `${KEY}\n`, `${KEY}\r\n`])('is read without the line end: %j', (content) => {
    const { key } = loadConfiguration(Example, { EXAMPLE_KEY_FILE: fileWith(content) });
    expect(key.toString('hex')).toBe(KEY);
  });

  it('loses no more than one line end', () => {
    expect(problemOf({ EXAMPLE_KEY_FILE: fileWith(`${KEY}\n\n`) })).toContain('expected 4 bytes in hex');
  });

  it('is not taken beside one in the variable itself', () => {
    const problem = problemOf({ EXAMPLE_KEY: KEY, EXAMPLE_KEY_FILE: fileWith(KEY) });
    expect(problem).toContain('EXAMPLE_KEY: expected either it or EXAMPLE_KEY_FILE to be set, not both');
    expect(problem).not.toContain(KEY);
  });

  it('that is not there is named by its variable', () => {
    const problem = problemOf({ EXAMPLE_KEY_FILE: join(folder, 'nowhere') });
    expect(problem).toContain('EXAMPLE_KEY: expected EXAMPLE_KEY_FILE to name a file that can be read (ENOENT)');
  });

  it('that is empty counts as not set', () => {
    expect(problemOf({ EXAMPLE_KEY_FILE: fileWith('\n') })).toContain('EXAMPLE_KEY: expected it to be set');
  });

  it('that is wrong is not printed', () => {
    expect(problemOf({ EXAMPLE_KEY_FILE: fileWith('deadbee') })).not.toContain('deadbee');
  });

  it('is for secrets only', () => {
    const { size } = loadConfiguration(Example, { EXAMPLE_KEY: KEY, EXAMPLE_SIZE_FILE: fileWith('9') });
    expect(size).toBe(5);
  });
});

it('the path of a file is whole', () => {
  expect(filePath('/etc/ca.pem')).toBe('/etc/ca.pem');
  for (const wrong of ['ca.pem', '', '/etc/\0']) expect(() => filePath(wrong)).toThrow('a file, from the root');
});

describe('several servers', () => {
  const read = urlsOf('nats:');
  const cluster = 'nats://a:secret@one:4222,nats://a:secret@two:4222';

  it('are taken when each of them is whole', () => {
    expect(read(cluster)).toBe(cluster);
  });

  it('may be the broker of any service', () => {
    const settings = { NATS_URL: cluster, BUS_KEY: Buffer.alloc(32).toString('base64') };
    expect(loadConfiguration(ServiceConfiguration, settings).natsUrl).toBe(cluster);
  });

  it.each(['nats://one:4222,two:4222', 'nats://one:4222,', 'nats://one:4222,http://two:4222'])(
    '%s are not',
    (servers) => {
      expect(() => read(servers)).toThrow('a URL that begins with nats://');
    },
  );
});
