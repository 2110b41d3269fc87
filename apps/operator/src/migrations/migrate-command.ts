// npm run migrate: brings databases up to date (tools/stack/migrations.mjs says how). The URL of each comes from
// <NAME>_MIGRATION_DATABASE_URL, else <NAME>_DATABASE_URL, else the local stack that runs in DATA_DIR.

import './stack/node-version.mjs';

const HELP = `
npm run migrate [-- DATABASE …] [--json]

Applies the pending migrations of prisma/<database>/migrations, each in its own transaction, and records them as Prisma
does. Without names: customer, ledger, swap and payout. Running it again changes nothing.

A migration that fails leaves its database as it was. A second run at the same time waits for the first. A database that
is newer than this checkout is left as it is.

  --json   one line on stdout: [{"database","applied":[…],"newer":[…],"total"}]
  --help

Environment: <NAME>_MIGRATION_DATABASE_URL (the database's owner), else <NAME>_DATABASE_URL, for NAME in
CUSTOMER, LEDGER, SWAP, PAYOUT, each also as a file named by <variable>_FILE; without them the stack that runs in DATA_DIR (default .data).
`;

async function main(argv) {
  const { parseFlags, Refusal, step } = await import('./stack/terminal.mjs');
  const parsed = await parseFlags(argv, { json: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return;
  const { ensureReady } = await import('./stack/setup.mjs');
  const { DATABASES } = await import('./stack/databases.mjs');
  const { migrate } = await import('./stack/migrations.mjs');
  const unknown = parsed.positionals.find((name) => !DATABASES.includes(name));
  if (unknown !== undefined)
    throw new Refusal(`There is no database "${unknown}": choose from ${DATABASES.join(', ')}.`);
  await ensureReady({ build: false, quiet: true });
  const results = [];
  for (const name of parsed.positionals.length > 0 ? parsed.positionals : DATABASES) {
    const url = await ownerUrl(name);
    await step(`${name} database`, async (tell) => {
      const result = await migrate({ name, url, tell });
      tell(outcomeOf(result));
      results.push(result);
    });
  }
  if (parsed.values.json) process.stdout.write(`${JSON.stringify(results)}\n`);
}

function outcomeOf({ applied, newer, total }) {
  const done = applied.length === 0 ? `up to date (${total})` : `applied ${applied.join(', ')}`;
  return newer.length === 0 ? done : `${done}; newer than this checkout by ${newer.join(', ')}, which is no fault`;
}

async function ownerUrl(name) {
  const { migrationUrlVariable, urlVariable } = await import('./stack/databases.mjs');
  const { secretFrom } = await import('./stack/secret-files.mjs');
  const given = secretFrom(process.env, migrationUrlVariable(name)) ?? secretFrom(process.env, urlVariable(name));
  if (given) return given;
  const { readStack } = await import('./stack/description.mjs');
  const stack = readStack(process.env);
  if (stack !== undefined) return stack.owner_databases[name];
  const { Refusal } = await import('./stack/terminal.mjs');
  throw new Refusal(
    `Where is the ${name} database? Set ${migrationUrlVariable(name)}, or start the local stack with npm start.`,
  );
}

import('./stack/terminal.mjs').then(({ runCommand }) => runCommand(main));
