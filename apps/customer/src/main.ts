import { databaseChecks } from '@stablecoin/persistence/readiness';
import { bootService } from '@stablecoin/service-host/boot';
import { CustomerConfiguration } from './customer.configuration';
import { CustomerModule } from './customer.module';
import { CustomerDatabase } from './persistence/customer-database';
import { MIGRATIONS } from './persistence/migrations';

void bootService({
  name: 'customer',
  configuration: CustomerConfiguration,
  module: CustomerModule,
  checks: (app) => databaseChecks(app.get(CustomerDatabase), MIGRATIONS),
});
