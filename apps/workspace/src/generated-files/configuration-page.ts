// docs/CONFIGURATION.md, made of the classes that check each service's environment at its start, and of the variables of
// the command lines, which are few and stand here. What is wrong in a table is mended in the class.

import { EVM_NETWORKS } from '@stablecoin/chains/chains';
import { DATABASES, migrationUrlVariable, urlVariable } from '@stablecoin/migrations/databases';
import type { SettingDefinition } from '@stablecoin/service-host/setting';
import { configurations, isService } from './configurations';

const code = (text: string) => `\`${text}\``;

const INTRODUCTION = `# Configuration

A process has its whole configuration from its environment. Each service has one class that defines and checks it
before anything else is done: a missing or wrong value stops the service with the variable's name, what was expected and an
example. A variable that looks like one of these but is none is warned of. An empty variable counts as one that isn't set.

**Secrets** are never printed. Each of them, \`NAME\`, can stand in a file instead, which \`NAME_FILE\` names; the line end
at the file's end is cut. Both at once are refused.

Written by \`npm run docs\` from the classes themselves.
`;

const listed = (names: readonly string[]) => names.map(code).join(', ');
const APP_URLS = listed(DATABASES.map(urlVariable));
const OWNER_URLS = listed(DATABASES.map(migrationUrlVariable));
const LEDGER_URLS = listed([migrationUrlVariable('ledger'), urlVariable('ledger')]);
const CHAIN_URLS = listed([migrationUrlVariable('chain'), urlVariable('chain')]);
const FACT_URLS = listed((['customer', 'swap', 'payout', 'chain'] as const).map(urlVariable));

interface CommandLine {
  command: string;
  variables: string;
  about: string;
}

const COMMAND_LINES: readonly CommandLine[] = [
  {
    command: 'npm run operator -- migrate',
    variables: OWNER_URLS,
    about: `each database as its owner; else ${APP_URLS}; else the stack in \`DATA_DIR\`. Secrets, so each also as \`…_FILE\``,
  },
  {
    command: 'npm run audit',
    variables: '`AUDIT_DATABASE_URL`',
    about: `the ledger as a login that only reads (role \`ledger_auditor\`); else ${LEDGER_URLS}, the stack in \`DATA_DIR\``,
  },
  {
    command: 'npm run audit -- verify, witnesses',
    variables: '`AUDIT_WITNESSES`',
    about: 'witnesses to ask, by commas, in the form of `CHECKPOINT_WITNESSES`; else `--witness`',
  },
  {
    command: 'npm run audit -- verify',
    variables: '`AUDIT_LOGINS`',
    about:
      "the logins that the deployment has made or uses, by commas, to find others with the ledger's rights; else `--logins`",
  },
  {
    command: 'npm run audit -- solvency',
    variables: listed([
      'CHAIN_AUDIT_DATABASE_URL',
      ...EVM_NETWORKS.map((network) => `CHAIN_RPC_${network.toUpperCase()}`),
    ]),
    about:
      `also the chain service's database as a login that only reads (role \`chain_auditor\`), else ${CHAIN_URLS}; and one ` +
      'or two nodes of each network, by commas; else the stack in `DATA_DIR`',
  },
  {
    command: 'npm run audit -- solvency',
    variables: listed(['SOLVENCY_HOT_WALLETS', 'SOLVENCY_COLD_WALLETS']),
    about: 'addresses of our hot wallets, former ones too, and of cold ones, by commas; else `--hot` and `--cold`',
  },
  {
    command: 'npm run rebuild',
    variables: '`LEDGER_MIGRATION_DATABASE_URL`',
    about: 'the ledger as its owner: it makes tables',
  },
  {
    command: 'npm run operator -- merchants, customers',
    variables: '[OperatorConfiguration](#operator-operatorconfiguration)',
    about: 'the customer database',
  },
  {
    command: 'npm run operator -- people',
    variables: '[PeopleConfiguration](#operator-peopleconfiguration)',
    about: 'the backoffice’s database, beside the customer database; else the stack in `DATA_DIR`',
  },
  {
    command: 'npm run operator',
    variables: '`OPERATOR_NAME`',
    about:
      'who acts, where `--actor` says nothing: part of the record of each act. In a checkout the login of the person by default',
  },
  {
    command: 'npm run operator -- log',
    variables: '[LogConfiguration](#operator-logconfiguration)',
    about: 'the log of operators’ acts, in the customer database',
  },
  {
    command: 'npm run operator -- facts',
    variables: FACT_URLS,
    about: 'the databases of services that take facts, as the services; else the stack in `DATA_DIR`',
  },
  {
    command: 'npm run chain',
    variables: '[BusCommandsConfiguration](#operator-chaincommandsconfiguration)',
    about: 'the bus, as the user `operator`; else the stack in `DATA_DIR`',
  },
  {
    command: 'npm run operator -- documents',
    variables: '[ComplianceConfiguration](#operator-complianceconfiguration)',
    about: 'for compliance officers',
  },
  {
    command: 'npm start',
    variables: `\`PORT\`, \`BACKOFFICE_PORT\`, \`DATA_DIR\`, \`NATS_URL\`, ${APP_URLS}, \`SANDBOX_API_KEY\`, \`ANVIL\``,
    about: 'each replaces what the local stack would make itself; everything else is passed on to the services',
  },
  {
    command: 'npm start',
    variables: listed(['AUDIT_DATABASE_URL', 'AUDIT_RUNS_DATABASE_URL', 'CUSTOMER_COMPLIANCE_DATABASE_URL']),
    about:
      'logins of people, and of the runner beside the auditor, in databases of your own: without the first two, the runner gets the ' +
      'owners’. Secrets, so each also as `…_FILE`',
  },
  {
    command: 'npm start',
    variables: '`LOCAL_CHAINS`',
    about:
      '`false`, as `--no-chains`: no EVM chains of our own; `true`, as `--chains`: not without them; unset: where there is anvil. ' +
      'With them `CHAIN_RPC_*`, `CHAIN_FINALITY_*`, `CHAIN_POLL_MS`, `CHAIN_FAUCET_KEY`, `PAYOUT_RAIL_*`, `EVM_RAIL_FOR_TEST` and the ' +
      'signer’s caps have values for chains whose coins are worth nothing, wherever you set none',
  },
];

/** The text of docs/CONFIGURATION.md. */
export function configurationPage(): string {
  const sections = configurations().map(({ app, name, settings }) => {
    const title = isService(app) ? app : `${app}: ${name}`;
    return `## ${title}\n\n${tableOf(settings)}`;
  });
  return [INTRODUCTION, ...sections, commandLines()].join('\n');
}

function tableOf(settings: readonly SettingDefinition<unknown>[]): string {
  const rows = settings.map((setting) => {
    const { env, describe, example, secret } = setting;
    const file = secret ? code(`${env}_FILE`) : '';
    const cells = [code(env), describe, formatOf(setting), defaultOf(setting), code(example), file];
    return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
  });
  return `| variable | what it is | format | default | example | secret, or in a file |\n|---|---|---|---|---|---|\n${rows.join('')}`;
}

function commandLines(): string {
  const rows = COMMAND_LINES.map(({ command, variables, about }) => `| ${code(command)} | ${variables} | ${about} |\n`);
  return `## Command lines\n\n| command | variable | what it is |\n|---|---|---|\n${rows.join('')}`;
}

/** What a value must look like, in the words in which a wrong one is refused. */
export function formatOf({ env, read }: SettingDefinition<unknown>): string {
  try {
    read('\0');
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
  throw new Error(`${env} takes any text: say what it expects`);
}

function defaultOf({ default: value }: SettingDefinition<unknown>): string {
  if (value === undefined) return '**required**';
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return 'none';
  if (value instanceof Map && value.size === 0) return 'none';
  return code(
    typeof value === 'object' && !Array.isArray(value)
      ? JSON.stringify(value)
      : `${value as string | number | boolean}`,
  );
}
