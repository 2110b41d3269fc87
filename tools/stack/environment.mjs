// What each service is told through its environment. Whatever the user set is passed on and wins; a secret goes only to the
// services that need it, also when it came from the user's own environment.

import { DATABASES, migrationUrlVariable, readerEnvironment, readerVariables, urlVariable } from './databases.mjs';
import { secretFrom } from './secret-files.mjs';

export const DEFAULT_API_KEY = 'sk_test_local_development_key_do_not_use_in_production';

const DATABASE_OF = { customer: 'customer', 'wallet-ledger': 'ledger', 'swap-pricing': 'swap', payout: 'payout' };
/** Each with the one that is accepted beside it while keys are changed, and not set otherwise. */
const PERSONAL_DATA = ['PERSONAL_DATA_KEY', 'PERSONAL_DATA_PREVIOUS_KEY'];
const BUS = ['BUS_KEY', 'BUS_ACCEPTED_KEY'];
const NEEDS = {
  gateway: [...PERSONAL_DATA, 'INPUT_HASH_KEY', ...BUS],
  customer: [...PERSONAL_DATA, 'BLIND_INDEX_KEY', ...BUS, 'SANDBOX_API_KEY', 'LEDGER_SHARDS'],
  'wallet-ledger': [...BUS, 'CHECKPOINT_SIGNING_KEY', 'DEPOSIT_SEED', 'LEDGER_SHARDS'],
  'swap-pricing': BUS,
  payout: [...PERSONAL_DATA, ...BUS],
};
const RESTRICTED = [
  ...PERSONAL_DATA,
  'INPUT_HASH_KEY',
  'BLIND_INDEX_KEY',
  ...BUS,
  'CHECKPOINT_SIGNING_KEY',
  'DEPOSIT_SEED',
  'SANDBOX_API_KEY',
];
const TOOLS_ONLY = /^(npm_|INIT_CWD$|DATA_DIR$)/;

const OF_ONE_STACK = /^(NATS_URL|PORT|DATA_DIR|SANDBOX_API_KEY|LEDGER_SHARDS|.*_DATABASE_URL|.*_KEY|DEPOSIT_SEED)$/;

/** For a stack that is thrown away: what the developer's shell sets for another one is not passed on. */
export const withoutAnyStack = (env) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !OF_ONE_STACK.test(name)));

/** Values by name, the user's environment before the stack's own. */
export function sharedValues(env, secrets) {
  const own = { SANDBOX_API_KEY: DEFAULT_API_KEY, LEDGER_SHARDS: '4' };
  const values = [...RESTRICTED, 'LEDGER_SHARDS'].map((name) => [
    name,
    secretFrom(env, name) ?? own[name] ?? secrets[name],
  ]);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

export function serviceEnvironments({ env, secrets, natsUrl, urls, port }) {
  const values = sharedValues(env, secrets);
  const inherited = withoutSecrets(env);
  return Object.fromEntries(
    Object.entries(NEEDS).map(([app, names]) => {
      const own = { ...inherited, NATS_URL: natsUrl, ...among(values, names) };
      const database = DATABASE_OF[app];
      return [
        app,
        database === undefined
          ? { ...own, ...gatewaySettings(env, port) }
          : { ...own, [urlVariable(database)]: urls[database].app },
      ];
    }),
  );
}

const among = (values, names) => Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));

function withoutSecrets(env) {
  const hidden = new Set([
    ...RESTRICTED.flatMap((name) => [name, `${name}_FILE`]),
    ...readerVariables,
    ...DATABASES.flatMap((name) => [urlVariable(name), migrationUrlVariable(name)]),
  ]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name) && !TOOLS_ONLY.test(name)));
}

const gatewaySettings = (env, port) => ({
  HOST: env.HOST || '127.0.0.1',
  PORT: String(port),
  RATE_LIMIT_PER_SECOND: env.RATE_LIMIT_PER_SECOND || '20000',
  RATE_LIMIT_BURST: env.RATE_LIMIT_BURST || '20000',
});

/** What a command line on this machine needs to reach the local stack. */
export function commandLineEnvironment({ env, secrets, natsUrl, urls }) {
  const databases = DATABASES.flatMap((name) => [
    [urlVariable(name), urls[name].app],
    [migrationUrlVariable(name), urls[name].owner],
  ]);
  // What signs for the ledger is nobody's business but the ledger's.
  const values = sharedValues(env, secrets);
  delete values.CHECKPOINT_SIGNING_KEY;
  return { ...values, NATS_URL: natsUrl, ...Object.fromEntries(databases), ...readerEnvironment(urls) };
}
