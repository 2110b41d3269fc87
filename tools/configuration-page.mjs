// docs/CONFIGURATION.md, made of the classes that check each service's environment at its start, and of the variables of
// the command lines, which are few and stand here. What is wrong in a table is mended in the class.

import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { DATABASES, migrationUrlVariable, urlVariable } from './stack/databases.mjs';
import { ROOT } from './stack/paths.mjs';

export const SERVICES = ['gateway', 'customer', 'wallet-ledger', 'swap-pricing', 'payout'];
/** Command lines that check what they are told as services do. */
const PROGRAMS = ['operator'];
const require = createRequire(import.meta.url);
const built = (path) => require(join(ROOT, 'dist', path));

const code = (text) => `\`${text}\``;

const INTRODUCTION = `# Configuration

Everything a process is told stands in its environment. Each service has one class that says what it takes, and checks it
before anything else is done: a missing or wrong value stops the service with the variable's name, what was expected and an
example. A variable that looks like one of these but is none is warned of. An empty variable counts as one that isn't set.

**Secrets** are never printed. Each of them, \`NAME\`, can stand in a file instead, which \`NAME_FILE\` names; the line end
at the file's end is cut. Both at once are refused.

Written by \`npm run docs\` from the classes themselves.
`;

const listed = (names) => names.map(code).join(', ');
const APP_URLS = listed(DATABASES.map(urlVariable));
const OWNER_URLS = listed(DATABASES.map(migrationUrlVariable));
const LEDGER_URLS = listed([migrationUrlVariable('ledger'), urlVariable('ledger')]);

/** By command: its variables, and what they are. */
const COMMAND_LINES = [
  [
    'npm run operator -- migrate',
    OWNER_URLS,
    `each database as its owner; else ${APP_URLS}; else the stack in \`DATA_DIR\`. Secrets, so each also as \`…_FILE\``,
  ],
  [
    'npm run audit',
    '`AUDIT_DATABASE_URL`',
    `the ledger as a login that only reads (role \`ledger_auditor\`); else ${LEDGER_URLS}, the stack in \`DATA_DIR\``,
  ],
  ['npm run rebuild', '`LEDGER_MIGRATION_DATABASE_URL`', 'the ledger as its owner: it makes tables'],
  [
    'npm run operator -- merchants, customers',
    '[OperatorConfiguration](#operator-operatorconfiguration)',
    'the customer database',
  ],
  [
    'npm run operator -- facts',
    listed(['customer', 'swap', 'payout'].map(urlVariable)),
    'the databases of services that take facts, as the services; else the stack in `DATA_DIR`',
  ],
  [
    'npm run operator -- documents',
    '[ComplianceConfiguration](#operator-complianceconfiguration)',
    'for compliance officers',
  ],
  [
    'npm start',
    `\`PORT\`, \`DATA_DIR\`, \`NATS_URL\`, ${APP_URLS}, \`SANDBOX_API_KEY\``,
    'each replaces what the local stack would make itself; everything else is passed on to the services',
  ],
];

/** Every class with settings that an app declares: [{app, name, type, settings}], the service's own first. */
export function configurations() {
  return [...SERVICES, ...PROGRAMS].flatMap((app) => {
    const folder = `apps/${app}/src`;
    const [file] = readdirSync(join(ROOT, 'dist', folder)).filter((entry) => entry.endsWith('.configuration.js'));
    const { settingsOf } = built('libs/service-host/src/setting.js');
    return Object.entries(built(`${folder}/${file}`))
      .filter(([, type]) => typeof type === 'function' && settingsOf(type).length > 0)
      .map(([name, type]) => ({ app, name, type, settings: settingsOf(type).map(({ definition }) => definition) }))
      .sort((one, other) => other.settings.length - one.settings.length);
  });
}

/** The text of docs/CONFIGURATION.md. */
export function configurationPage() {
  const sections = configurations().map(({ app, name, settings }) => {
    const title = PROGRAMS.includes(app) ? `${app}: ${name}` : app;
    return `## ${title}\n\n${tableOf(settings)}`;
  });
  return `${[INTRODUCTION, ...sections, commandLines()].join('\n')}`;
}

function tableOf(settings) {
  const rows = settings.map((setting) => {
    const { env, describe, example, secret } = setting;
    const cells = [
      code(env),
      describe,
      formatOf(setting),
      defaultOf(setting),
      code(example),
      secret ? `${code(`${env}_FILE`)}` : '',
    ];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  });
  return `| variable | what it is | format | default | example | secret, or in a file |\n|---|---|---|---|---|---|\n${rows.join('')}`;
}

function commandLines() {
  const rows = COMMAND_LINES.map(([command, variables, about]) => `| ${code(command)} | ${variables} | ${about} |\n`);
  return `## Command lines\n\n| command | variable | what it is |\n|---|---|---|\n${rows.join('')}`;
}

/** What a value must look like, in the words in which a wrong one is refused. */
export function formatOf({ env, read }) {
  try {
    read('\0');
  } catch (error) {
    return error.message;
  }
  throw new Error(`${env} takes any text: say what it expects`);
}

function defaultOf(setting) {
  if (setting.default === undefined) return '**required**';
  if (setting.default === null || setting.default === '') return 'none';
  const value = setting.default;
  return code(typeof value === 'object' && !Array.isArray(value) ? JSON.stringify(value) : String(value));
}
