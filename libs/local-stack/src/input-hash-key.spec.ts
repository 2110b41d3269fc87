import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeSecretFiles } from './deployment-secrets';
import { TemporaryFolders } from './fixtures/temporary-folders';
import { inputHashKeyOf } from './input-hash-key';
import { dataPaths } from './paths';
import { loadSecrets, writeOwnerOnly } from './secrets';

/** What the gateways of earlier versions derived: with another one, repetitions of requests from before are refused. */
const OF_ONES = '79dUP7c8MiIJ1Zb1FmjWPcML7hZrx+l8wyRcDfcMivc=';
const ONES = Buffer.alloc(32, 1).toString('base64');
const folders = new TemporaryFolders();

afterEach(() => folders.remove());

it('is what the gateway derived by itself while it had the master key', () => {
  expect(inputHashKeyOf(ONES)).toBe(OF_ONES);
});

it('is kept by a deployment from before it was drawn', () => {
  const folder = join(folders.make(), 'secrets');
  writeSecretFiles(folder);
  rmSync(join(folder, 'input_hash_key'));
  expect(writeSecretFiles(folder).drawn).toEqual(['input_hash_key']);
  const value = (name: string) => readFileSync(join(folder, name), 'utf8');
  expect(value('input_hash_key')).toBe(inputHashKeyOf(value('personal_data_key')));
});

it('is kept by a local stack from before it was drawn, and outlives the master key', () => {
  const paths = dataPaths(folders.make());
  writeOwnerOnly(paths.secrets, JSON.stringify({ PERSONAL_DATA_KEY: ONES }));
  expect(loadSecrets(paths)['INPUT_HASH_KEY']).toBe(OF_ONES);
  const next = { ...loadSecrets(paths), PERSONAL_DATA_KEY: Buffer.alloc(32, 2).toString('base64') };
  writeOwnerOnly(paths.secrets, JSON.stringify(next));
  expect(loadSecrets(paths)['INPUT_HASH_KEY']).toBe(OF_ONES);
});
