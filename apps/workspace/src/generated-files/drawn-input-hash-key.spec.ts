import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeSecretFiles } from '@stablecoin/local-stack/deployment-secrets';
import { checkoutModule } from './checkout-module';

interface InputHashKeys {
  inputHashKeyOf(configuration: { personalDataKey: Buffer }): Buffer;
}

const temporary = mkdtempSync(join(tmpdir(), 'input-hash-key-'));

afterAll(() => rmSync(temporary, { recursive: true }));

it('a deployment from before the key of input hashes goes on with what its gateway derives', () => {
  const folder = join(temporary, 'secrets');
  writeSecretFiles(folder);
  rmSync(join(folder, 'input_hash_key'));
  expect(writeSecretFiles(folder).drawn).toEqual(['input_hash_key']);
  const key = (name: string) => Buffer.from(readFileSync(join(folder, name), 'utf8'), 'base64');
  const { inputHashKeyOf } = checkoutModule<InputHashKeys>('apps/gateway/src/idempotency/input-hash-key');
  expect(key('input_hash_key')).toEqual(inputHashKeyOf({ personalDataKey: key('personal_data_key') }));
});
