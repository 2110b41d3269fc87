import { mkdirSync } from 'node:fs';
import { TemporaryFolders } from './fixtures/temporary-folders';
import { dataPaths } from './paths';
import { loadSecrets } from './secrets';

const folders = new TemporaryFolders();

afterEach(() => folders.remove());

it('draws them once, and keeps them', () => {
  const paths = dataPaths(folders.make());
  const first = loadSecrets(paths);
  expect(loadSecrets(paths)).toEqual(first);
  expect(Buffer.from(first.PERSONAL_DATA_KEY, 'base64')).toHaveLength(32);
  expect(first.DEPOSIT_SEED).toMatch(/^[0-9a-f]{128}$/);
});

it('never draws them anew over existing data', () => {
  const lost = dataPaths(folders.make());
  mkdirSync(lost.postgres);
  expect(() => loadSecrets(lost)).toThrow(/is missing, but there is data that its keys encrypt/);
});
