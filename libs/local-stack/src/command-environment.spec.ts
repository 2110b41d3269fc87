import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { commandEnvironment } from './command-environment';

const NOWHERE = 'postgresql://user:secret@127.0.0.1:1/customer';
const STACK = { CUSTOMER_DATABASE_URL: NOWHERE, PERSONAL_DATA_KEY: 'its key', BLIND_INDEX_KEY: 'its index key' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'environment-'));
  writeFileSync(join(folder, 'stack.json'), JSON.stringify({ environment: STACK }));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('the user’s settings win, also as files; the stack fills in what is missing or empty', async () => {
  const own = { CUSTOMER_DATABASE_URL: 'mine', BLIND_INDEX_KEY_FILE: '/run/mine', PERSONAL_DATA_KEY: '' };
  expect(await commandEnvironment({ DATA_DIR: folder, ...own })).toEqual({
    DATA_DIR: folder,
    CUSTOMER_DATABASE_URL: 'mine',
    BLIND_INDEX_KEY_FILE: '/run/mine',
    PERSONAL_DATA_KEY: 'its key',
  });
});

it.each([
  [{ CUSTOMER_COMPLIANCE_DATABASE_URL: 'mine' }],
  [{ AUDIT_DATABASE_URL: 'mine' }],
  [{ PAYOUT_DATABASE_URL_FILE: '/run/mine' }],
])('with %j set by the user, no stack has to run', async (own) => {
  const environment = await commandEnvironment({ DATA_DIR: join(folder, 'none'), ...own });
  expect(environment).toMatchObject(own);
});

it('without a running stack, the error is one sentence that says what to do', async () => {
  for (const dataDir of [folder, join(folder, 'none')]) {
    const refusal: unknown = await commandEnvironment({ DATA_DIR: dataDir }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(OperatorError);
    expect((refusal as Error).message).toMatch(/^The local stack is not running: start it with npm start/);
  }
});
