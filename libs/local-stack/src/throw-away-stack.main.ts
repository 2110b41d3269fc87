// The launcher of a throw-away stack (throw-away-stack.ts): runs until a signal, or until its parent ends.

import { runCommand } from '@stablecoin/command-line/terminal';
import { startStack } from './stack';
import { stopRequest } from './stop-request';

async function main(argv: string[]): Promise<void> {
  const stopRequested = stopRequest();
  const withServices = !argv.includes('--infrastructure');
  const stack = await startStack({ env: process.env, withServices, stopRequested });
  process.send?.({ type: 'ready', url: stack.description.base_url });
  await stopRequested;
  await stack.stop();
}

void runCommand(main).then(() => process.exit());
