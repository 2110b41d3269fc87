import 'reflect-metadata';
import { EvmNetwork } from '@stablecoin/chains/chains';
import { databaseChecks } from '@stablecoin/persistence/readiness';
import { requireTrustedDatabase } from '@stablecoin/persistence/trusted-database';
import { bootService } from '@stablecoin/service-host/boot';
import { ChainConfiguration } from './chain.configuration';
import { ChainModule } from './chain.module';
import { requireWorthlessChains } from './nodes/worthless-chains';
import { requireRightChains } from './nodes/right-chains';
import { TokenCodes } from './nodes/token-codes';
import { ChainDatabase } from './persistence/chain-database';
import { MIGRATIONS } from './persistence/migrations';
import { requireLimits } from './treasury/limits';

/** A database that is away, or not migrated yet, is waited for later: then nodes are checked before their first use. */
const knownCode = (configuration: ChainConfiguration) => async (network: EvmNetwork) => {
  const database = new ChainDatabase(configuration);
  try {
    return await new TokenCodes(database).of(network);
  } catch {
    return {};
  } finally {
    await database.$disconnect();
  }
};

void bootService({
  name: 'chain',
  configuration: ChainConfiguration,
  module: ChainModule,
  commandKey: (configuration) => configuration.commandKey,
  require: async (configuration) => {
    requireLimits(configuration);
    await requireTrustedDatabase(configuration.databaseUrl, 'CHAIN_DATABASE_URL');
    await requireRightChains(configuration, knownCode(configuration));
    await requireWorthlessChains(configuration);
  },
  checks: (app) => databaseChecks(app.get(ChainDatabase), MIGRATIONS),
});
