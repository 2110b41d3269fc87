import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { checkoutOperator } from '../checkout-operator';

let parent: string;
let folder: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'secrets-'));
  folder = join(parent, 'secrets');
});
afterEach(() => rmSync(parent, { recursive: true }));

async function secrets(...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await checkoutOperator({}, stdout, stderr).run(['secrets', '--folder', folder, ...args]);
  return { code, stderr: String((stderr.read() as Buffer | null) ?? ''), stdout: stdout.read() as Buffer | null };
}

const keys = () => ['bus_key', 'bus_accepted_key'].map((name) => readFileSync(join(folder, name), 'utf8'));

it('changes a key one step at a time', async () => {
  expect(await secrets()).toEqual({
    code: 0,
    stdout: null,
    stderr: expect.stringMatching(/drawn, .* written\.\nKeep a copy where it is safe/) as unknown,
  });
  const [before] = keys();
  expect(keys()).toEqual([before, '']);
  expect(await secrets('--accept', 'bus_key', '--use', 'bus_key')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/One step at a time/) as unknown,
  });
  expect(await secrets('--accept', 'deposit_seed')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/deposit_seed is not changed in steps/) as unknown,
  });
  expect(keys()).toEqual([before, '']);
  expect(await secrets('--accept', 'bus_key')).toMatchObject({ code: 0 });
  const [, next] = keys();
  expect(next).not.toBe('');
  expect(await secrets('--use', 'bus_key')).toMatchObject({ code: 0 });
  expect(keys()).toEqual([next, before]);
  expect(await secrets('--drop', 'bus_key')).toMatchObject({ code: 0 });
  expect(keys()).toEqual([next, '']);
});

it('names the second database of the ledger once', async () => {
  const named = () => readFileSync(join(folder, 'ledger_databases'), 'utf8');
  expect(await secrets('--two-ledgers')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(
      /b is named in ledger_databases, audit_databases, ledger_migration_databases/,
    ) as unknown,
  });
  const first = named();
  expect(await secrets('--two-ledgers')).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/nothing is changed/) as unknown,
  });
  expect([first, named()]).toEqual([named(), expect.stringMatching(/^b=/)]);
});

it('ends with 1 for an unknown flag, as it always has', async () => {
  expect(await secrets('--nonsense')).toMatchObject({ code: 1 });
});
