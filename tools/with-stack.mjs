// Runs a built program with what it needs to reach the local stack: its environment is filled in from DATA_DIR/stack.json
// where the user set nothing. stdout is the program's alone. Nothing is started, except, with --with-postgres, the
// databases of a stopped stack for as long as the program runs (an audit needs no services).

import './stack/node-version.mjs';

const HELP = `
node tools/with-stack.mjs [--with-postgres] [--offline COMMANDS] SCRIPT [ARGUMENTS …]

Runs a script of dist/ with the local stack's environment (database URLs, NATS_URL, keys). What you set yourself wins.

  --with-postgres   if the stack is stopped, start its Postgres for the time of the command
  --offline a,b     when the script's first argument is one of these, nothing is looked for and nothing started
  --help
`;
const CHECK_TIMEOUT_MS = 3_000;

async function main(argv) {
  const { Refusal } = await import('./stack/terminal.mjs');
  const withPostgresFlag = argv[0] === '--with-postgres';
  const [offline, rest] = offlineCommands(withPostgresFlag ? argv.slice(1) : argv);
  const [script, ...args] = rest;
  if (script === undefined || script === '--help') {
    process.stdout.write(`${HELP.trim()}\n`);
    return script === undefined ? 1 : 0;
  }
  const { ensureReady } = await import('./stack/setup.mjs');
  await ensureReady({ quiet: true });
  if (offline.includes(args[0])) return run(script, args, {});
  const asksForHelp = args.includes('--help') || args.includes('-h');
  if (asksForHelp || (await isUp())) return run(script, args, await stackEnvironment());
  if (!withPostgresFlag)
    throw new Refusal(
      'The local stack is not running: start it with npm start, or name a database of your own in the environment (see --help).',
    );
  const { withPostgres } = await import('./stack/stack.mjs');
  return withPostgres(process.env, (environment) => run(script, args, environment));
}

const offlineCommands = (argv) => (argv[0] === '--offline' ? [argv[1].split(','), argv.slice(2)] : [[], argv]);

async function stackEnvironment() {
  const { readStack } = await import('./stack/description.mjs');
  return readStack(process.env)?.environment ?? {};
}

/** Whether every database that the program would use answers. */
async function isUp() {
  // An auditor's own database needs no stack here.
  if (process.env.AUDIT_DATABASE_URL) return true;
  const { DATABASES, urlVariable } = await import('./stack/databases.mjs');
  const { default: pg } = await import('pg');
  const known = await stackEnvironment();
  const answers = async (name) => {
    const url = process.env[urlVariable(name)] || known[urlVariable(name)];
    if (!url) return false;
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CHECK_TIMEOUT_MS });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return true;
    } catch {
      return Boolean(process.env[urlVariable(name)]); // The user's own: the program itself says best what is wrong with it.
    } finally {
      await client.end().catch(() => undefined);
    }
  };
  return (await Promise.all(DATABASES.map(answers))).some(Boolean);
}

async function run(script, args, environment) {
  const { spawn } = await import('node:child_process');
  const env = {
    ...environment,
    ...Object.fromEntries(Object.entries(process.env).filter(([, value]) => value !== '')),
  };
  const child = spawn(process.execPath, ['--enable-source-maps', script, ...args], { stdio: 'inherit', env });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

import('./stack/terminal.mjs').then(({ runCommand }) => runCommand(main));
