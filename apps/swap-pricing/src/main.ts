import 'reflect-metadata';
import { databaseChecks } from '@stablecoin/persistence/readiness';
import { requireTrustedDatabase } from '@stablecoin/persistence/trusted-database';
import { bootService } from '@stablecoin/service-host/boot';
import { SwapPricingConfiguration } from './swap-pricing.configuration';
import { SwapPricingModule } from './swap-pricing.module';
import { SwapDatabase } from './persistence/swap-database';
import { MIGRATIONS } from './persistence/migrations';

void bootService({
  name: 'swap-pricing',
  configuration: SwapPricingConfiguration,
  module: SwapPricingModule,
  commandKey: (configuration) => configuration.commandKey,
  require: ({ databaseUrl }) => requireTrustedDatabase(databaseUrl, 'SWAP_DATABASE_URL'),
  // Twice the connections: about half of the requests are between two statements.
  atOnce: ({ databasePoolSize }) => 2 * databasePoolSize,
  checks: (app) => databaseChecks(app.get(SwapDatabase), MIGRATIONS),
});
