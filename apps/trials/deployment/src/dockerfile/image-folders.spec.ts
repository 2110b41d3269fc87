import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { imageFolders } from './image-folders';

const DOCKERFILE = [
  'FROM node:20.1.0 AS base\nENV NAME=value\nWORKDIR /app',
  'FROM base AS made\nCOPY tools/setup ./tools\nCOPY package.json ./\nRUN printf "$NAME" > written',
  'FROM base AS image\nCOPY --from=made /app/written /app/package.json ./\nUSER node\nENTRYPOINT ["node"]\nCMD ["x"]',
  'FROM base AS outside\nRUN touch /etc/passwd',
  'FROM base AS failing\nRUN exit 3',
  'FROM node AS loose\nUSER node',
  'FROM base AS installed\nRUN npm ci --omit=dev',
].join('\n');

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'image-folders-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const imagesOf = (install?: Parameters<typeof imageFolders>[0]['install']) =>
  imageFolders({ folder, nodeFolder: dirname(process.execPath), dockerfile: DOCKERFILE, install }).image;

describe('image folders', () => {
  it('carry out the steps of a Dockerfile', async () => {
    const made = await imagesOf()('image');
    expect(made).toMatchObject({ user: 'node', entrypoint: ['node'], command: ['x'], workdir: '/app' });
    expect(readFileSync(join(made.root, 'app', 'written'), 'utf8')).toBe('value');
    expect(existsSync(join(made.root, 'app', 'package.json'))).toBe(true);
    expect(existsSync(join(made.root, 'app', 'tools'))).toBe(false);
  });

  it.each([
    ['outside', /names an absolute path/],
    ['failing', /ended with 3/],
    ['loose', /no exact version/],
    ['absent', /no target absent/],
  ])('refuse the target %s', (target, why) => expect(imagesOf()(target)).rejects.toThrow(why));

  it('leave npm ci to the installer', async () => {
    const commands: string[] = [];
    const { root } = await imagesOf(({ command, cwd }) => {
      commands.push(command, cwd);
      return Promise.resolve({ code: 0, output: '' });
    })('installed');
    expect(commands).toEqual(['npm ci --omit=dev', join(root, 'app')]);
  });
});
