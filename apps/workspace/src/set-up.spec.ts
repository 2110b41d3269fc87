/** The scripts that run before the build (tools/): the check of Node's version, the set-up, the start of a program. */
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@stablecoin/command-line/root';

const run = promisify(execFile);
const esModule = (script: string) => ['--input-type=module', '-e', script];
const setUp = (file: string) => JSON.stringify(join(ROOT, 'tools/setup', file));

describe('the version of Node', () => {
  const refusals = (...asked: [version: string, platform: string][]) => {
    const script = `import { requireNode } from ${setUp('node-version.mjs')};
      console.log(JSON.stringify(${JSON.stringify(asked)}.map((of) => requireNode(...of) ?? 'none')))`;
    return JSON.parse(execFileSync(process.execPath, esModule(script), { encoding: 'utf8' })) as string[];
  };

  it('is refused in one sentence when it is too old; so is Windows', () => {
    expect(refusals(['20.19.0', 'linux'], ['24.1.0', 'darwin'], ['20.18.3', 'linux'], ['22.0.0', 'win32'])).toEqual([
      'none',
      'none',
      expect.stringMatching(/^Node 20\.19 or newer is needed, this is 20\.18\.3: install it/),
      expect.stringMatching(/WSL 2/),
    ]);
  });
});

describe('the set-up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'set-up-'));
  const record = join(folder, 'record');
  /** Takes the checkout's lock, prints a line, and keeps the lock for a moment. */
  const holder = (ms: number) =>
    esModule(`import { appendFileSync } from 'node:fs';
      import { alone } from ${setUp('lock.mjs')};
      await alone(async () => {
        appendFileSync(${JSON.stringify(record)}, 'in ');
        console.log('in');
        await new Promise((done) => setTimeout(done, ${ms}));
        appendFileSync(${JSON.stringify(record)}, 'out ');
      })`);

  afterAll(() => rmSync(folder, { recursive: true }));

  it('is done by one command at a time, and a killed one blocks none', async () => {
    const killed = spawn(process.execPath, holder(60_000), { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    await Promise.all([1, 2, 3].map(() => run(process.execPath, holder(100))));
    expect(readFileSync(record, 'utf8').trim()).toBe('in in out in out in out');
  });
});

describe('tools/run.mjs', () => {
  const tool = (...args: string[]) =>
    spawnSync(process.execPath, ['tools/run.mjs', ...args], { cwd: ROOT, encoding: 'utf8' });

  it('prints its usage when no program is named', () => {
    expect(tool()).toMatchObject({ status: 1, stdout: expect.stringMatching(/^node tools\/run\.mjs ENTRY/) as string });
  });

  it("prints a program's help", () => {
    const help = tool('libs/migrations/src/migrate-job', '--help');
    expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining('pending migrations') as string });
  });

  it('starts a program that has a bundle from it', () => {
    const prints = `data:text/javascript,process.on('exit',()=>process.stderr.write(process.argv[1]))`;
    const env = { ...process.env, NODE_OPTIONS: `--import=${prints}` };
    const command = ['tools/run.mjs', 'apps/operator/src/main', '--help'];
    const { stdout, stderr } = spawnSync(process.execPath, command, { cwd: ROOT, encoding: 'utf8', env });
    expect({ stdout, stderr }).toEqual({
      stdout: expect.stringContaining('npm run operator') as string,
      stderr: join(ROOT, 'dist/bundles/operator/main.js'),
    });
  });
});
