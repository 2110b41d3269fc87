import { CustomerDatabase } from '@stablecoin/customer-store/customer-database';
import { MIGRATIONS } from '@stablecoin/customer-store/migrations';
import { databaseChecks } from '@stablecoin/persistence/readiness';
import { bootService } from '@stablecoin/service-host/boot';
import { CustomerConfiguration } from './customer.configuration';
import { CustomerModule } from './customer.module';

void bootService({
  name: 'customer',
  configuration: CustomerConfiguration,
  module: CustomerModule,
  checks: (app) => databaseChecks(app.get(CustomerDatabase), MIGRATIONS),
});
