import { OperatorError } from '@stablecoin/command-line/operator-error';
import { secretFrom } from '@stablecoin/command-line/secret-files';
import { step } from '@stablecoin/command-line/terminal';
import {
  DATABASES,
  DatabaseName,
  FURTHER_LEDGER_OWNERS,
  migrationUrlVariable,
  NamedUrl,
  namedUrls,
  urlVariable,
} from '@stablecoin/migrations/databases';
import { migrate, MigrationResult } from '@stablecoin/migrations/migrations';
import { Argument, Command, InvalidArgumentError } from 'commander';
import { command, CommandContext } from '../command-context';

const HELP = `
Applies the pending migrations of prisma/<database>/migrations, each in its own transaction, and records them as Prisma
does. Without names: customer, ledger, swap, payout and chain. Running it again changes nothing.

A migration that fails leaves its database as it was. A second run at the same time waits for the first. A database that
is newer than this checkout is left as it is.

With --json: [{"database","applied":[…],"newer":[…],"total"}]

Environment: <NAME>_MIGRATION_DATABASE_URL (the database's owner), else <NAME>_DATABASE_URL, for NAME in
CUSTOMER, LEDGER, SWAP, PAYOUT, CHAIN, each also as a file named by <variable>_FILE; without them the stack that runs in DATA_DIR
(default .data). Further ledger databases: LEDGER_MIGRATION_DATABASES, as NAME=URL,NAME=URL.`;

/** Brings databases up to date. */
export function addMigrateCommand(root: Command, context: CommandContext): void {
  command(root, 'migrate', 'Applies pending migrations to the databases.')
    .addArgument(new Argument('[database...]', DATABASES.join(', ')).argParser(databaseNames))
    .addHelpText('after', HELP)
    .action(async (named: DatabaseName[], { json }: { json?: boolean }) => {
      const results: MigrationResult[] = [];
      for (const name of named.length > 0 ? named : DATABASES) {
        const url = await ownerUrl(context, name);
        await step(`${name} database`, async (tell) => {
          const result = await migrate({ name, url, tell });
          tell(outcomeOf(result));
          results.push(result);
        });
        if (name !== 'ledger') continue;
        for (const further of furtherLedgers(context)) {
          await step(`ledger database ${further.name}`, async (tell) => {
            const result = await migrate({ name, url: further.url, tell });
            tell(outcomeOf(result));
            results.push(result);
          });
        }
      }
      if (json) context.print(results);
    });
}

function databaseNames(name: string, before: DatabaseName[] | undefined): DatabaseName[] {
  const known = DATABASES.find((each) => each === name);
  if (known === undefined)
    throw new InvalidArgumentError(`There is no database "${name}": choose from ${DATABASES.join(', ')}.`);
  return [...(before ?? []), known];
}

function outcomeOf({ applied, newer, total }: MigrationResult): string {
  const done = applied.length === 0 ? `up to date (${total})` : `applied ${applied.join(', ')}`;
  return newer.length === 0 ? done : `${done}; newer than this checkout by ${newer.join(', ')}, which is no fault`;
}

/** Those beside home, which only the environment names: a local stack has none. */
function furtherLedgers({ env }: CommandContext): NamedUrl[] {
  return namedUrls(FURTHER_LEDGER_OWNERS, secretFrom(env, FURTHER_LEDGER_OWNERS));
}

/** A given login, also a service's own, wins over the local stack's owner: it may name a different database. */
async function ownerUrl({ env, settings }: CommandContext, name: DatabaseName): Promise<string> {
  const variables = [migrationUrlVariable(name), urlVariable(name)];
  const given = variables.map((variable) => secretFrom(env, variable)).find((url) => url !== undefined);
  const url = given ?? (await settings())[migrationUrlVariable(name)];
  if (url) return url;
  throw new OperatorError(
    `Where is the ${name} database? Set ${migrationUrlVariable(name)}, or start the local stack with npm start.`,
  );
}
