import 'reflect-metadata';
import { KeyWrapping, keyManagementCheck } from '@stablecoin/key-wrapping/key-wrapping';
import { databaseChecks } from '@stablecoin/persistence/readiness';
import { requireTrustedDatabase } from '@stablecoin/persistence/trusted-database';
import { bootService } from '@stablecoin/service-host/boot';
import { PayoutConfiguration } from './payout.configuration';
import { PayoutModule } from './payout.module';
import { PayoutDatabase } from './persistence/payout-database';
import { MIGRATIONS } from './persistence/migrations';

void bootService({
  name: 'payout',
  configuration: PayoutConfiguration,
  module: PayoutModule,
  commandKey: (configuration) => configuration.commandKey,
  require: ({ databaseUrl }) => requireTrustedDatabase(databaseUrl, 'PAYOUT_DATABASE_URL'),
  checks: (app) => [
    ...databaseChecks(app.get(PayoutDatabase), MIGRATIONS),
    keyManagementCheck(app.get(KeyWrapping), { wraps: false }),
  ],
});
