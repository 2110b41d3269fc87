/**
 * Where the forgeries take place: a Postgres, a broker with the permissions of deploy/nats, and the services as processes, each with
 * its own user of the bus and its own login.
 */
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@stablecoin/command-line/root';
import { step } from '@stablecoin/command-line/terminal';
import { originOf } from '@stablecoin/event-proofs/checkpoint';
import { NoteSigner } from '@stablecoin/event-proofs/signed-note';
import { commandKeyName, commandSettings } from '@stablecoin/local-stack/command-keys';
import { startDeployedNats } from '@stablecoin/local-stack/deployed-nats';
import { writeSecretFiles } from '@stablecoin/local-stack/deployment-secrets';
import {
  commandLineEnvironment,
  serviceEnvironments,
  signerEnvironment,
  withoutAnyStack,
} from '@stablecoin/local-stack/environment';
import { dataPaths, makeDataDir } from '@stablecoin/local-stack/paths';
import { startPostgres } from '@stablecoin/local-stack/postgres';
import { loadSecrets } from '@stablecoin/local-stack/secrets';
import { SERVICES, startServices } from '@stablecoin/local-stack/services';
import { allowLogins, DATABASES, databaseUrls, ofEachDatabase } from '@stablecoin/migrations/databases';
import { migrate } from '@stablecoin/migrations/migrations';
import { BuiltService } from '@stablecoin/testing/built-service';
import { BANK } from '@stablecoin/testing/journey';
import { eventually } from '@stablecoin/testing/eventually';
import { dataOf } from '@stablecoin/testing/merchant-client';
import { OperatorProcess } from '@stablecoin/testing/operator-process';
import { mainIn, planting } from '@stablecoin/testing/planting';
import pg from 'pg';
import type { SwitchedOff } from './switched-off';
import { Auditor } from './auditor';
import { Bus } from './bus';
import { Copies, Database } from './databases';
import { startLedgerOn } from './ledger-on-copy';
import { createPeople, eraseCustomer, revokeKey, type People } from './people';
import { SealedBackup } from './sealed-backup';
import type { Site } from './site';
import { payOutOf, watchedMerchant } from './watched-merchant';

const SETTINGS = {
  LEDGER_SHARDS: '2',
  SANDBOX_SETTLE_MS: '100',
  CHECKPOINT_INTERVAL_MS: '500',
  LIABILITIES_INTERVAL_MS: '1000',
  OPERATIONS_PORT: '0',
  LOG_LEVEL: 'log',
  LOG_FORMAT: 'json',
};
/** It signs whatever is ordered: what keeps it from more is not a cap. */
const SIGNER = {
  SIGNER_PAYOUT_CAPS: 'erc20:USDT=1000000000/1000000000',
  SIGNER_FEE_CAPS: 'erc20=1/1000000',
  SIGNER_FEE_PER_GAS_CAPS: 'erc20=5000',
};
const CLOCK_AHEAD = `--require ${JSON.stringify(join(__dirname, 'clock-ahead.preload.js'))}`;

/** In place of each service's. */
const FORGERS_KEY = Buffer.alloc(32, 'forged').toString('base64');

export interface Ground {
  site: Site;
  /** Stops the services for good: what follows takes place on copies of their databases. */
  rest: () => Promise<void>;
}

/** @param undo receives the function that stops each part, in the order of the starts */
export async function startGround(
  folder: string,
  undo: (() => Promise<unknown>)[],
  weakness?: SwitchedOff,
): Promise<Ground> {
  chmodSync(folder, 0o711); // Started by root, Postgres runs as another user and has to pass through.
  const paths = dataPaths(join(folder, 'data'));
  makeDataDir(paths);
  const secrets = loadSecrets(paths);
  const memory = join(folder, 'memory');
  mkdirSync(memory);
  const erasuresFile = join(folder, 'erasures');
  const secretsFolder = join(folder, 'secrets');
  writeSecretFiles(secretsFolder);
  const postgres = await step('Postgres', () => startPostgres(paths, secrets));
  undo.push(() => postgres.stop());
  const broker = await step('NATS, with the permissions of each user', (tell) =>
    startDeployedNats({
      folder,
      secretsFolder,
      tell,
      ...(weakness?.isBrokerOpen && { configuration: openBroker(folder) }),
    }),
  );
  undo.push(() => broker.stop());
  const urls = databaseUrls({}, postgres, secrets);
  await step('Databases', async () => {
    await Promise.all(DATABASES.map((name) => migrate({ name, url: urls[name].owner })));
    await allowLogins(postgres, secrets, DATABASES);
  });
  const databases = ofEachDatabase((name) => new Database(name, urls));
  const admin = new pg.Client({ connectionString: postgres.url('postgres') });
  await admin.connect();
  undo.push(() => admin.end());
  const copies = new Copies(urls, admin);
  await weakness?.plant?.(databases);

  const env = {
    ...{ ...withoutAnyStack(process.env), ...SETTINGS, CHECKPOINT_MEMORY_DIRECTORY: memory },
    ...planting(weakness?.edits ?? []),
  };
  const parts = { env, secrets, natsUrl: broker.urlOf('operator'), urls, erasuresFile };
  const environments = serviceEnvironments({ ...parts, port: 0 });
  for (const service of SERVICES) environments[service]['NATS_URL'] = broker.urlOf(service);
  const mainOf = (service: string) => mainIn(env, service);
  const services = await step('Services', () =>
    startServices({ paths, environments, verbose: false, isQuiet: true, mainOf }),
  );
  let isResting = false;
  const rest = async () => {
    if (isResting) return;
    isResting = true;
    await services.stop();
  };
  undo.push(rest);
  const journalDirectory = join(folder, 'journal');
  mkdirSync(journalDirectory);
  const signer = BuiltService.launch(
    'signer',
    signerEnvironment({ ...parts, env: { ...env, ...SIGNER }, natsUrl: broker.urlOf('signer'), journalDirectory }),
  );
  undo.push(() => signer.kill('SIGTERM'));
  await step('The signer', () => signer.untilReady());
  const commandLine = { ...env, ...commandLineEnvironment(parts), OPERATOR_NAME: 'trent' };
  const operator = new OperatorProcess(commandLine);
  undo.push(() => operator.end());
  const auditor = new Auditor(commandLine, CLOCK_AHEAD);
  undo.push(() => auditor.end());
  const bus = new Bus({
    urlOf: (user) => broker.urlOf(user),
    busKey: secrets.BUS_KEY,
    commandKeyOf: (user) => secrets[commandKeyName(user)] ?? '',
  });
  undo.push(() => bus.close());
  const people = await step('Three merchants, with customers, money and documents', () =>
    createPeople(new URL('/api', services.gatewayUrl()).href, operator, async (id) => {
      const [merchant] = await databases.customer.rows<{ shard: number }>(
        `SELECT shard FROM merchants WHERE id = '${id}'`,
      );
      return merchant?.shard ?? 0;
    }),
  );
  const { backups, arrivedSince, payoutSince } = await step(
    'A backup, and payouts and an erasure after it',
    async () => {
      const made: Partial<Site['backups']> = {};
      await services.restart(['customer', 'wallet-ledger', 'payout'], async () => {
        made.ledger = await copies.kept('ledger');
        made.customer = await copies.kept('customer');
        made.payout = await copies.kept('payout');
      });
      const arrived = await arrivedPayout(people);
      await eraseCustomer(people, operator);
      await revokeKey(people.mallory.merchantId, people.keys.revokedSince, operator);
      const held = await payOut(people, HELD_BY_THE_RAIL);
      return { backups: made as Site['backups'], arrivedSince: arrived, payoutSince: held };
    },
  );
  const waiting = await step('A payout that waits for an approval', async () => {
    const merchant = await watchedMerchant({ operator, databases, people }, 1);
    return { merchant, payout: await payOutOf(merchant, '101') };
  });
  let started = 0;
  const startLedger: Site['startLedger'] = (database, taken) => {
    const copy = join(folder, `memory-${(started += 1)}`);
    return startLedgerOn(database, environments['wallet-ledger'], { of: memory, copy }, taken);
  };
  const startCustomerService: Site['startCustomerService'] = (database) =>
    BuiltService.start('customer', {
      ...environments.customer,
      CUSTOMER_DATABASE_URL: database.url('customer_app'),
    });
  const startPayoutService: Site['startPayoutService'] = (database) =>
    BuiltService.start('payout', {
      ...environments.payout,
      PAYOUT_DATABASE_URL: database.url('payout_app'),
    });
  let sealed: Promise<SealedBackup> | undefined;
  const sealedBackup = () =>
    (sealed ??= SealedBackup.make(join(folder, 'sealed-backup'), {
      ...{ paths, secrets, operator, env: commandLine, url: postgres.url('postgres') },
    }));
  const forgersBus = new Bus({
    urlOf: (user) => broker.urlOf(user),
    busKey: secrets.BUS_KEY,
    commandKeyOf: () => FORGERS_KEY,
  });
  undo.push(() => forgersBus.close());
  const { publicKey } = new NoteSigner(
    originOf('ledger.localhost', 0),
    Buffer.from(secrets.CHECKPOINT_SIGNING_KEY, 'base64'),
  );
  const site: Site = {
    refusedCommands: () => refusedCommands(services.operationsUrls()['wallet-ledger']),
    ...{ people, bus, operator, auditor, databases, copies, backups, startLedger },
    ...{ startCustomerService, startPayoutService, waiting, arrivedSince, payoutSince, sealedBackup },
    answersOfCustomer: (subject) => answersOf(services.operationsUrls()['customer'], subject),
    ...{ forgersBus, forgersKeys: commandSettings('wallet-ledger', () => FORGERS_KEY) },
    ...{ gatewayEnvironment: environments.gateway, ledgerEnvironment: environments['wallet-ledger'] },
    publicKey: publicKey.toString('base64'),
  };
  return { site, rest: () => step('The services are stopped', rest) };
}

const payOut = ({ ada }: People, to = BANK): Promise<{ id: string; transaction_id: string }> =>
  dataOf(ada.client.post('/payouts/banks', { ...to, customer_id: ada.customerId, currency: 'USDT', amount: '10' }));

async function arrivedPayout(people: People): Promise<{ id: string }> {
  const { client } = people.ada;
  const payout = await payOut(people);
  const path = `/customers/transactions/by_txid/${payout.transaction_id}`;
  await eventually(
    'the payout has arrived',
    async () => (await dataOf(client.get<{ status: string }>(path))).status === 'COMPLETED',
  );
  return payout;
}

/** Its end is asked for by hand. */
const HELD_BY_THE_RAIL = { ...BANK, account_number: '0123450009' };

/** deploy/nats with permissions that forbid nothing. */
function openBroker(folder: string): string {
  const configuration = join(folder, 'open-nats');
  cpSync(join(ROOT, 'deploy', 'nats'), configuration, { recursive: true });
  const file = join(configuration, 'permissions.conf');
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('allow: [', 'allow: [ ">"'));
  return configuration;
}

/** How many commands the ledger has refused for who asked, or for what was stated: by reason. */
async function refusedCommands(ledger: string | undefined): Promise<Map<string, number>> {
  const text = await (await fetch(`${ledger ?? ''}/metrics`)).text();
  const counted = text.matchAll(/^ledger_commands_unauthorized_total\{.*?reason="(\w+)".*?\} (\d+)/gm);
  return new Map([...counted].map(([, reason = '', count]) => [reason, Number(count)]));
}

/** What an operator sees of how often a service has answered an operation. */
async function answersOf(operations: string | undefined, subject: string): Promise<string> {
  const text = await (await fetch(`${operations ?? ''}/metrics`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith('bus_answer_duration_seconds_count'));
  return lines.filter((line) => line.includes(`subject="${subject}"`)).join('; ');
}
