import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { mountConfiguration, type NatsVersion } from './deployed-nats';

const pings = (file: string) => readFileSync(join(ROOT, file), 'utf8').match(/^ping_(interval|max): .*$/gm);

it('a deployed broker notices a silent client as soon as the local stack’s does', () => {
  expect(pings('deploy/nats/nats.conf')).toEqual(['ping_interval: "1s"', 'ping_max: 2']);
  expect(pings('libs/local-stack/src/nats.ts')).toEqual(pings('deploy/nats/nats.conf'));
});

describe('mountConfiguration', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'deployed-nats-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const mount = (version: NatsVersion) => {
    writeFileSync(join(folder, 'nats_passwords'), 'PASSWORD: "x"');
    const omitted = mountConfiguration({ root: join(folder, 'root'), secretsFolder: folder, version });
    return { omitted, jetstream: readFileSync(join(folder, 'root', 'etc', 'nats', 'jetstream.conf'), 'utf8') };
  };

  it('puts configuration and passwords where the image has them, and the data below the folder', () => {
    const { omitted, jetstream } = mount({ text: '2.12.4', major: 2, minor: 12 });
    expect(omitted).toEqual([]);
    expect(jetstream).toContain(JSON.stringify(join(folder, 'root', 'data')));
    expect(jetstream).toContain('sync_interval: always');
    expect(readFileSync(join(folder, 'root', 'run', 'secrets', 'nats_passwords'), 'utf8')).toBe('PASSWORD: "x"');
  });

  it('leaves out what an older server does not know', () => {
    const { omitted, jetstream } = mount({ text: '2.9.10', major: 2, minor: 9 });
    expect(omitted).toEqual(['sync_interval: always']);
    expect(jetstream).not.toMatch(/^\s*sync_interval:/m);
  });
});
