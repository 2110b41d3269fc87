import { Sql } from '@stablecoin/persistence/sql';
import { MIGRATIONS } from '@stablecoin/ledger-store/migrations';
import { databaseChecks } from '@stablecoin/persistence/readiness';
import { requireTrustedDatabase } from '@stablecoin/persistence/trusted-database';
import { bootService } from '@stablecoin/service-host/boot';
import { ReadinessCheck } from '@stablecoin/service-host/operations/readiness';
import { LedgerDatabases } from './databases/ledger-databases';
import { clockCheck } from './shards/clock-offset';
import { shardsCheck } from './shards/shards-check';
import { callerRules, requireCallerKeys } from './callers/caller-rules';
import { WalletLedgerConfiguration } from './wallet-ledger.configuration';
import { WalletLedgerModule } from './wallet-ledger.module';

void bootService({
  name: 'wallet-ledger',
  configuration: WalletLedgerConfiguration,
  module: WalletLedgerModule,
  callers: callerRules,
  require: (configuration) => {
    requireCallerKeys(configuration);
    return requireTrustedDatabases(configuration);
  },
  checks: (app) => {
    const { all } = app.get(LedgerDatabases);
    const { shards } = app.get(WalletLedgerConfiguration);
    const [home, ...others] = all.map(({ name, database }) => ({ name, checks: checksOf(database) }));
    const named = others.flatMap(({ name, checks }) =>
      checks.map((check) => ({ ...check, name: `${check.name}_${name}` })),
    );
    const owned = shardsCheck(
      all.map(({ database }) => database),
      shards,
    );
    return [...(home?.checks ?? []), owned, ...named];
  },
});

const checksOf = (database: Sql): ReadinessCheck[] => [...databaseChecks(database, MIGRATIONS), clockCheck(database)];

async function requireTrustedDatabases({ databaseUrl, furtherDatabases }: WalletLedgerConfiguration): Promise<void> {
  await requireTrustedDatabase(databaseUrl, 'LEDGER_DATABASE_URL');
  for (const { name, url } of furtherDatabases) await requireTrustedDatabase(url, `LEDGER_DATABASES, ${name}`);
}
