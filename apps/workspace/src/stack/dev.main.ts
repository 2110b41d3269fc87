// npm run dev: the stack of npm start; each change of a source file is compiled and runs within three seconds. Services
// whose program loads a changed file are restarted on the same port.

import { parseFlags, runCommand, say } from '@stablecoin/command-line/terminal';
import { OperatorError } from '@stablecoin/command-line/operator-error';
import { STACK_SERVICES, type StackServiceName } from '@stablecoin/local-stack/environment';
import { compiledMain } from '@stablecoin/local-stack/service-process';
import { startStack } from '@stablecoin/local-stack/stack';
import { readableOfService } from '@stablecoin/service-host/logging/readable';
import { announce } from './announcement';
import { signInLinks, withConsolePort } from './console';
import { DebuggerPorts } from './debugger-ports';
import { withOperationsPorts } from './operations-ports';
import { Rebuilding } from './rebuilding';
import { requireValidSettings } from './settings-check';
import { stopRequest } from '@stablecoin/local-stack/stop-request';
import { watchSources } from './watched-sources';

const HELP = `
npm run dev [-- SERVICE … --inspect] [--json]

Runs the whole stack as npm start does, shows what the services log, and watches the sources: a change is compiled, and the
services that load it are started anew, within three seconds. A source that doesn't compile is named, and nothing is
restarted. npm test -- WORD runs its journeys against this stack; with LOCAL_CHAINS=true, which also starts chains, it does
not.

  payout --inspect   opens a service for a debugger, on 127.0.0.1:9229 (the next one on 9230, …)
  --json             one JSON line on stdout when ready, as of npm start
  --help

Services: ${STACK_SERVICES.join(', ')}. Environment as of npm start; the sandbox settles and signs as quickly as the journeys
expect, unless you say otherwise.
`;

/** The settings with which journeys run. */
const DEVELOPMENT_SETTINGS = {
  SANDBOX_SETTLE_MS: '300',
  CHECKPOINT_INTERVAL_MS: '1000',
  LIABILITIES_INTERVAL_MS: '1000',
  LOCAL_CHAINS: 'false',
};

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, { inspect: { type: 'boolean' }, json: { type: 'boolean' } }, HELP);
  if (parsed === undefined) return 0;
  const { inspect = false, json = false } = parsed.values;
  const debuggers = await DebuggerPorts.of(inspectedServices(parsed.positionals, inspect));
  const stopRequested = stopRequest();
  const env = withConsolePort(withOperationsPorts({ ...DEVELOPMENT_SETTINGS, ...process.env }));
  requireValidSettings(env);
  const stack = await startStack({
    env,
    verbose: true,
    stopRequested,
    textOf: readableOfService,
    nodeFlags: debuggers.nodeFlags,
    // A change is compiled file by file, and a debugger shows the sources.
    mainOf: (service) => compiledMain(service),
  });
  const rebuilding = new Rebuilding((services) => stack.restart(services));
  const watcher = await watchSources((file) => {
    rebuilding.changed(file);
  });
  const { description } = stack;
  announce({ ...description, sign_in_links: await signInLinks(process.env, description) }, { json });
  say(['Watching apps/*/src and libs/*/src.', ...debuggers.lines].join('\n'));
  rebuilding.prepare();
  say(`\n${await stopRequested}: stopping in order`);
  await watcher.close();
  await rebuilding.finished();
  await stack.stop();
  return 0;
}

function inspectedServices(names: readonly string[], inspect: boolean): StackServiceName[] {
  const services = names.map((name) => {
    const service = STACK_SERVICES.find((candidate) => candidate === name);
    if (service === undefined)
      throw new OperatorError(`There is no service "${name}": choose from ${STACK_SERVICES.join(', ')}.`);
    return service;
  });
  if (inspect && services.length === 0)
    throw new OperatorError('Say which service is to be opened for a debugger: npm run dev -- payout --inspect.');
  if (!inspect && services.length > 0)
    throw new OperatorError(
      `npm run dev runs all services; to open one for a debugger: -- ${services.join(' ')} --inspect.`,
    );
  return services;
}

void runCommand(main).then(() => process.exit());
