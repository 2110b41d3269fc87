// Checks every setting of every service before anything is started, with the services' own configuration classes: a
// typing mistake is reported at once, and not by a service that ends after Postgres was started.

import { OperatorError } from '@stablecoin/command-line/operator-error';
import { EVM_NETWORKS } from '@stablecoin/chains/chains';
import { ROOT } from '@stablecoin/command-line/root';
import { localChainSettings } from '@stablecoin/local-stack/chains/local-chain-settings';
import { serviceEnvironments } from '@stablecoin/local-stack/environment';
import { drawnSecrets } from '@stablecoin/local-stack/secrets';
import { databaseUrls } from '@stablecoin/migrations/databases';
import { ConfigurationError, loadConfiguration } from '@stablecoin/service-host/setting';
import { serviceConfigurations } from '../generated-files/configurations';

/** These stand in for the addresses that the stack chooses itself. */
const NATS_URL = 'nats://127.0.0.1:4222';
const POSTGRES = { port: 5432, url: (name: string) => `postgresql://127.0.0.1:5432/${name}` };
const CHAINS = EVM_NETWORKS.map((network) => ({
  ...{ network, rpc_url: 'http://127.0.0.1:8545' },
  faucet_private_key: `0x${'1'.repeat(64)}`,
}));
/** The launcher checks the gateway's port itself. */
const PORT = 0;

/** @throws OperatorError with each service's complaints about the settings that it would refuse */
export function requireValidSettings(env: NodeJS.ProcessEnv): void {
  const secrets = drawnSecrets();
  const natsUrl = env['NATS_URL'] || NATS_URL;
  const urls = databaseUrls(env, POSTGRES, secrets);
  const ofChains = env['LOCAL_CHAINS'] === 'false' ? {} : localChainSettings(env, CHAINS);
  const environments: Partial<Record<string, NodeJS.ProcessEnv>> = serviceEnvironments({
    ...{ env: { ...env, ...ofChains }, secrets, natsUrl, urls },
    ...{ port: PORT, journalDirectory: ROOT },
  });
  const refusedBy = new Map<string, string[]>();
  for (const { app, type } of serviceConfigurations()) {
    // Services of chains run only where a node of one is named.
    const environment = environments[app];
    for (const problem of environment ? problemsOf(type, environment) : [])
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
