import { PassThrough } from 'node:stream';
import { checkoutOperator } from './checkout-operator';

const NO_STACK = { DATA_DIR: '/nonexistent/data' };

const ID = '01890a5d-ac96-774b-bcce-b302099a8057';

const operate = (...args: string[]) => operateWith(NO_STACK, ...args);

async function operateWith(env: NodeJS.ProcessEnv, ...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await checkoutOperator(env, stdout, stderr).run(args);
  const text = (stream: PassThrough) => String((stream.read() as Buffer | null) ?? '');
  return { code, out: text(stdout), err: text(stderr) };
}

describe('commands in a checkout', () => {
  it('are described in the general help, with an example', async () => {
    const { code, out } = await operate('--help');
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: npm run operator -- \[options\] \[command\]\n/);
    expect(out).toContain('npm run operator -- merchants create --name NAME');
    const areas = ['merchants', 'customers', 'documents', 'facts', 'chain', 'backup', 'restore', 'migrate', 'secrets'];
    for (const area of areas) expect(out).toMatch(new RegExp(`^  ${area} `, 'm'));
  });

  it.each(['merchants create', 'documents list', 'facts retry', 'backup', 'restore', 'migrate', 'secrets'])(
    '%s --help',
    async (name) => {
      const usage: unknown = expect.stringContaining(`Usage: npm run operator -- ${name} `);
      expect(await operate(...name.split(' '), '--help')).toEqual({ code: 0, out: usage, err: '' });
    },
  );
});

describe('commands on chains', () => {
  it.each([
    ...['status', 'rescan', 'unrecognised', 'unrecognised list', 'unrecognised resolve', 'treasury'],
    ...['transfers', 'transfer', 'cancel', 'resume', 'addresses'],
  ])('chain %s --help names the script', async (name) => {
    const usage: unknown = expect.stringContaining(`Usage: npm run chain -- ${name} `);
    expect(await operate('chain', ...name.split(' '), '--help')).toEqual({ code: 0, out: usage, err: '' });
  });

  it.each([
    [['status'], 1, /The local stack is not running/],
    [['status', '--network', 'solana'], 2, /It must be one of erc20, bep20, polygon/],
    [['rescan', '--network', 'erc20'], 2, /required option '--from <block>'/],
    [['rescan', '--from', '7'], 2, /required option '--network <name>'/],
    [['rescan', '--network', 'erc20', '--from', '-1'], 2, /the number of a block/],
    [['unrecognised', '--reason', 'spam'], 2, /It must be one of unknown_token, /],
    [['unrecognised', '--limit', '101'], 2, /from 1 to 100/],
    [['unrecognised', 'resolve', ID, '--ignore'], 2, /required option '--reason <text>'/],
    [['unrecognised', 'resolve', ID, '--reason', 'r'], 2, /one of --credit WALLET, --ignore, --returned HASH/],
    [['unrecognised', 'resolve', ID, '--reason', 'r', '--ignore', '--credit', ID], 2, /one of --credit WALLET/],
    [['unrecognised', 'resolve', 'x', '--reason', 'r', '--ignore'], 2, /It must be a UUID/],
    [['unrecognised', 'resolve', ID, '--reason', 'r', '--returned', '0x1'], 2, /the hash of a transaction/],
    [['transfers', '--state', 'lost'], 2, /It must be one of waiting, sent, completed, failed/],
    [['addresses', '--solana', 'many'], 2, /a whole number from 0 to 1000000/],
    [['transfer'], 2, /missing required argument 'name'/],
    [['cancel', 'payout-7'], 2, /required option '--reason <text>'/],
    [['resume', '--network', 'erc20', '--address', '0x1', '--reason', 'r'], 2, /It must be an address/],
    [['everything'], 2, /unknown command 'everything'/],
  ])('chain %j ends with %i', async (args, code, message) => {
    expect(await operate('chain', ...args)).toEqual({ code, out: '', err: expect.stringMatching(message) as unknown });
  });

  it('with a bus of its own needs no stack, and says where that does not answer', async () => {
    const env = { NATS_URL: 'nats://operator:secret@127.0.0.1:9', BUS_KEY: Buffer.alloc(32).toString('base64') };
    const ended = await operateWith({ ...NO_STACK, ...env }, 'chain', 'status');
    expect(ended).toMatchObject({ code: 2, out: '' });
    expect(ended.err).toMatch(/^error: The bus does not answer \(.*\): is the stack running\?\n$/);
    expect(ended.err).not.toContain('secret');
  });
});

describe('exit codes', () => {
  it.each([
    [['merchants', 'create', '--name', 'A', '--nonsense'], 2, /unknown option '--nonsense'/],
    [['merchants', 'create', '--name', 'A'], 1, /The local stack is not running: start it with npm start/],
    [['facts', 'list', '--nonsense'], 1, /unknown option/],
    [['facts', 'list', 'gateway'], 1, /There is no service "gateway"/],
    [['facts'], 1, /list or retry/],
    [['facts', 'show'], 1, /list or retry/],
    [['facts', 'list'], 1, /The local stack is not running/],
    [['backup', '--nonsense'], 1, /unknown option/],
    [['backup'], 1, /There is no data in/],
    [['restore'], 1, /Which backup\? npm run operator -- restore --from DIR/],
    [['migrate', 'ledgers'], 1, /There is no database "ledgers": choose from customer, ledger, swap, payout/],
    [['migrate', 'ledger'], 1, /The local stack is not running/],
    [['secrets', '--nonsense'], 1, /unknown option/],
  ])('%j ends with %i', async (args, code, message) => {
    expect(await operate(...args)).toEqual({ code, out: '', err: expect.stringMatching(message) as unknown });
  });
});
