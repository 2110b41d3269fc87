import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { MIGRATIONS } from '@stablecoin/ledger-store/migrations';
import { databaseChecks } from '@stablecoin/persistence/readiness';
import { requireTrustedDatabase } from '@stablecoin/persistence/trusted-database';
import { bootService } from '@stablecoin/service-host/boot';
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
    return requireTrustedDatabase(configuration.databaseUrl, 'LEDGER_DATABASE_URL');
  },
  checks: (app) => {
    const database = app.get(LedgerDatabase);
    const { shards } = app.get(WalletLedgerConfiguration);
    return [...databaseChecks(database, MIGRATIONS), clockCheck(database), shardsCheck(database, shards)];
  },
});
