// The migration job of a deployment: brings all databases up to date, then lets the roles log in with the passwords that
// their connection strings have. Where the operator's migrate command serves a checkout, this runs from an image, which has
// neither the build's tools nor a local stack. Connection strings come from the environment, or from the files that
// <NAME>_FILE names. Running it again changes nothing but a password that was changed in its file.

import { OperatorError } from '@stablecoin/command-line/operator-error';
import { secretFrom } from '@stablecoin/command-line/secret-files';
import { parseFlags, runCommand, step } from '@stablecoin/command-line/terminal';
import {
  DATABASES,
  FURTHER_LEDGER_LOGINS,
  FURTHER_LEDGER_OWNERS,
  furtherVariables,
  loginVariables,
  migrationUrlVariable,
  namedUrls,
} from './databases';
import { setPassword } from './logins';
import { migrate } from './migrations';

const listed = (names: readonly string[]) => `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;

const HELP = `
node libs/migrations/src/migrate-job.js

Applies the pending migrations of the ${listed(DATABASES)} databases, one after the other, and gives each
role the password of its connection string. Another job at the same time waits for this one. A migration that fails leaves its
database as it was, and the job ends with 1.

Environment, each also as a file that <NAME>_FILE names
  <DATABASE>_MIGRATION_DATABASE_URL   the database's owner, for ${listed(DATABASES.map((name) => name.toUpperCase()))}
  <DATABASE>_DATABASE_URL             the service's role
  ${listed(furtherVariables)}
                                      the roles of people, and of the runner beside the auditor
  LEDGER_MIGRATION_DATABASES, LEDGER_DATABASES, AUDIT_DATABASES   the same of further ledger databases, as NAME=URL,NAME=URL
`;

function setting(name: string): string {
  const value = secretFrom(process.env, name);
  if (value) return value;
  throw new OperatorError(`${name} is not set: give it, or ${name}_FILE with the path of a file that holds it.`);
}

async function main(argv: string[]): Promise<void> {
  if (parseFlags(argv, {}, HELP) === undefined) return;
  for (const name of DATABASES) {
    const owner = setting(migrationUrlVariable(name));
    const logins = loginVariables(name).map((variable) => setting(variable));
    await step(`${name} database`, async (tell) => {
      const { applied, total } = await migrate({ name, url: owner, tell });
      for (const login of logins) await setPassword(owner, login);
      tell(applied.length === 0 ? `up to date (${total})` : `applied ${applied.join(', ')}`);
    });
  }
  for (const { name, url: owner } of named(FURTHER_LEDGER_OWNERS)) {
    const logins = FURTHER_LEDGER_LOGINS.flatMap((variable) => named(variable).filter((one) => one.name === name));
    await step(`ledger database ${name}`, async (tell) => {
      const { applied, total } = await migrate({ name: 'ledger', url: owner, tell });
      for (const { url } of logins) await setPassword(owner, url);
      tell(applied.length === 0 ? `up to date (${total})` : `applied ${applied.join(', ')}`);
    });
  }
}

const named = (variable: string) => namedUrls(variable, secretFrom(process.env, variable));

void runCommand(main);
