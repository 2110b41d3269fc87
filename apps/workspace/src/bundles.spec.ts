/** What `npm run build` makes of a service (tools/setup/bundles.mjs), and how that starts. */
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@stablecoin/command-line/root';

const run = promisify(execFile);
const BUNDLES = JSON.stringify(join(ROOT, 'tools/setup/bundles.mjs'));
const root = mkdtempSync(join(tmpdir(), 'bundles-'));

afterAll(() => rmSync(root, { recursive: true }));

/** A folder of these files, and the bundle of its main.js. */
async function bundled(files: Record<string, string>) {
  const sources = mkdtempSync(join(root, 'sources-'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(sources, file), text);
  const folder = mkdtempSync(join(root, 'bundle-'));
  const request = JSON.stringify({ program: join(sources, 'main.js'), folder });
  await run(process.execPath, [
    '--input-type=module',
    '-e',
    `import { bundleProgram } from ${BUNDLES}; await bundleProgram(${request})`,
  ]);
  return { sources, folder };
}

function started(folder: string) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'main.js')], { encoding: 'utf8' });
  return { status, stdout: stdout.trim(), stderr };
}

function fileIn(folder: string, ending: string): string {
  const found = readdirSync(folder).find((each) => each.startsWith('program-') && each.endsWith(ending));
  return join(folder, found ?? 'none');
}

// Modules of ES are put into one scope, where one of the two gets another name.
it('keeps the names of classes, by which errors and loggers are called', async () => {
  const { folder } = await bundled({
    'main.js': `import * as one from './one'; import * as two from './two'; console.log(one.Thing.name, two.Thing.name)`,
    'one.js': `export class Thing {}`,
    'two.js': `export class Thing {}`,
  });
  expect(started(folder)).toEqual({ status: 0, stdout: 'Thing Thing', stderr: '' });
});

// Each call of a function makes its closures anew.
it('gives no closure its name again', async () => {
  const { folder } = await bundled({
    'main.js': `function made() { const closure = () => 1; return closure; } console.log(made.name, made().name === '')`,
  });
  expect(started(folder)).toEqual({ status: 0, stdout: 'made true', stderr: '' });
});

it('names the sources in traces; without its map the lines of the bundle', async () => {
  const { sources, folder } = await bundled({
    'main.js': `if (process.env.PATH) require('./thing')()`,
    'thing.js': `module.exports = function thing() {\n  // A line that no bundle has.\n  throw new Error('no');\n}`,
  });
  expect(started(folder).stderr).toContain(`Error: no\n    at thing (${join(sources, 'thing.js')}:3:9)`);
  rmSync(fileIn(folder, '.js.map'));
  const { status, stderr } = started(folder);
  expect(status).toBe(1);
  expect(stderr).toContain(`Error: no\n    at thing (${fileIn(folder, '.js')}`);
});

// V8 would hold it in two bytes for each character.
it('is ASCII where that means the same', async () => {
  const text = (tagged: string) =>
    `const Größe = 'é😀' + \`ü\`; // ±\nconsole.log(Größe, ${tagged}, /^[ĄŻ-ž]😀$/u.test('Ą😀'), /[^ é]/.test('é'))`;
  const { folder } = await bundled({ 'main.js': text(`'ß'`) });
  expect(started(folder)).toEqual({ status: 0, stdout: 'é😀ü ß true false', stderr: '' });
  expect(readFileSync(fileIn(folder, '.js'), 'utf8')).toMatch(/^[\0-\x7f]*$/);
  expect(started((await bundled({ 'main.js': text('String.raw`ß`') })).folder).stdout).toBe('é😀ü ß true false');
});

it('fails to be made of a program whose modules cannot be loaded', async () => {
  const text = `if (process.env.HOME === undefined) throw new Error('no such thing')`;
  await expect(bundled({ 'main.js': text })).rejects.toThrow(/program-\w+\.js could not be loaded:[^]*no such thing/);
});

it('starts only from the code cache of its own text', async () => {
  const [one, two] = [
    await bundled({ 'main.js': `console.log('one')` }),
    await bundled({ 'main.js': `console.log('two')` }),
  ];
  cpSync(fileIn(one.folder, '.cache'), join(two.folder, fileIn(one.folder, '.cache').slice(one.folder.length)));
  expect(started(two.folder).stdout).toBe('two');
  const program = fileIn(two.folder, '.js');
  cpSync(fileIn(one.folder, '.cache'), fileIn(two.folder, '.cache'));
  writeFileSync(program, `console.log('longer than it was')`);
  expect(started(two.folder).stdout).toBe('longer than it was');
});

it('refuses a folder with two programs', async () => {
  const { folder } = await bundled({ 'main.js': `console.log('one')` });
  cpSync(fileIn(folder, '.js'), join(folder, 'program-0123456789abcdef.js'));
  expect(started(folder)).toMatchObject({ status: 1, stderr: expect.stringContaining('has 2 programs and not one') });
});

it('holds no file in which a trial could plant a bug', () => {
  const env = { ...process.env, TRIAL_PLANTED_EDITS: '[]' };
  const preload = join(ROOT, 'dist/libs/testing/src/planting.preload.js');
  const bundle = join(ROOT, 'dist/bundles/signer/main.js');
  const { status, stderr } = spawnSync(process.execPath, ['--require', preload, bundle], { env, encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('No bug can be planted in the bundle');
});
