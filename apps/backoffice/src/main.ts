import 'reflect-metadata';
import { databaseChecks } from '@stablecoin/persistence/readiness';
import { requireTrustedDatabase } from '@stablecoin/persistence/trusted-database';
import { MIGRATIONS } from '@stablecoin/people-store/migrations';
import { PeopleDatabase } from '@stablecoin/people-store/people-database';
import { bootHttpService } from '@stablecoin/service-host/boot';
import { BackofficeConfiguration } from './backoffice.configuration';
import { BackofficeModule } from './backoffice.module';
import { createAdapter } from './http/adapter';
import { requireWhole } from './oidc/oidc-settings';
import { serve } from './serve';

void bootHttpService({
  name: 'backoffice',
  configuration: BackofficeConfiguration,
  module: BackofficeModule,
  commandKey: (configuration) => configuration.commandKey,
  require: async ({ databaseUrl, oidc }) => {
    requireWhole(oidc);
    await requireTrustedDatabase(databaseUrl, 'BACKOFFICE_DATABASE_URL');
  },
  checks: (app) => databaseChecks(app.get(PeopleDatabase), MIGRATIONS),
  adapter: createAdapter,
  serve,
});
