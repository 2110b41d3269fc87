// npm start: the whole stack (libs/local-stack/src/stack.ts) on this machine, until Ctrl-C, SIGTERM, a closed terminal, or
// (started with an IPC channel, as the tests do) the end of the parent.

import { OperatorError } from '@stablecoin/command-line/operator-error';
import { parseFlags, runCommand, say } from '@stablecoin/command-line/terminal';
import { readableOfService } from '@stablecoin/service-host/logging/readable';
import { startStack } from '@stablecoin/local-stack/stack';
import { announce } from './announcement';
import { signInLinks, withConsolePort } from './console';
import { withOperationsPorts } from './operations-ports';
import { requireValidSettings } from './settings-check';
import { stopRequest } from '@stablecoin/local-stack/stop-request';

const HELP = `
npm start [-- options]

Sets everything up and runs the whole stack on this machine until Ctrl-C: an embedded Postgres, a nats-server with
JetStream, an Ethereum, a BNB Smart Chain and a Polygon (each with USDT and USDC at their real addresses, a funded hot wallet
and a faucet), six migrated databases, eight services, a sandbox merchant with an API key, and links that sign in to
the console.

  --no-chains       no chains and none of the two services of chains: the sandbox plays them; as does LOCAL_CHAINS=false
  --chains          ends where chains can't be started, instead of doing without them; as does LOCAL_CHAINS=true
  --infrastructure  only Postgres (migrated), NATS and chains, no services: run those from your editor
  --json            one JSON line on stdout when ready (base_url, docs_url, api_key, console_url,
                    sign_in_links, chains, …); everything else goes to stderr
  --verbose         show everything the services log, not only warnings and errors
  --help

Environment (each replaces a default)
  PORT                    the gateway's port, default 3000; 0 takes a free one
  BACKOFFICE_PORT         the console's port, default the one after the gateway's; 0 takes a free one
  DATA_DIR                where all data is kept, default .data
  LOCAL_CHAINS            true or false: whether EVM chains are started; without it they are where there is anvil
  ANVIL                   the anvil to run as chains, instead of the one of Foundry's npm package
  NATS_URL                a running NATS server with JetStream, instead of one of our own
  CUSTOMER_DATABASE_URL, LEDGER_DATABASE_URL, SWAP_DATABASE_URL, PAYOUT_DATABASE_URL,
  CHAIN_DATABASE_URL, BACKOFFICE_DATABASE_URL
                          a database of your own per service; <NAME>_MIGRATION_DATABASE_URL for its owner, if another
  LEDGER_DATABASES        further databases of the ledger, as NAME=URL,NAME=URL; LEDGER_MIGRATION_DATABASES for their owners
  SANDBOX_API_KEY         the sandbox merchant's key
Everything else you set (LOG_LEVEL, SANDBOX_SETTLE_MS, QUOTE_TTL_MS, LEDGER_SHARDS, …) is passed on to the services.
`;
const FLAGS = {
  chains: { type: 'boolean' },
  'no-chains': { type: 'boolean' },
  infrastructure: { type: 'boolean' },
  json: { type: 'boolean' },
  verbose: { type: 'boolean' },
} as const;

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const { infrastructure = false, json = false, verbose = false } = parsed.values;
  const stopRequested = stopRequest();
  const env = withConsolePort(withOperationsPorts({ ...process.env, ...chainsSetting(parsed.values) }));
  if (!infrastructure) requireValidSettings(env);
  const stack = await startStack({
    env,
    verbose,
    withServices: !infrastructure,
    stopRequested,
    textOf: readableOfService,
  });
  const { description } = stack;
  announce(
    { ...description, ...(!infrastructure && { sign_in_links: await signInLinks(process.env, description) }) },
    { json },
  );
  say(`\n${await stopRequested}: stopping in order`);
  await stack.stop();
  return 0;
}

function chainsSetting({ chains = false, 'no-chains': noChains = false }: { chains?: boolean; 'no-chains'?: boolean }) {
  if (chains && noChains) throw new OperatorError('Say either --chains or --no-chains.');
  if (!chains && !noChains) return {};
  return { LOCAL_CHAINS: String(chains) };
}

void runCommand(main).then(() => process.exit());
