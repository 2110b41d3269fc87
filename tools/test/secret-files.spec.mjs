import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { serviceEnvironments } from '../stack/environment.mjs';
import { secretFrom } from '../stack/secret-files.mjs';
import { temporaryFolder } from './fixtures/launch.mjs';

const folder = temporaryFolder({ after });

function fileWith(content) {
  const file = join(folder, 'secret');
  writeFileSync(file, content);
  return file;
}

test('a secret is the variable, or the file without its line end, and nothing when neither is set', () => {
  assert.equal(secretFrom({ KEY: 'a' }, 'KEY'), 'a');
  assert.equal(secretFrom({ KEY: '', KEY_FILE: fileWith('b\n') }, 'KEY'), 'b');
  assert.equal(secretFrom({ KEY_FILE: fileWith('\n') }, 'KEY'), undefined);
  assert.equal(secretFrom({}, 'KEY'), undefined);
});

test('both at once, and a file that is not there, are refused by name', () => {
  assert.throws(() => secretFrom({ KEY: 'a', KEY_FILE: fileWith('b') }, 'KEY'), /KEY and KEY_FILE are both set/);
  assert.throws(
    () => secretFrom({ KEY_FILE: join(folder, 'nowhere') }, 'KEY'),
    /KEY_FILE names .* can't be read \(ENOENT\)/,
  );
});

test('the local stack hands what stood in a file to the services that need it, and the file to nobody', () => {
  const database = { app: 'postgresql://a', owner: 'postgresql://o' };
  const urls = { customer: database, ledger: database, swap: database, payout: database };
  const env = { DEPOSIT_SEED_FILE: fileWith('abc\n') };
  const services = serviceEnvironments({ env, secrets: { BUS_KEY: 'k' }, natsUrl: 'nats://n', urls, port: 0 });
  assert.equal(services['wallet-ledger'].DEPOSIT_SEED, 'abc');
  for (const values of Object.values(services)) assert.equal(values.DEPOSIT_SEED_FILE, undefined);
  assert.equal(services.payout.DEPOSIT_SEED, undefined);
});
