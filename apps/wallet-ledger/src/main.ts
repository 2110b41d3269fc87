import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { MIGRATIONS } from '@stablecoin/ledger-store/migrations';
import { databaseChecks } from '@stablecoin/persistence/readiness';
import { bootService } from '@stablecoin/service-host/boot';
import { shardsCheck } from './shards/shards-check';
import { WalletLedgerConfiguration } from './wallet-ledger.configuration';
import { WalletLedgerModule } from './wallet-ledger.module';

void bootService({
  name: 'wallet-ledger',
  configuration: WalletLedgerConfiguration,
  module: WalletLedgerModule,
  checks: (app) => {
    const database = app.get(LedgerDatabase);
    return [...databaseChecks(database, MIGRATIONS), shardsCheck(database, app.get(WalletLedgerConfiguration).shards)];
  },
});
