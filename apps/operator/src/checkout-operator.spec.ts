import { PassThrough } from 'node:stream';
import { checkoutOperator } from './checkout-operator';

const NO_STACK = { DATA_DIR: '/nonexistent/data' };

async function operate(...args: string[]) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await checkoutOperator(NO_STACK, stdout, stderr).run(args);
  const text = (stream: PassThrough) => String((stream.read() as Buffer | null) ?? '');
  return { code, out: text(stdout), err: text(stderr) };
}

describe('commands in a checkout', () => {
  it('are described in the general help, with an example', async () => {
    const { code, out } = await operate('--help');
    expect(code).toBe(0);
    expect(out).toMatch(/^Usage: npm run operator -- \[options\] \[command\]\n/);
    expect(out).toContain('npm run operator -- merchants create --name NAME');
    const areas = ['merchants', 'customers', 'documents', 'facts', 'backup', 'restore', 'migrate', 'secrets'];
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
