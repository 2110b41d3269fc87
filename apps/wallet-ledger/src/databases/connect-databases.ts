import { LedgerDatabase, LedgerReads } from '@stablecoin/ledger-store/ledger-database';
import { HOME_DATABASE, placeOf } from '@stablecoin/service-host/repeated-settings';
import { ConfigurationError } from '@stablecoin/service-host/setting';
import { WalletLedgerConfiguration } from '../wallet-ledger.configuration';
import { LedgerDatabases, OneDatabase } from './ledger-databases';

/** An instance that hangs within an append locks its shard's head for so long: shorter than the lease that it loses. */
const IDLE_TRANSACTION_TIMEOUT_MS = 2_000;

type Settings = Pick<WalletLedgerConfiguration, 'databaseUrl' | 'furtherDatabases' | 'poolSize' | 'readConnections'>;

/** @throws ConfigurationError where two names are one database: its shards would have two owners each */
export function connectDatabases({ databaseUrl, furtherDatabases, ...sizes }: Settings): LedgerDatabases {
  const same = furtherDatabases.find(({ url }) => placeOf(url) === placeOf(databaseUrl));
  if (same) throw new ConfigurationError(`LEDGER_DATABASES: ${same.name} is the database of LEDGER_DATABASE_URL.`);
  return new LedgerDatabases([
    connect(sizes, HOME_DATABASE, databaseUrl),
    ...furtherDatabases.map(({ name, url }) => connect(sizes, name, url)),
  ]);
}

function connect(
  { poolSize, readConnections }: Pick<Settings, 'poolSize' | 'readConnections'>,
  name: string,
  url: string,
): OneDatabase {
  const databaseName = name === HOME_DATABASE ? undefined : name;
  const common = { url, databaseName, idleTransactionTimeoutMs: IDLE_TRANSACTION_TIMEOUT_MS };
  return {
    name,
    database: new LedgerDatabase({
      ...common,
      applicationName: 'wallet-ledger',
      poolSize: poolSize - readConnections,
    }),
    reads: new LedgerReads({
      ...common,
      applicationName: 'wallet-ledger reads',
      poolName: 'reads',
      poolSize: readConnections,
    }),
  };
}
