import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { MIGRATIONS } from '@stablecoin/customer-store/migrations';
import { KeyWrapping, keyManagementCheck } from '@stablecoin/key-wrapping/key-wrapping';
import { databaseChecks } from '@stablecoin/persistence/readiness';
import { requireTrustedDatabase } from '@stablecoin/persistence/trusted-database';
import { bootService } from '@stablecoin/service-host/boot';
import { CustomerConfiguration } from './customer.configuration';
import { CustomerModule } from './customer.module';

void bootService({
  name: 'customer',
  configuration: CustomerConfiguration,
  module: CustomerModule,
  commandKey: (configuration) => configuration.commandKey,
  require: ({ databaseUrl }) => requireTrustedDatabase(databaseUrl, 'CUSTOMER_DATABASE_URL'),
  checks: (app) => [
    ...databaseChecks(app.get(CustomerDatabase), MIGRATIONS),
    keyManagementCheck(app.get(KeyWrapping), { wraps: true }),
  ],
});
