// The environment of each service. The user's settings are passed on and win; a secret goes only to the services that
// need it, also when it comes from the user's own environment.

import { secretFrom } from '@stablecoin/command-line/secret-files';
import {
  DATABASES,
  type DatabaseName,
  type DatabaseUrls,
  FURTHER_LEDGER_OWNERS,
  furtherEnvironment,
  furtherLedgerOwners,
  furtherVariables,
  migrationUrlVariable,
  urlVariable,
} from '@stablecoin/migrations/databases';
import { commandSettings, evidenceKeysOf } from './command-keys';
import type { Secrets } from './secrets';
import { compiledMain } from './service-process';

/** In the order in which their logs and processes are listed. */
export const SERVICES = ['customer', 'wallet-ledger', 'swap-pricing', 'payout', 'gateway'] as const;
export type ServiceName = (typeof SERVICES)[number];
/** Of networks that are real chains; they run beside the others where the environment names a node of a chain. */
export const CHAIN_SERVICES = ['signer', 'chain'] as const;
export type ChainServiceName = (typeof CHAIN_SERVICES)[number];
/** For people; they run where the console's port is set. */
export const PEOPLE_SERVICES = ['backoffice', 'audit-runner'] as const;
export type PeopleServiceName = (typeof PEOPLE_SERVICES)[number];
export const STACK_SERVICES = [...SERVICES, ...CHAIN_SERVICES, ...PEOPLE_SERVICES] as const;
export type StackServiceName = (typeof STACK_SERVICES)[number];
export type PerService<Value> = Record<ServiceName, Value> &
  Partial<Record<ChainServiceName | PeopleServiceName, Value>>;
export type ServiceEnvironments = PerService<NodeJS.ProcessEnv>;

export const DEFAULT_API_KEY = 'sk_test_local_development_key_do_not_use_in_production';

const DATABASE_OF: Record<Exclude<StackServiceName, 'gateway' | 'signer' | 'audit-runner'>, DatabaseName> = {
  customer: 'customer',
  'wallet-ledger': 'ledger',
  'swap-pricing': 'swap',
  payout: 'payout',
  chain: 'chain',
  backoffice: 'backoffice',
};
/** Each key with the second one, which is accepted while keys are changed and otherwise not set. */
const PERSONAL_DATA = ['PERSONAL_DATA_KEY', 'PERSONAL_DATA_PREVIOUS_KEY'];
const DATA_KEYS = [...PERSONAL_DATA, 'PERSONAL_DATA_TRANSIT_TOKEN'];
const BUS = ['BUS_KEY', 'BUS_ACCEPTED_KEY'];
const CHAIN_NODES = ['CHAIN_RPC_ERC20', 'CHAIN_RPC_BEP20', 'CHAIN_RPC_POLYGON'];
const NEEDS: Record<StackServiceName, readonly string[]> = {
  gateway: ['INPUT_HASH_KEY', ...BUS],
  customer: [...DATA_KEYS, 'BLIND_INDEX_KEY', ...BUS, 'SANDBOX_API_KEY', 'LEDGER_SHARDS'],
  'wallet-ledger': [...BUS, 'CHECKPOINT_SIGNING_KEY', 'DEPOSIT_SEED', 'LEDGER_SHARDS', 'LEDGER_DATABASES'],
  'swap-pricing': BUS,
  payout: [...DATA_KEYS, ...BUS],
  signer: [...BUS, 'SIGNER_SEED', 'SIGNER_HTTP_TOKEN'],
  chain: [...BUS, ...CHAIN_NODES, 'CHAIN_FAUCET_KEY'],
  backoffice: [...BUS, 'PEOPLE_KEY', 'OIDC_CLIENT_SECRET'],
  'audit-runner': ['LEDGER_SHARDS'],
};
const RESTRICTED = [
  ...DATA_KEYS,
  'INPUT_HASH_KEY',
  'BLIND_INDEX_KEY',
  'PEOPLE_KEY',
  'OIDC_CLIENT_SECRET',
  ...BUS,
  'CHECKPOINT_SIGNING_KEY',
  'DEPOSIT_SEED',
  // Connection strings.
  'LEDGER_DATABASES',
  'LEDGER_MIGRATION_DATABASES',
  'SIGNER_SEED',
  'SIGNER_HTTP_TOKEN',
  'SANDBOX_API_KEY',
  // Of backups alone.
  'BACKUP_KEY',
  // A provider's key may be part of them.
  ...CHAIN_NODES,
  'CHAIN_FAUCET_KEY',
];
/** Derived from the stack's secrets: of each service its own, and no other's. */
const COMMAND_SETTINGS = ['COMMAND_KEY', 'COMMAND_CALLER_KEYS', 'COMMAND_EVIDENCE_KEYS'];
const OWN_VALUES: Partial<Record<string, string>> = { SANDBOX_API_KEY: DEFAULT_API_KEY, LEDGER_SHARDS: '4' };
const TOOLS_ONLY = /^(npm_|INIT_CWD$|DATA_DIR$|BACKOFFICE_PORT$|LOCAL_CHAINS$|ANVIL$)/;
const OF_ONE_STACK = new RegExp(
  `^(NATS_URL|PORT|BACKOFFICE_PORT|CONSOLE_ORIGIN|DATA_DIR|LOCAL_CHAINS|SANDBOX_API_KEY|LEDGER_SHARDS|.*_DATABASES|.*_DATABASE_URL|` +
    `.*_KEYS?|(DEPOSIT|PERSONAL_DATA|OIDC|SIGNER|SOLVENCY|CHAIN_RPC|PAYOUT_RAIL)_.*|EVM_RAIL_FOR_TEST)$`,
);

/** The user's environment, and the secrets and servers of a stack. */
export interface StackParts {
  env: NodeJS.ProcessEnv;
  secrets: Secrets;
  natsUrl?: string;
  urls: Record<DatabaseName, DatabaseUrls>;
}

/** The environment for a throw-away stack, without the developer's settings for another stack. */
export const withoutAnyStack = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OF_ONE_STACK.test(name)));

/** Values by name; the user's environment wins over the stack's values. */
export function sharedValues(env: NodeJS.ProcessEnv, secrets: Partial<Secrets>): Record<string, string> {
  const values = [...RESTRICTED, 'LEDGER_SHARDS'].flatMap((name) => {
    const value = secretFrom(env, name) ?? OWN_VALUES[name] ?? secrets[name];
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(values) as Record<string, string>;
}

/**
 * The environments by service.
 *
 * @param port the gateway's
 * @param journalDirectory the signer's alone; without it there is none
 * @param erasuresFile where it is kept who was erased; without it, nowhere
 */
export function serviceEnvironments({
  env,
  secrets,
  natsUrl,
  urls,
  port,
  journalDirectory,
  erasuresFile,
}: StackParts & {
  port: number | string | undefined;
  journalDirectory?: string;
  erasuresFile?: string;
}): ServiceEnvironments {
  const values = sharedValues(env, secrets);
  const inherited = withoutSecrets(env);
  const needsOf = (service: StackServiceName) => ({
    ...inherited,
    NATS_URL: natsUrl,
    ...among(values, NEEDS[service]),
    ...commandSettings(service, secretOf(secrets)),
  });
  const environmentOf = (service: keyof typeof DATABASE_OF): NodeJS.ProcessEnv => {
    const database = DATABASE_OF[service];
    return { ...needsOf(service), [urlVariable(database)]: urls[database].app };
  };
  const hasChains = CHAIN_NODES.some((name) => values[name]);
  return {
    gateway: { ...needsOf('gateway'), ...gatewaySettings(env, port) },
    customer: withoutKeyBesideTransit({
      ...(erasuresFile !== undefined && { ERASURES_FILE: erasuresFile }),
      ...(env['BACKOFFICE_PORT'] && documentsLogin(env, urls)),
      ...environmentOf('customer'),
    }),
    'wallet-ledger': withoutSeedBesideParents({ ...ledgerSettings(env), ...environmentOf('wallet-ledger') }),
    'swap-pricing': environmentOf('swap-pricing'),
    payout: withoutKeyBesideTransit(environmentOf('payout')),
    ...(hasChains &&
      journalDirectory !== undefined && { signer: signerEnvironment({ env, secrets, natsUrl, journalDirectory }) }),
    ...(hasChains && { chain: environmentOf('chain') }),
    ...(env['BACKOFFICE_PORT'] && {
      backoffice: { ...environmentOf('backoffice'), HOST: env['HOST'] || '127.0.0.1', PORT: env['BACKOFFICE_PORT'] },
      'audit-runner': {
        ...inherited,
        ...among(values, NEEDS['audit-runner']),
        ...auditorSettings(env, urls),
        COMMAND_EVIDENCE_KEYS: evidenceKeysOf(secretOf(secrets)),
      },
    }),
  };
}

/** Given by the user, or drawn with the stack; neither where the database is the user's own, and its service's URL alone was given. */
function furtherUrl(name: string, env: NodeJS.ProcessEnv, urls: StackParts['urls']): string | undefined {
  return secretFrom(env, name) ?? furtherEnvironment(urls)[name];
}

/** People at the console are shown documents by the login of compliance officers. */
function documentsLogin(env: NodeJS.ProcessEnv, urls: StackParts['urls']): NodeJS.ProcessEnv {
  const url = furtherUrl('CUSTOMER_COMPLIANCE_DATABASE_URL', env, urls);
  return url === undefined ? {} : { CUSTOMER_COMPLIANCE_DATABASE_URL: url };
}

/** The runner beside the auditor: what was asked for, and for the auditor's program alone the ledger. */
function auditorSettings(env: NodeJS.ProcessEnv, urls: StackParts['urls']): NodeJS.ProcessEnv {
  return {
    AUDITOR_PROGRAM: compiledMain('auditor'),
    AUDIT_RUNS_DATABASE_URL: furtherUrl('AUDIT_RUNS_DATABASE_URL', env, urls) ?? urls.backoffice.owner,
    AUDIT_DATABASE_URL: furtherUrl('AUDIT_DATABASE_URL', env, urls) ?? urls.ledger.owner,
  };
}

/** The stack draws a master key for every one; services whose master key is with a key management service refuse it. */
function withoutKeyBesideTransit<Values extends NodeJS.ProcessEnv>(values: Values): Values {
  if (values['PERSONAL_DATA_KEYS'] !== 'transit') return values;
  const { PERSONAL_DATA_KEY: _, ...others } = values;
  return others as Values;
}

/** The stack draws a seed for every ledger; one that was given public parents in its place refuses it. */
function withoutSeedBesideParents({ DEPOSIT_SEED: seed, ...others }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return others['DEPOSIT_EVM_PARENT'] ? others : { ...others, DEPOSIT_SEED: seed };
}

/** @param journalDirectory the signer's alone */
export function signerEnvironment({
  env,
  secrets,
  natsUrl,
  journalDirectory,
}: Pick<StackParts, 'env' | 'secrets' | 'natsUrl'> & { journalDirectory: string }): NodeJS.ProcessEnv {
  const values = sharedValues(env, secrets);
  // It signs for the addresses that the ledger gives out.
  const seed = { SIGNER_SEED: values['SIGNER_SEED'] ?? values['DEPOSIT_SEED'] };
  const keys = commandSettings('signer', secretOf(secrets));
  const own = { ...withoutSecrets(env), NATS_URL: natsUrl, ...among(values, NEEDS.signer), ...seed, ...keys };
  return { SIGNER_JOURNAL_DIRECTORY: journalDirectory, ...own };
}

const secretOf =
  (secrets: Secrets) =>
  (name: string): string =>
    secrets[name] ?? '';

const among = (values: Record<string, string>, names: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

function withoutSecrets(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const hidden = new Set([
    ...[...RESTRICTED, ...COMMAND_SETTINGS, ...furtherVariables].flatMap((name) => [name, `${name}_FILE`]),
    ...DATABASES.flatMap((name) => [urlVariable(name), migrationUrlVariable(name)]),
  ]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name) && !TOOLS_ONLY.test(name)));
}

/** Who tries a proof of a wallet does not wait for an hour. */
const ledgerSettings = (env: NodeJS.ProcessEnv) => ({
  LIABILITIES_INTERVAL_MS: env['LIABILITIES_INTERVAL_MS'] || '60000',
});

/** Its callers share this machine's one address. */
const gatewaySettings = (env: NodeJS.ProcessEnv, port: number | string | undefined) => ({
  HOST: env['HOST'] || '127.0.0.1',
  PORT: String(port),
  RATE_LIMIT_PER_SECOND: env['RATE_LIMIT_PER_SECOND'] || '20000',
  RATE_LIMIT_BURST: env['RATE_LIMIT_BURST'] || '20000',
  MERCHANT_REQUESTS_UNDER_WAY_MAX: env['MERCHANT_REQUESTS_UNDER_WAY_MAX'] || '512',
  UNAUTHENTICATED_RATE_LIMIT_PER_SECOND: env['UNAUTHENTICATED_RATE_LIMIT_PER_SECOND'] || '20000',
  UNAUTHENTICATED_RATE_LIMIT_BURST: env['UNAUTHENTICATED_RATE_LIMIT_BURST'] || '20000',
  CONNECTIONS_PER_ADDRESS_MAX: env['CONNECTIONS_PER_ADDRESS_MAX'] || '10000',
});

/** The environment with which a command line on this machine reaches the local stack. */
export function commandLineEnvironment({
  env,
  secrets,
  natsUrl,
  urls,
  erasuresFile,
}: StackParts & { erasuresFile?: string }): Record<string, string> {
  const databases = DATABASES.flatMap((name) => [
    [urlVariable(name), urls[name].app],
    [migrationUrlVariable(name), urls[name].owner],
  ]);
  // The key that signs for the ledger goes to the ledger alone.
  const {
    CHECKPOINT_SIGNING_KEY: _,
    SIGNER_SEED: __,
    SIGNER_HTTP_TOKEN: ___,
    BACKUP_KEY: ____,
    ...values
  } = sharedValues(env, secrets);
  const { PERSONAL_DATA_KEYS } = env;
  const owners = furtherLedgerOwners(env);
  // The runner beside the auditor has its login to itself, which writes verdicts.
  const { AUDIT_RUNS_DATABASE_URL: _____, ...ofPeople } = furtherEnvironment(urls);
  return {
    ...withoutKeyBesideTransit({ ...values, ...(PERSONAL_DATA_KEYS && { PERSONAL_DATA_KEYS }) }),
    ...commandSettings('operator', secretOf(secrets)),
    COMMAND_EVIDENCE_KEYS: evidenceKeysOf(secretOf(secrets)),
    ...(natsUrl !== undefined && { NATS_URL: natsUrl }),
    ...(erasuresFile !== undefined && { ERASURES_FILE: erasuresFile }),
    ...(Object.fromEntries(databases) as Record<string, string>),
    ...(owners.length > 0 && { [FURTHER_LEDGER_OWNERS]: owners.map(({ name, url }) => `${name}=${url}`).join() }),
    ...ofPeople,
  };
}
