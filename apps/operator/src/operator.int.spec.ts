import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { resolveApiKey } from '@stablecoin/contracts/customer/resolve-api-key';
import { Refusal } from '@stablecoin/contracts/wire/refusal';
import { Progress } from '@stablecoin/customer-store/progress';
import { hashApiKey } from '@stablecoin/customer-store/merchants/api-key';
import { commandLine } from './testing/command-line';
import { CustomerService, customerWithDocument } from './testing/customer-service';

let service: CustomerService;
let folder: string;

beforeAll(async () => {
  service = await CustomerService.start();
  folder = mkdtempSync(join(tmpdir(), 'documents-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await service.stop();
});

const { environment, operate, answer } = commandLine(() => service);

interface Key {
  merchant_id: string;
  key_id: string;
  api_key: string;
  scopes: string[];
}
const created = (...flags: string[]) => answer<Key>('merchants create', '--name', 'Shop', ...flags);
const resolve = (apiKey: string) => service.ask(resolveApiKey, { key_hash: hashApiKey(apiKey) });
/** The code of the service's refusal. */
const refusalOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'not refused',
    (error: unknown) => (error instanceof Refusal ? error.code : error),
  );
const validKeys = async (merchant: string) =>
  (
    await answer<{ key_id: string; expires_at: string | null; revoked_at: string | null }[]>(
      `merchants list-keys --json --merchant ${merchant}`,
    )
  ).filter(({ expires_at, revoked_at }) => !revoked_at && (!expires_at || Date.parse(expires_at) > Date.now()));

describe('merchants and keys', () => {
  it('a new merchant is printed as one line of JSON, with and without --json', async () => {
    for (const flags of [[], ['--json']]) {
      const merchant = await created(...flags);
      expect(Object.keys(merchant)).toEqual(['merchant_id', 'api_key']);
      expect(await resolve(merchant.api_key)).toMatchObject({ mode: 'test', scopes: ['read', 'write', 'payout'] });
    }
  });

  it('a live merchant, its scopes and its fee', async () => {
    const fee = ['--payout-fee-flat', '1.5', '--payout-fee-basis-points', '25'];
    const { merchant_id, api_key } = await created('--live', '--scopes', 'payout, read', ...fee);
    expect(api_key).toMatch(/^sk_live_/);
    expect(await resolve(api_key)).toMatchObject({
      merchant_id,
      mode: 'live',
      scopes: ['read', 'payout'],
      payout_fee_schedule: { flat: '1.50000000', basis_points: 25 },
    });
  });

  it.each([
    ['live', ['--live']],
    ['test', []],
  ])('every further key of a %s merchant is one too, with the scopes it is given', async (mode, flags) => {
    const { merchant_id, api_key } = await created(...flags);
    const added = await answer<Key>(`merchants add-key --merchant ${merchant_id} --scopes read`);
    expect(added.api_key).toMatch(new RegExp(`^sk_${mode}_`));
    expect(await resolve(added.api_key)).toMatchObject({
      mode,
      merchant_id,
      api_key_id: added.key_id,
      scopes: ['read'],
    });
    expect(await resolve(api_key)).toMatchObject({ scopes: ['read', 'write', 'payout'] });
    const rotated = await answer<Key>(
      `merchants rotate-key --merchant ${merchant_id} --scopes read,write --key ${api_key}`,
    );
    expect(rotated.api_key).toMatch(new RegExp(`^sk_${mode}_`));
    expect(await resolve(rotated.api_key)).toMatchObject({ mode, scopes: ['read', 'write'] });
  });

  it('rotating one key leaves the others, and takes over its scopes', async () => {
    const { merchant_id, api_key } = await created();
    const reader = await answer<Key>(`merchants add-key --merchant ${merchant_id} --scopes read`);
    await answer(`merchants add-key --merchant ${merchant_id} --scopes payout`);
    const rotated = await answer<Key>(
      `merchants rotate-key --merchant ${merchant_id} --key-id ${reader.key_id} --grace-hours 0`,
    );
    expect(rotated.scopes).toEqual(['read']);
    expect(await refusalOf(resolve(reader.api_key))).toBe('invalid_api_key');
    await resolve(api_key);
    expect(await validKeys(merchant_id)).toHaveLength(3);
    const ended = await operate(['merchants', 'rotate-key', '--merchant', merchant_id, '--key-id', reader.key_id]);
    expect(ended).toEqual({ code: 1, out: '', err: expect.stringMatching(/^error: The key has ended/) as unknown });
  });

  it('rotating names the key that it replaces, where there are several; the other keys stay', async () => {
    const { merchant_id, api_key } = await created();
    const reader = await answer<Key>(`merchants add-key --merchant ${merchant_id} --scopes read`);
    const refused = await operate(['merchants', 'rotate-key', '--merchant', merchant_id, '--grace-hours', '0']);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toMatch(/^error: The merchant has 2 valid keys: say with --key-id which one to replace\.\n/);
    expect(refused.err).toMatch(new RegExp(`^  ${reader.key_id}  read, never used$`, 'm'));
    expect(refused.err).toMatch(/^ {2}\S+ {2}read,write,payout, never used$/m);
    await resolve(api_key);
    expect(await validKeys(merchant_id)).toHaveLength(2);
  });

  it('a key is bound to addresses, and its successor to the same ones', async () => {
    const from = ['--allow-from', '203.0.113.0/24', '--allow-from', '2001:db8::/32'];
    const { merchant_id, api_key } = await created(...from);
    expect(await resolve(api_key)).toMatchObject({ allowed_addresses: ['203.0.113.0/24', '2001:db8::/32'] });
    const added = await answer<Key>(
      `merchants add-key --merchant ${merchant_id} --scopes read --allow-from 203.0.113.7`,
    );
    const rotated = await answer<Key>(`merchants rotate-key --merchant ${merchant_id} --key-id ${added.key_id}`);
    expect(rotated).toMatchObject({ scopes: ['read'], allowed_addresses: ['203.0.113.7'] });
    expect(await resolve(rotated.api_key)).toMatchObject({ allowed_addresses: ['203.0.113.7'] });
    const { out } = await operate(['merchants', 'list-keys', '--merchant', merchant_id]);
    expect(out).toMatch(/  203\.0\.113\.0\/24,2001:db8::\/32  /);
  });

  it.each([
    [[], 24],
    [['--grace-hours', '0'], 0],
    [['--grace-hours', '168'], 168],
  ])('grace %j is %i hours', async (flags, hours) => {
    const { merchant_id } = await created();
    const { previous_keys_expire_at } = await answer<{ previous_keys_expire_at: string }>(
      `merchants rotate-key --merchant ${merchant_id}`,
      ...flags,
    );
    const off = Date.parse(previous_keys_expire_at) - (Date.now() + hours * 3_600_000);
    expect(Math.abs(off)).toBeLessThan(60_000);
  });

  it('a key is revoked by its id or by the key itself, and keys are listed for people', async () => {
    const { merchant_id, api_key } = await created();
    const second = await answer<Key>(`merchants add-key --merchant ${merchant_id} --scopes read`);
    await answer(`merchants revoke-key --json --merchant ${merchant_id} --key ${api_key}`);
    await answer(`merchants revoke-key --merchant ${merchant_id} --key-id ${second.key_id}`);
    expect(await validKeys(merchant_id)).toEqual([]);
    const { out } = await operate(['merchants', 'list-keys', '--merchant', merchant_id]);
    expect(out).toMatch(
      /^KEY ID +MODE  SCOPES +SIGNER +ALLOWED FROM +CREATED +LAST USED +EXPIRES +REVOKED\n[^\n]+\n[^\n]+\n$/,
    );
    expect(out).not.toContain(api_key.slice(8));
  });
});

describe('used wrongly, or without a database', () => {
  const unknownId = randomUUID();
  const merchant = ['--merchant', unknownId];
  const customer = ['--customer', unknownId];
  const reader = ['--officer', 'Ada', '--reason', 'case 7'];
  const why = ['--reason', 'case 7'];

  it.each<[string[], number, RegExp]>([
    [['merchants', 'add-key', ...merchant, '--scopes', 'read'], 1, /no such merchant/],
    [['merchants', 'rotate-key', ...merchant], 1, /no such merchant/],
    [['merchants', 'list-keys', ...merchant], 1, /no such merchant/],
    [['merchants', 'revoke-key', ...merchant, '--key', 'x'], 1, /no such merchant/],
    [['customers', 'set-kyc-status', ...merchant, ...customer, ...why, '--status', 'approved'], 1, /no such customer/],
    [['customers', 'erase', ...merchant, ...customer, ...why], 1, /no such customer/],
    [['customers', 'erase', ...merchant, ...customer], 2, /required option '--reason/],
    [['customers', 'set-kyc-status', ...merchant, ...customer, '--status', 'approved'], 2, /required option '--reason/],
    [['customers', 'erase', ...merchant, ...customer, '--reason', 'asked by ada@example.com'], 2, /name a case/],
    [['customers', 'erase', ...merchant, ...customer, '--reason', 'call +234 803 123 4567'], 2, /name a case/],
    [['customers', 'erase', ...merchant, ...customer, ...why, '--actor', ''], 2, /1 to 100 characters/],
    [['customers', 'list', '--kyc', 'unknown'], 2, /Allowed choices/],
    [['customers', 'list', '--personal-data'], 2, /--personal-data needs a --reason/],
    [['merchants', 'list', '--personal-data'], 2, /--personal-data needs a --reason/],
    [['merchants', 'list', '--limit', '10001'], 2, /from 0 to 10000/],
    [['merchants', 'add-key', ...merchant, '--scopes', 'read', '--allow-from', '203.0.113.0/33'], 2, /an address, or/],
    [['log', '--since', 'yesterday'], 2, /must be a time/],
    [['log', '--head', `1:${'0'.repeat(64)}`], 2, /goes with --verify/],
    [['documents', 'list', ...customer, ...reader], 1, /no such customer/],
    [['merchants', 'revoke-key', ...merchant], 2, /name the key/],
    [['merchants', 'revoke-key', ...merchant, '--key', 'x', '--key-id', unknownId], 2, /cannot be used with/],
    [['merchants', 'rotate-key', '--merchant', 'x'], 2, /must be a UUID/],
    [['merchants', 'rotate-key', ...merchant, '--grace-hours', '169'], 2, /from 0 to 168/],
    [['merchants', 'rotate-key', ...merchant, '--grace-hours', '-1'], 2, /from 0 to 168/],
    [['merchants', 'rotate-key', ...merchant, '--scopes', 'read,admin'], 2, /one or more of read,write,payout/],
    [['merchants', 'create', '--name', 'A', '--scopes', ''], 2, /one or more of/],
    [['merchants', 'create', '--name', '\u200B'], 2, /1 to 200 characters/],
    [['merchants', 'create'], 2, /--name/],
    [['merchants', 'add-key', ...merchant], 2, /--scopes/],
    [
      ['customers', 'set-kyc-status', ...merchant, ...customer, ...why, '--status', 'not_started'],
      2,
      /Allowed choices/,
    ],
    [['documents', 'list', ...customer, '--reason', 'x'], 2, /--officer/],
    [['documents', 'export', ...customer, ...reader, '--document', unknownId], 2, /--out/],
    [['destroy'], 2, /unknown command/],
    [['merchants', 'destroy'], 2, /unknown command/],
  ])('%j ends with %i', async (args, code, message) => {
    expect(await operate(args)).toEqual({ code, out: '', err: expect.stringMatching(message) as unknown });
  });

  it.each([
    ['create', { CUSTOMER_DATABASE_URL: undefined }, /^error: CUSTOMER_DATABASE_URL: expected it to be set/],
    ['create', { OPERATOR_NAME: undefined }, /^error: say who acts, with --actor NAME or OPERATOR_NAME/],
    ['create', { OPERATOR_NAME: '\u200B' }, /^error: OPERATOR_NAME: expected text/],
    ['create', { PERSONAL_DATA_KEY: 'short' }, /PERSONAL_DATA_KEY: expected 32 bytes/],
    ['create', { CUSTOMER_DATABASE_URL: 'postgresql://u:canary@127.0.0.1:1/x' }, /does not answer/],
    ['list', { CUSTOMER_COMPLIANCE_DATABASE_URL: undefined }, /^error: CUSTOMER_COMPLIANCE_DATABASE_URL: expected/],
  ])('%s with %j', async (name, changes, message) => {
    const args =
      name === 'create' ? ['merchants', 'create', '--name', 'A'] : ['documents', 'list', ...customer, ...reader];
    const result = await operate(args, { ...environment(), ...changes });
    expect(result).toEqual({ code: 2, out: '', err: expect.stringMatching(message) as unknown });
    expect(result.err).not.toContain('canary');
  });

  it.each([
    ['', 'operator'],
    ...['create', 'list', 'add-key', 'rotate-key', 'revoke-key', 'list-keys'].map((name) => [`merchants ${name}`]),
    ...['list', 'set-kyc-status', 'erase', 'rewrap-keys', 'reindex'].map((name) => [`customers ${name}`]),
    ['log'],
    ['documents', 'compliance'],
    ...['list', 'export', 'accesses'].map((name) => [`documents ${name}`, `compliance ${name}`]),
    ['facts', 'facts'],
    ...['list', 'retry'].map((name) => [`facts ${name}`, `facts ${name}`]),
  ])('%s --help', async (name, typed = `operator ${name}`) => {
    const result = await operate([...name.split(' ').filter(Boolean), '--help'], {});
    const usage: unknown = expect.stringContaining(`Usage: docker compose run --rm ${typed} `);
    expect(result).toEqual({ code: 0, out: usage, err: '' });
  });

  it.each([
    ['create', 'merchants create'],
    ['add-key', 'merchants add-key'],
    ['rotate-key', 'merchants rotate-key'],
    ['revoke-key', 'merchants revoke-key'],
    ['list-keys', 'merchants list-keys'],
    ['set-kyc-status', 'customers set-kyc-status'],
    ['erase-customer', 'customers erase'],
    ['rewrap-keys', 'customers rewrap-keys'],
    ['reindex', 'customers reindex'],
  ])('%s, as it was called before there were areas, is %s', async (earlier, name) => {
    expect(await operate([earlier, '--help'], {})).toEqual(await operate([...name.split(' '), '--help'], {}));
  });
});

describe('documents', () => {
  const reader = ['--officer', 'Ada Obi', '--reason', 'case 7'];
  const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const newCustomer = async (content: Buffer) => customerWithDocument(service, (await created()).merchant_id, content);

  it('5 MiB are exported byte for byte, into a file that only its owner can read, and the read is recorded', async () => {
    const content = Buffer.concat([PNG, randomBytes(5 * 1024 * 1024 - PNG.length)]);
    const { customer_id } = await newCustomer(content);
    const [listed] = await answer<{ document_id: string }[]>(
      `documents list --json --customer ${customer_id}`,
      ...reader,
    );
    const out = join(folder, randomUUID());
    const document = ['--customer', customer_id, '--document', listed?.document_id ?? '', '--out', out];
    expect(await answer('documents export', ...document, ...reader)).toMatchObject({
      ...listed,
      customer_id,
      media_type: 'image/png',
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      out,
    });
    expect(readFileSync(out).equals(content)).toBe(true);
    expect(statSync(out).mode & 0o777).toBe(0o600);
    expect(await answer(`documents accesses --json --customer ${customer_id}`)).toMatchObject([
      { officer: 'Ada Obi', reason: 'case 7', action: 'export', document_id: listed?.document_id },
      { officer: 'Ada Obi', reason: 'case 7', action: 'list', document_id: null },
    ]);
    const { out: table } = await operate(['documents', 'accesses', '--customer', customer_id]);
    expect(table).toMatch(/^WHEN .*\n.* export .*\n.* list .*\n$/);
  });

  it('never overwrite a file, and then no read is recorded', async () => {
    const { customer_id, document_id } = await newCustomer(PNG);
    const out = join(folder, randomUUID());
    writeFileSync(out, 'mine');
    const args = ['--customer', customer_id, '--document', document_id, ...reader];
    expect(await operate(['documents', 'export', ...args, '--out', out])).toMatchObject({ code: 1, out: '' });
    expect(readFileSync(out, 'utf8')).toBe('mine');
    expect(await answer(`documents accesses --json --customer ${customer_id}`)).toEqual([]);
  });

  it('leave no file behind when they can’t be read', async () => {
    const { customer_id } = await newCustomer(PNG);
    const out = join(folder, randomUUID());
    const args = ['--customer', customer_id, '--document', randomUUID(), '--out', out, ...reader];
    expect(await operate(['documents', 'export', ...args])).toEqual({
      code: 1,
      out: '',
      err: 'error: The customer has no such document.\n',
    });
    expect(() => statSync(out)).toThrow('ENOENT');
  });
});

describe('the change of keys', () => {
  const next = { PERSONAL_DATA_KEY: createHash('sha256').update('the next master key').digest('base64') };

  it('with the key in use there is nothing to rewrap, as people and programs are told', async () => {
    const ofPrograms = await operate(['customers', 'rewrap-keys', '--json']);
    expect({ code: ofPrograms.code, ...(JSON.parse(ofPrograms.out) as object) }).toMatchObject({
      code: 0,
      rewrapped: 0,
      left_under_previous_key: 0,
      unreadable: 0,
    });
    expect(await operate(['customers', 'rewrap-keys'])).toEqual({
      code: 0,
      out: expect.stringMatching(
        /^\d+ data keys: 0 wrapped anew, .*\nPERSONAL_DATA_PREVIOUS_KEY can be dropped\.\n$/,
      ) as unknown,
      err: expect.stringMatching(/^pass 1: [\d,]+ of [\d,]+ data keys, [\d,]+\/s\n$/) as unknown,
    });
  });

  it('data keys that no given master key opens are counted, and fail the command', async () => {
    const { code, out, err } = await operate(['customers', 'rewrap-keys', '--json'], { ...environment(), ...next });
    expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({ code: 1, rewrapped: 0 });
    expect(err).toMatch(/^pass 1: .*\nerror: \d+ data keys open with no master key at hand/);
  });

  it('an unexpected error fails the command, with nothing on stdout', async () => {
    jest.spyOn(Progress.prototype, 'end').mockImplementationOnce(() => {
      throw new Error('the process died here');
    });
    const died = { code: 2, out: '', err: 'error: Unexpected Error: the process died here\n' };
    expect(await operate(['customers', 'rewrap-keys', '--json'])).toEqual(died);
  });

  it('blind indexes are rebuilt only while no customer service is connected', async () => {
    const refused = await operate(['customers', 'reindex', '--json']);
    expect(refused).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(
        /^error: A customer service, or another command, is connected: stop it first\./,
      ) as unknown,
    });
    await service.stopProcess();
    const { code, out } = await operate(['customers', 'reindex', '--json']);
    expect({ code, ...(JSON.parse(out) as object) }).toMatchObject({ code: 0, reindexed: 0 });
    expect((await operate(['customers', 'reindex'])).out).toMatch(
      /^\d+ customers: the fingerprints of 0 were made anew/,
    );
  });
});
