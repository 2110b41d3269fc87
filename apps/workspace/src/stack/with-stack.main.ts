// Runs a built program with the environment to reach the local stack: DATA_DIR/stack.json supplies the settings that
// the user left unset. Only the program writes to stdout. It starts nothing else, except, with --with-postgres, the
// databases of a stopped stack while the program runs (an audit needs no services).

import pg from 'pg';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { runCommand } from '@stablecoin/command-line/terminal';
import { readStack } from '@stablecoin/local-stack/description';
import { withPostgres } from '@stablecoin/local-stack/stack';
import { type DatabaseName, DATABASES, urlVariable } from '@stablecoin/migrations/databases';
import { runProgram } from '../run-program';

const HELP = `
node tools/run.mjs apps/workspace/src/stack/with-stack.main [--with-postgres] [--offline COMMANDS] SCRIPT [ARGUMENTS …]

Runs a script of dist/ with the local stack's environment (database URLs, NATS_URL, keys). What you set yourself wins.

  --with-postgres   if the stack is stopped, start its Postgres for the time of the command
  --offline a,b     when the script's first argument is one of these, nothing is looked for and nothing started
  --help
`;
const CHECK_TIMEOUT_MS = 3_000;

async function main(argv: string[]): Promise<number> {
  const { script, args, mayStartPostgres, offline } = requested(argv);
  if (script === undefined || script === '--help') {
    process.stdout.write(`${HELP.trim()}\n`);
    return script === undefined ? 1 : 0;
  }
  if (offline.includes(args[0] ?? '')) return run(script, args, {});
  const asksForHelp = args.includes('--help') || args.includes('-h');
  const known = readStack(process.env)?.environment ?? {};
  if (asksForHelp || (await isUp(known))) return run(script, args, known);
  if (!mayStartPostgres)
    throw new OperatorError(
      'The local stack is not running: start it with npm start, or name a database of your own in the environment (see --help).',
    );
  return withPostgres(process.env, (environment) => run(script, args, environment));
}

/** The flags of this command come before the script, those of the script after it. */
function requested(argv: readonly string[]) {
  const mayStartPostgres = argv[0] === '--with-postgres';
  const rest = mayStartPostgres ? argv.slice(1) : argv;
  const isOfflineGiven = rest[0] === '--offline';
  const offline = isOfflineGiven ? (rest[1] ?? '').split(',') : [];
  const [script, ...args] = isOfflineGiven ? rest.slice(2) : rest;
  return { script, args, mayStartPostgres, offline };
}

/** Whether a database that the program would use answers. */
async function isUp(known: NodeJS.ProcessEnv): Promise<boolean> {
  // An auditor's own database needs no stack here.
  if (process.env['AUDIT_DATABASE_URL']) return true;
  return (await Promise.all(DATABASES.map((name) => answers(name, known)))).some(Boolean);
}

async function answers(name: DatabaseName, known: NodeJS.ProcessEnv): Promise<boolean> {
  const own = process.env[urlVariable(name)];
  const url = own || known[urlVariable(name)];
  if (!url) return false;
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CHECK_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return true;
  } catch {
    return Boolean(own); // The user's own: the program itself reports best what is wrong with it.
  } finally {
    await client.end().catch(() => undefined);
  }
}

function run(script: string, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const given = Object.entries(process.env).filter(([, value]) => value !== '');
  return runProgram(script, args, { ...environment, ...Object.fromEntries(given) });
}

void runCommand(main);
