import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DatabaseName, type DatabaseUrls, ofEachDatabase } from '@stablecoin/migrations/databases';
import { readCallerKeys } from '@stablecoin/command-proofs/caller-keys';
import { CallerSecret } from '@stablecoin/command-proofs/caller-secret';
import { COMMAND_CALLERS, commandKeyName, evidenceKeysOf } from './command-keys';
import { commandLineEnvironment, serviceEnvironments, signerEnvironment, withoutAnyStack } from './environment';
import { TemporaryFolders } from './fixtures/temporary-folders';
import type { Secrets } from './secrets';
import { compiledMain } from './service-process';

const folders = new TemporaryFolders();
const urlsOf = (name: DatabaseName) => ({ app: `app-${name}`, owner: `owner-${name}` });
const urls: Record<DatabaseName, DatabaseUrls> = ofEachDatabase(urlsOf);
const withFurther = ofEachDatabase((name) => ({ ...urlsOf(name), further: `further-${name}` }));
const commandKeys = Object.fromEntries(
  COMMAND_CALLERS.map((service, index) => [commandKeyName(service), Buffer.alloc(32, index + 1).toString('base64')]),
);
const secrets = { BUS_KEY: 'drawn', DEPOSIT_SEED: 'seed', ...commandKeys } as Partial<Secrets> as Secrets;

afterEach(() => folders.remove());

it('passes the user’s settings on, which win, and secrets only to the services that need them', () => {
  const ofTheLauncher = { LEDGER_MIGRATION_DATABASE_URL: 'owner', LOCAL_CHAINS: 'true', ANVIL: '/usr/bin/anvil' };
  const env = { QUOTE_TTL_MS: '5', BUS_KEY: 'mine', ...ofTheLauncher };
  const services = serviceEnvironments({ env, secrets, natsUrl: 'nats://x', urls, port: 3000 });
  expect(services['swap-pricing']).toEqual({
    QUOTE_TTL_MS: '5',
    NATS_URL: 'nats://x',
    BUS_KEY: 'mine',
    COMMAND_KEY: commandKeys['swap_pricing_command_key'],
    SWAP_DATABASE_URL: 'app-swap',
  });
  expect(services['wallet-ledger']['DEPOSIT_SEED']).toBe('seed');
  expect(services.gateway['DEPOSIT_SEED']).toBeUndefined();
  const withParents = serviceEnvironments({
    env: { DEPOSIT_EVM_PARENT: 'xpub' },
    secrets,
    natsUrl: 'n',
    urls,
    port: 0,
  });
  expect(withParents['wallet-ledger']).toMatchObject({ DEPOSIT_EVM_PARENT: 'xpub' });
  expect(withParents['wallet-ledger']).not.toHaveProperty('DEPOSIT_SEED');
  expect(services.gateway['RATE_LIMIT_PER_SECOND']).toBe('20000');
});

it('gives the master key of personal data to the services that open it alone', () => {
  const env = { PERSONAL_DATA_KEY: 'the user’s', CHAIN_RPC_ERC20: 'http://node' };
  const services = serviceEnvironments({ env, secrets, natsUrl: 'n', urls, port: 0, journalDirectory: '/j' });
  const holders = Object.entries(services).filter(([, values]) =>
    Object.entries(values).some(([name, value]) => name.startsWith('PERSONAL_DATA') || value === env.PERSONAL_DATA_KEY),
  );
  expect(holders.map(([service]) => service)).toEqual(['customer', 'payout']);
});

it('gives each service its own command key, and the ledger what is derived from all', () => {
  const env = { COMMAND_KEY: 'the user’s', COMMAND_CALLER_KEYS_FILE: '/caller-keys', CHAIN_RPC_ERC20: 'http://node' };
  const services = serviceEnvironments({ env, secrets, natsUrl: 'n', urls, port: 0, journalDirectory: '/j' });
  const { 'wallet-ledger': ledger, signer, ...callers } = services;
  expect(Object.entries(callers).map(([service, values]) => [service, values['COMMAND_KEY']])).toEqual(
    Object.keys(callers).map((service) => [service, commandKeys[commandKeyName(service)]]),
  );
  const known = readCallerKeys(ledger['COMMAND_CALLER_KEYS'] ?? '');
  expect([...known.keys()]).toEqual([...COMMAND_CALLERS]);
  const payout = new CallerSecret('payout', Buffer.from(callers.payout['COMMAND_KEY'] ?? '', 'base64'));
  expect(known.get('payout')).toEqual([payout.macKey]);
  expect(readCallerKeys(ledger['COMMAND_EVIDENCE_KEYS'] ?? '').get('payout')).toEqual([payout.evidenceKey]);
  expect(Object.keys({ ...ledger, ...signer })).not.toContain('COMMAND_KEY');
  const withCallerKeys = Object.values(services).filter((values) =>
    Object.keys(values).some((name) => name.startsWith('COMMAND_CALLER_KEYS')),
  );
  expect(withCallerKeys).toEqual([ledger]);
});

it('gives the signer the seed of deposit addresses, unless it has its own, the keys of orders, and no other secret', () => {
  const env = { SIGNER_PAYOUT_CAPS: 'erc20:USDT=1/2', PERSONAL_DATA_KEY: 'not its own' };
  const signerOf = (more: object) =>
    signerEnvironment({ env: { ...env, ...more }, secrets, natsUrl: 'nats://x', journalDirectory: '/j' });
  expect(signerOf({})).toEqual({
    SIGNER_PAYOUT_CAPS: 'erc20:USDT=1/2',
    SIGNER_JOURNAL_DIRECTORY: '/j',
    NATS_URL: 'nats://x',
    BUS_KEY: 'drawn',
    SIGNER_SEED: 'seed',
    COMMAND_EVIDENCE_KEYS: evidenceKeysOf((name) => secrets[name] ?? ''),
  });
  expect(signerOf({ SIGNER_SEED: 'own' })['SIGNER_SEED']).toBe('own');
  const others = serviceEnvironments({ env: { SIGNER_SEED: 'own' }, secrets, natsUrl: 'n', urls, port: 0 });
  expect(Object.values(others).filter((values) => 'SIGNER_SEED' in values)).toEqual([]);
});

it('gives a secret from a file to the services that need it, and the file’s path to none', () => {
  const file = join(folders.make(), 'seed');
  writeFileSync(file, 'abc\n');
  const env = { DEPOSIT_SEED_FILE: file };
  const services = serviceEnvironments({ env, secrets, natsUrl: 'nats://n', urls, port: 0 });
  expect(services['wallet-ledger']['DEPOSIT_SEED']).toBe('abc');
  expect(Object.values(services).map((values) => values['DEPOSIT_SEED_FILE'])).toEqual(Array(5).fill(undefined));
  expect(services.payout['DEPOSIT_SEED']).toBeUndefined();
});

it('a throw-away stack has none of the developer’s own stack, its chains included', () =>
  expect(withoutAnyStack({ LOCAL_CHAINS: 'true', NATS_URL: 'nats://n', ANVIL: '/usr/bin/anvil' })).toEqual({
    ANVIL: '/usr/bin/anvil',
  }));

it('has the services of chains where a node is named, and names the nodes and the faucet to the watcher alone', () => {
  const parts = { secrets, natsUrl: 'nats://x', urls, port: 3000, journalDirectory: '/j' };
  const without = serviceEnvironments({ ...parts, env: { CHAIN_FAUCET_KEY: 'key' } });
  expect([without.chain, without.signer]).toEqual([undefined, undefined]);
  const node = 'http://127.0.0.1:8545/key';
  const env = { CHAIN_RPC_POLYGON: node, CHAIN_FAUCET_KEY: 'key', CHAIN_POLL_MS: '100' };
  const services = serviceEnvironments({ ...parts, env });
  expect(services.chain).toEqual({
    ...{ ...env, NATS_URL: 'nats://x', BUS_KEY: 'drawn', COMMAND_KEY: commandKeys['chain_command_key'] },
    CHAIN_DATABASE_URL: 'app-chain',
  });
  expect(services.signer).toEqual(signerEnvironment({ ...parts, env }));
  for (const name of ['CHAIN_RPC_POLYGON', 'CHAIN_FAUCET_KEY'])
    expect(Object.values(services).filter((values) => values[name])).toHaveLength(1);
});

it('has the service for people where its port is said, and gives what seals their names to it alone', () => {
  const parts = { secrets, natsUrl: 'nats://x', urls, port: 3000 };
  const env = { PEOPLE_KEY: 'key' };
  expect(serviceEnvironments({ ...parts, env }).backoffice).toBeUndefined();
  const services = serviceEnvironments({ ...parts, env: { ...env, BACKOFFICE_PORT: '3001' } });
  expect(services.backoffice).toEqual({
    ...{ NATS_URL: 'nats://x', BUS_KEY: 'drawn', PEOPLE_KEY: 'key', BACKOFFICE_DATABASE_URL: 'app-backoffice' },
    ...{ HOST: '127.0.0.1', PORT: '3001', COMMAND_KEY: commandKeys['backoffice_command_key'] },
  });
  for (const name of ['PEOPLE_KEY', 'BACKOFFICE_DATABASE_URL'])
    expect(Object.values(services).filter((values) => name in values)).toHaveLength(1);
});

it('gives the runner beside the auditor the user’s logins, else those of the stack, else the owners of the user’s databases', () => {
  const runnerOf = (given: NodeJS.ProcessEnv, of: typeof urls) =>
    serviceEnvironments({
      ...{ secrets, natsUrl: 'nats://x', urls: of, port: 3000 },
      env: { BACKOFFICE_PORT: '3001', QUOTE_TTL_MS: '5', ...given },
    })['audit-runner'];
  const others = {
    ...{ QUOTE_TTL_MS: '5', LEDGER_SHARDS: '4', AUDITOR_PROGRAM: compiledMain('auditor') },
    COMMAND_EVIDENCE_KEYS: evidenceKeysOf((name) => secrets[name] ?? ''),
  };
  expect(runnerOf({}, urls)).toEqual({
    ...{ ...others, AUDIT_DATABASE_URL: 'owner-ledger', AUDIT_RUNS_DATABASE_URL: 'owner-backoffice' },
  });
  expect(runnerOf({}, withFurther)).toEqual({
    ...{ ...others, AUDIT_DATABASE_URL: 'further-ledger', AUDIT_RUNS_DATABASE_URL: 'further-backoffice' },
  });
  const file = join(folders.make(), 'url');
  writeFileSync(file, 'mine-too\n');
  const given = { AUDIT_DATABASE_URL: 'mine', AUDIT_RUNS_DATABASE_URL_FILE: file };
  for (const each of [urls, withFurther])
    expect(runnerOf(given, each)).toEqual({
      ...{ ...others, AUDIT_DATABASE_URL: 'mine', AUDIT_RUNS_DATABASE_URL: 'mine-too' },
    });
});

it('shows documents at the console by the user’s login, else by that of the stack, and gives it to no other service', () => {
  const documentsLogins = (given: NodeJS.ProcessEnv, of: typeof urls) => {
    const env = { BACKOFFICE_PORT: '3001', ...given };
    const services = Object.entries(serviceEnvironments({ env, secrets, natsUrl: 'n', urls: of, port: 0 }));
    return services.flatMap(([service, { CUSTOMER_COMPLIANCE_DATABASE_URL: url }]) => (url ? [[service, url]] : []));
  };
  expect(documentsLogins({}, urls)).toEqual([]);
  expect(documentsLogins({}, withFurther)).toEqual([['customer', 'further-customer']]);
  expect(documentsLogins({ CUSTOMER_COMPLIANCE_DATABASE_URL: 'mine' }, urls)).toEqual([['customer', 'mine']]);
});

it('tells command lines of the nodes, the wallets and the roles that only read, for an audit of holdings', () => {
  const env = { CHAIN_RPC_ERC20: 'http://127.0.0.1:1', SIGNER_COLD_ADDRESS: '0xcold' };
  const told = commandLineEnvironment({ env, secrets, urls: withFurther });
  expect(told).toMatchObject({
    CHAIN_RPC_ERC20: 'http://127.0.0.1:1',
    AUDIT_DATABASE_URL: 'further-ledger',
    CHAIN_AUDIT_DATABASE_URL: 'further-chain',
  });
  expect(Object.values(told)).not.toContain('further-backoffice');
});

it('tells command lines alone of the owners of the ledger’s further databases, which move shards', () => {
  const env = {
    LEDGER_DATABASES: 'b=postgresql://app@x/ledger',
    LEDGER_MIGRATION_DATABASES: 'b=postgresql://owner@x/ledger',
  };
  expect(commandLineEnvironment({ env, secrets, urls })).toMatchObject(env);
  const withoutOwner = commandLineEnvironment({ env: { LEDGER_DATABASES: env.LEDGER_DATABASES }, secrets, urls });
  expect(withoutOwner).toMatchObject({ LEDGER_MIGRATION_DATABASES: env.LEDGER_DATABASES });
  expect(commandLineEnvironment({ env: {}, secrets, urls })).not.toHaveProperty('LEDGER_MIGRATION_DATABASES');
  const services = serviceEnvironments({ env, secrets, natsUrl: 'n', urls, port: 0 });
  expect(services['wallet-ledger']).toMatchObject({ LEDGER_DATABASES: env.LEDGER_DATABASES });
  for (const environment of Object.values(services))
    expect(environment).not.toHaveProperty('LEDGER_MIGRATION_DATABASES');
});

it('gives no service a master key whose master key is with a key management service, and its token to those alone that ask it', () => {
  const env = {
    PERSONAL_DATA_KEYS: 'transit',
    PERSONAL_DATA_TRANSIT_URL: 'https://x',
    PERSONAL_DATA_TRANSIT_TOKEN: 'token',
    PERSONAL_DATA_KEY: 'k',
  };
  const services = serviceEnvironments({ env, secrets, natsUrl: 'n', urls, port: 0 });
  const having = (name: string) =>
    Object.keys(services).filter((service) => name in (services[service as 'customer'] ?? {}));
  expect(having('PERSONAL_DATA_TRANSIT_TOKEN')).toEqual(['customer', 'payout']);
  expect(services.customer).not.toHaveProperty('PERSONAL_DATA_KEY');
  expect(services.payout).not.toHaveProperty('PERSONAL_DATA_KEY');
  expect(commandLineEnvironment({ env, secrets, natsUrl: 'n', urls })).toMatchObject({ PERSONAL_DATA_KEYS: 'transit' });
  expect(commandLineEnvironment({ env, secrets, natsUrl: 'n', urls })).not.toHaveProperty('PERSONAL_DATA_KEY');
});
