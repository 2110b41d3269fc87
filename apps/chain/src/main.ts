import 'reflect-metadata';
import { databaseChecks } from '@stablecoin/persistence/readiness';
import { requireTrustedDatabase } from '@stablecoin/persistence/trusted-database';
import { bootService } from '@stablecoin/service-host/boot';
import { ChainConfiguration } from './chain.configuration';
import { ChainModule } from './chain.module';
import { requireRightChains } from './nodes/right-chains';
import { ChainDatabase } from './persistence/chain-database';
import { MIGRATIONS } from './persistence/migrations';

void bootService({
  name: 'chain',
  configuration: ChainConfiguration,
  module: ChainModule,
  require: async (configuration) => {
    await requireTrustedDatabase(configuration.databaseUrl, 'CHAIN_DATABASE_URL');
    await requireRightChains(configuration);
  },
  checks: (app) => databaseChecks(app.get(ChainDatabase), MIGRATIONS),
});
