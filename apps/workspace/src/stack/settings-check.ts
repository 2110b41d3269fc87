// Every setting of every service is checked before anything is started, by the services' own configuration classes: a typing
// mistake is reported at once, and not by a service that ends when Postgres has been started for it.

import { OperatorError } from '@stablecoin/command-line/operator-error';
import { serviceEnvironments } from '@stablecoin/local-stack/environment';
import { drawnSecrets } from '@stablecoin/local-stack/secrets';
import { databaseUrls } from '@stablecoin/migrations/databases';
import { ConfigurationError, loadConfiguration } from '@stablecoin/service-host/setting';
import { serviceConfigurations } from '../generated-files/configurations';

/** Stand for what the stack makes itself. */
const NATS_URL = 'nats://127.0.0.1:4222';
const POSTGRES = { port: 5432, url: (name: string) => `postgresql://127.0.0.1:5432/${name}` };
/** The launcher looks at the gateway's port itself. */
const PORT = 0;

/** @throws OperatorError with what each service says of the settings that it would refuse */
export function requireValidSettings(env: NodeJS.ProcessEnv): void {
  const secrets = drawnSecrets();
  const natsUrl = env['NATS_URL'] || NATS_URL;
  const urls = databaseUrls(env, POSTGRES, secrets);
  const environments = serviceEnvironments({ env, secrets, natsUrl, urls, port: PORT });
  const refusedBy = new Map<string, string[]>();
  for (const { app, type } of serviceConfigurations()) {
    for (const problem of problemsOf(type, environments[app]))
      refusedBy.set(problem, [...(refusedBy.get(problem) ?? []), app]);
  }
  if (refusedBy.size === 0) return;
  throw new OperatorError(
    [...refusedBy].map(([problem, services]) => `${services.join(', ')} could not start: ${problem}`).join('\n'),
  );
}

function problemsOf(type: new () => object, environment: NodeJS.ProcessEnv): string[] {
  try {
    loadConfiguration(type, environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message.split('\n');
    throw error;
  }
}
