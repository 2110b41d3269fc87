import { ChainConfiguration } from '../chain.configuration';
import { ChainDatabase } from '../persistence/chain-database';

/** Of the service's database role, for what needs no other setting. The caller closes it. */
export const chainDatabaseAt = (databaseUrl: string, databasePoolSize = 2): ChainDatabase =>
  new ChainDatabase({ databaseUrl, databasePoolSize } as ChainConfiguration);
