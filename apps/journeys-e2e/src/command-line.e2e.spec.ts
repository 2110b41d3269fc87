/** The command line against the whole stack: what a merchant's engineer does in a terminal, and what a script relies upon. */
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import getPort from 'get-port';
import { unwrapWebhook } from '@stablecoin/sdk-typescript/index';
import { OPERATIONS } from '@stablecoin/sdk-typescript/operations';
import { eventually } from '@stablecoin/testing/eventually';
import { testStack } from '@stablecoin/testing/stack';
import { WebhookReceiver } from '@stablecoin/testing/webhook-receiver';
import { CommandLineProgram } from './command-line-program';
import { createMerchant } from './merchants';

interface Identified {
  id: string;
}
interface Payout extends Identified {
  transaction_id: string;
  status: string;
}

const TIMEOUT_MS = 120_000;
const BANK = ['--account-number', '0123450000', '--bank-code', '011', '--recipient-name', 'Ada Obi'];
const kebab = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

let apiKey: string;
let cli: CommandLineProgram;

beforeAll(async () => {
  apiKey = (await createMerchant()).api_key;
});
beforeEach(() => {
  cli = new CommandLineProgram({ STABLECOIN_BASE_URL: testStack().base_url });
});
afterEach(() => cli.remove());

const logIn = async (...flags: string[]) => {
  const ran = await cli.run(['login', ...flags], { input: `${apiKey}\n` });
  expect(ran).toMatchObject({ exitCode: 0, stdout: '' });
  return ran;
};
const modeOf = (path: string) => statSync(path).mode & 0o777;

describe('the key', () => {
  it('is checked, kept where only the user may read it, and never shown whole', async () => {
    const { stderr } = await logIn();
    expect([modeOf(cli.configuration), modeOf(join(cli.configuration, '..'))]).toEqual([0o600, 0o700]);
    const { stdout } = await cli.run(['whoami']);
    expect(stdout).toContain(`sk_test_…${apiKey.slice(-4)}`);
    await cli.run(['wallets', 'list']);
    const shown = [
      stderr,
      stdout,
      (await cli.run(['profiles', 'list', '--json'])).stdout,
      (await cli.run(['logs'])).stdout,
    ];
    expect(shown.join('')).not.toContain(apiKey);
    expect(readFileSync(cli.requestLog, 'utf8')).not.toContain(apiKey);
    expect(modeOf(cli.requestLog)).toBe(0o600);
  });

  it('is not kept when the service does not know it', async () => {
    const ran = await cli.run(['login'], { input: `sk_test_${'0'.repeat(64)}` });
    expect([ran.exitCode, existsSync(cli.configuration)]).toEqual([1, false]);
    expect(ran.stderr).toMatch(/\(invalid_api_key\)\nRequest /);
    expect(await cli.run(['login'], { input: 'two words' })).toMatchObject({ exitCode: 2 });
  });

  it('may be named in the command, with a warning', async () => {
    const { stderr, exitCode } = await cli.run(['login', '--api-key', apiKey]);
    expect([exitCode, stderr.split('\n')[0]]).toEqual([0, expect.stringContaining('Warning: a key in a command')]);
    expect(stderr).not.toContain(apiKey);
  });

  it('is not taken from a file that others may read, until that is mended', async () => {
    await logIn();
    chmodSync(cli.configuration, 0o644);
    const { exitCode, stderr } = await cli.run(['wallets', 'list']);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`chmod 600 '${cli.configuration}'`)]);
    chmodSync(cli.configuration, 0o600);
    expect(await cli.run(['wallets', 'list'])).toMatchObject({ exitCode: 0 });
  });

  it('is one of several profiles; the environment goes before the current one, a named one before the environment', async () => {
    await logIn('--profile', 'one');
    const other = await createMerchant();
    await cli.run(['login', '--profile', 'two'], { input: other.api_key });
    const profileOf = async (args: string[], env = {}) =>
      (JSON.parse((await cli.run(['whoami', '--json', ...args], { env })).stdout) as { profile: string }).profile;
    expect(await profileOf([])).toBe('two');
    await cli.run(['profiles', 'use', 'one']);
    expect(await profileOf([])).toBe('one');
    expect(await profileOf([], { STABLECOIN_API_KEY: other.api_key })).toBe('(environment)');
    expect(await profileOf(['--profile', 'two'], { STABLECOIN_API_KEY: apiKey })).toBe('two');
    await cli.run(['logout']);
    expect(await profileOf([])).toBe('two');
    expect(readFileSync(cli.configuration, 'utf8')).not.toContain(apiKey);
  });
});

describe('the main job', () => {
  it(
    'is done from a terminal: register, deposit, quote, swap, pay out, see it settled',
    async () => {
      await logIn();
      const person = {
        ...{ first_name: 'Ada', last_name: 'Obi', birth_date: '1990-05-17', source_of_funds: 'SALARY' },
        ...{ employment_status: 'EMPLOYED', most_recent_occupation: '151251', expected_monthly_income: '2500' },
        account_purpose: 'PERSONAL_OR_LIVING_EXPENSES',
      };
      writeFileSync(join(cli.folder, 'person.json'), JSON.stringify(person));
      const address = ['street1', 'city', 'state'].flatMap((name) => [`--registered-address.${name}`, 'Lagos']);
      const customer = await cli.json<Identified & { address: { country: string } }>([
        ...['customers', 'create-individual', '--data', '@person.json', '--email', `ada.${Date.now()}@example.com`],
        ...['--phone', `+234${Date.now() % 10 ** 10}`, ...address, '--registered-address.country', 'NG'],
      ]);
      expect(customer.address.country).toBe('NG');
      const owner = ['--customer-id', customer.id];
      const wallet = await cli.json<Identified>([
        'wallets',
        'open',
        ...owner,
        '--currency',
        'USDT',
        '--network',
        'trc20',
      ]);
      await cli.json(['wallets', 'open', ...owner, '--currency', 'NGN']);
      await cli.json(['sandbox', 'deposit', '--wallet-id', wallet.id, '--amount', '100']);
      const pair = ['--from-currency', 'USDT', '--to-currency', 'NGN', '--amount', '40', ...owner];
      const quote = await cli.json<Identified>(['quotes', 'create', ...pair]);
      const swap = await cli.json<{ swapId: string }>(['swaps', 'execute', ...pair, '--quote-id', quote.id]);
      expect(swap.swapId).toBe(quote.id);
      const order = [
        '--currency',
        'USDT',
        '--amount',
        '10',
        ...BANK,
        ...owner,
        '--idempotency-key',
        `order-${customer.id}`,
      ];
      const payout = await cli.json<Payout>(['payouts', 'create-to-bank', ...order]);
      const again = await cli.run(['payouts', 'create-to-bank', ...order, '--json']);
      expect((JSON.parse(again.stdout) as Payout).transaction_id).toBe(payout.transaction_id);
      expect(again.stderr).toContain('the stored answer');
      await eventually('the payout settles', async () => {
        return (await cli.json<Payout>(['transactions', 'get', payout.transaction_id])).status === 'COMPLETED';
      });
      const listed = await cli.run(['transactions', 'list', ...owner]);
      const [header, first = ''] = listed.stdout.split('\n');
      expect(header).toMatch(/^TRANSACTION_ID +CREATED_AT +TRANSACTION_TYPE +TRANSACTION_MODE +ASSET_CODE +AMOUNT/);
      expect(first).toMatch(new RegExp(`^${payout.transaction_id} .* PAYOUT +DEBIT +USDT +10\\.00000000 .*COMPLETED`));
      expect((await cli.run(['wallets', 'get', wallet.id])).stdout).toMatch(/^balance +\d+\.\d{8}$/m);
    },
    TIMEOUT_MS,
  );

  it('has all pages with --all, one with --page and --limit, as one array with --json', async () => {
    const merchant = await createMerchant();
    await cli.run(['login'], { input: merchant.api_key });
    for (const currency of ['USD', 'NGN', 'EUR']) await cli.json(['wallets', 'open', '--currency', currency]);
    const one = await cli.run(['wallets', 'list', '--limit', '2', '--json']);
    expect(JSON.parse(one.stdout)).toHaveLength(2);
    expect(one.stderr).toContain('Page 1 of 2, 3 in all: --page 2, or --all');
    expect(await cli.json(['wallets', 'list', '--limit', '2', '--page', '2'])).toHaveLength(1);
    expect(await cli.json(['wallets', 'list', '--limit', '2', '--all'])).toHaveLength(3);
    expect((await cli.run(['wallets', 'list', '--all'])).stdout.split('\n')).toHaveLength(4);
  });

  it('sends a file, and deletes without a word on stdout', async () => {
    await logIn();
    writeFileSync(join(cli.folder, 'passport.pdf'), '%PDF-1.7\n%%EOF\n');
    const document = await cli.json<{ media_type: string }>(['documents', 'upload', 'passport.pdf']);
    expect(document.media_type).toBe('application/pdf');
    expect(await cli.run(['documents', 'upload', 'nowhere.pdf'])).toMatchObject({ exitCode: 2 });
    const { id } = await cli.json<Identified>([
      'webhooks',
      'create',
      '--url',
      'http://127.0.0.1:9/',
      '--events',
      'payout.failed',
    ]);
    expect(await cli.run(['webhooks', 'delete', id])).toMatchObject({ exitCode: 0, stdout: '', stderr: 'Done.' });
  });
});

describe('a script', () => {
  it('gets 1 for a refusal, with its code, fields and request id on stderr', async () => {
    await logIn();
    const swap = ['quotes', 'create', '--from-currency', 'USD', '--to-currency', 'USD', '--amount', '-1'];
    const shown = await cli.run(swap);
    expect(shown).toMatchObject({ exitCode: 1, stdout: '' });
    expect(shown.stderr).toMatch(/^.*\(validation_failed\)\n(  \w+: .+\n)+Request [\w-]+$/);
    const { exitCode, stderr, stdout } = await cli.run([...swap, '--json']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    const { error } = JSON.parse(stderr) as { error: Record<string, unknown> };
    expect(error).toMatchObject({ code: 'validation_failed', exit_code: 1, outcome_unknown: false });
    expect(error['request_id']).toEqual(expect.any(String));
    expect((error['errors'] as { field: string }[]).map(({ field }) => field)).toContain('amount');
  });

  it(
    'gets 2 for wrong usage, with the way out',
    async () => {
      const usage = async (...args: string[]) => {
        const { exitCode, stdout, stderr } = await cli.run(args);
        expect([args, exitCode, stdout]).toEqual([args, 2, '']);
        return stderr;
      };
      expect(await usage('wallets', 'list')).toContain('stablecoin login');
      await logIn();
      expect(await usage('payouts', 'create-to-bank', '--amount', '1')).toContain('--currency is required');
      expect(await usage('wallets', 'lits')).toContain('Did you mean list?');
      expect(await usage('wallets', 'list', '--limit', 'ten')).toContain('--limit takes a whole number');
      expect(await usage('wallets', 'get', '..')).toContain('".." is no wallet-id.');
      expect(await usage('webhooks', 'create', '--data', '[1]')).toContain('--data is a JSON object.');
      expect(await usage('webhooks', 'create', '--data', '@nowhere.json')).toContain('nowhere.json');
      expect(await usage('listen', '--forward-to', 'ftp://here')).toContain('--forward-to takes a URL');
      expect(await usage('listen', '--events', 'payout.lost')).toContain('payout.reversed');
      expect(await usage('trigger', 'payout.lost')).toContain('There are: customer.created');
      expect(await usage()).toContain('Usage: stablecoin');
    },
    TIMEOUT_MS,
  );

  it(
    'gets 3 when no answer came, with the key to repeat a write by',
    async () => {
      const broken = createServer((socket) => socket.once('data', () => socket.destroy()));
      const port = await getPort();
      await new Promise<void>((done) => broken.listen(port, '127.0.0.1', done));
      const env = { STABLECOIN_API_KEY: apiKey, STABLECOIN_BASE_URL: `http://127.0.0.1:${port}/api` };
      try {
        const payout = ['payouts', 'create-to-bank', '--currency', 'USD', '--amount', '1', ...BANK];
        const { exitCode, stderr } = await cli.run(payout, { env });
        expect([exitCode, stderr]).toEqual([
          3,
          expect.stringMatching(/It may have taken effect.*--idempotency-key [\w-]{36}:/),
        ]);
        const named = await cli.run([...payout, '--idempotency-key', 'order-1', '--json'], { env });
        const { error } = JSON.parse(named.stderr) as { error: object };
        expect(error).toMatchObject({
          exit_code: 3,
          code: 'no_answer',
          outcome_unknown: true,
          idempotency_key: 'order-1',
        });
      } finally {
        await new Promise((done) => broken.close(done));
      }
      expect(await cli.run(['wallets', 'list'], { env })).toMatchObject({ exitCode: 3, stdout: '' });
    },
    TIMEOUT_MS,
  );

  it(
    'finds each method of the SDK as a command whose help has an example',
    async () => {
      const helps = await cli.run(['--help']);
      expect([helps.exitCode, helps.stderr]).toEqual([0, '']);
      for (const { resource, method } of OPERATIONS.filter(({ resource }) =>
        ['payouts', 'webhooks'].includes(resource),
      )) {
        const { exitCode, stdout } = await cli.run([kebab(resource), kebab(method), '--help']);
        expect([exitCode, stdout]).toEqual([
          0,
          expect.stringContaining(`Example:\n  stablecoin ${kebab(resource)} ${kebab(method)}`),
        ]);
      }
      expect((await cli.run(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+$/);
    },
    TIMEOUT_MS,
  );

  it(
    'sees its own requests, and those that come',
    async () => {
      await logIn();
      await cli.run(['wallets', 'list']);
      await cli.run(['wallets', 'get', '0190c6f0-7f5b-7c1e-9d2a-3b4c5d6e7f80']);
      const logged = await cli.json<Record<string, unknown>[]>(['logs']);
      expect(logged.map(({ method, path, status, code }) => [method, path, status, code])).toEqual([
        ['GET', '/wallets', 200, undefined],
        ['GET', '/wallets/{wallet_id}', 404, 'not_found'],
      ]);
      expect(JSON.stringify(logged)).not.toContain('0190c6f0');
      const following = cli.start(['logs', '--follow', '--json', '--limit', '1']);
      const lines: string[] = [];
      following.stdout.on('data', (text: Buffer) => lines.push(...text.toString().trim().split('\n')));
      await eventually('the past is shown', () => lines.length === 1);
      await cli.run(['assets', 'list']);
      await eventually('a new request is shown', () => lines.some((line) => line.includes('/asset-codes')));
      following.kill('SIGINT');
      expect((await following).exitCode).toBe(0);
    },
    TIMEOUT_MS,
  );
});

describe('events', () => {
  let receiver: WebhookReceiver;
  beforeEach(async () => {
    receiver = await WebhookReceiver.start();
    const merchant = await createMerchant();
    await cli.run(['login'], { input: merchant.api_key });
  });
  afterEach(() => receiver.stop());

  /** Begins to listen, and gives the process once it does. */
  async function listening(...flags: string[]) {
    const listener = cli.start(['listen', '--forward-to', receiver.url('/hook'), ...flags]);
    const shown: string[] = [];
    for (const stream of [listener.stdout, listener.stderr])
      stream.on('data', (text: Buffer) => shown.push(text.toString()));
    await eventually('it listens', () => shown.join('').includes('Ready'));
    const end = async () => {
      listener.kill('SIGINT');
      return (await listener).exitCode;
    };
    return { shown: () => shown.join(''), end };
  }

  it(
    'reach a local port without a webhook, signed so that the SDK takes them; Ctrl-C ends it',
    async () => {
      const { shown, end } = await listening('--events', 'payout.failed,payout.completed');
      const event = await cli.json<Identified>(['trigger', 'payout.failed']);
      const [received] = await receiver.atLeast(1, '/hook', 20_000);
      const secret = (await cli.run(['listen', '--print-secret'])).stdout;
      expect(shown()).toContain(`Signing secret: ${secret}`);
      const { text, headers } = received!;
      expect(unwrapWebhook(text, headers, secret)).toEqual(event);
      await eventually('it says so', () => shown().includes(`payout.failed  ${event.id}  -> 204`));
      expect(await end()).toBe(0);
      expect(receiver.received).toHaveLength(1);
      expect(await cli.json(['webhooks', 'list'])).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it(
    'are posted again to a receiver that was not ready, in their order, and shown as JSON',
    async () => {
      let refusals = 1;
      receiver.answer = (response) => response.writeHead(refusals-- > 0 ? 500 : 204).end();
      const { shown, end } = await listening('--print-json');
      const event = await cli.json<Identified>(['trigger', 'deposit.completed']);
      const received = await receiver.atLeast(3, '/hook', 20_000);
      const types = received.slice(0, 3).map(({ event: { type } }) => type);
      expect(types).toEqual(['deposit.pending', 'deposit.pending', 'deposit.completed']);
      expect([received[1]?.id, received[2]?.id]).toEqual([received[0]?.id, event.id]);
      expect(shown()).toContain('not taken: 500');
      expect(shown()).toContain(`${JSON.stringify(event)}\n`);
      expect(await end()).toBe(0);
    },
    TIMEOUT_MS,
  );

  it.each([
    ...['customer.created', 'customer.updated', 'customer.closed', 'swap.completed'],
    ...['deposit.pending', 'deposit.completed', 'deposit.failed', 'deposit.reversed'],
    ...['payout.completed', 'payout.failed', 'payout.reversed', 'webhook.test'],
  ])(
    '%s is brought about in the sandbox',
    async (type) => {
      expect(await cli.json(['trigger', type])).toMatchObject({ type, id: expect.any(String) });
      expect(await cli.json(['webhooks', 'list'])).toEqual([]);
    },
    TIMEOUT_MS,
  );

  it('can all be brought about', async () => {
    const listed = await cli.json<{ event: string }[]>(['trigger', '--list']);
    const offered = OPERATIONS.find(({ resource, method }) => resource === 'events' && method === 'list');
    expect(offered).toBeDefined();
    expect(listed).toHaveLength(13);
    const live = { STABLECOIN_API_KEY: `sk_live_${'0'.repeat(64)}` };
    expect(await cli.run(['trigger', 'payout.failed'], { env: live })).toMatchObject({ exitCode: 2 });
    // The merchant here has no policy.
    expect(await cli.run(['trigger', 'payout.approval_required'])).toMatchObject({ exitCode: 2 });
  });
});
