// A developer's commands: npm run NAME, by `node tools/run.mjs apps/workspace/src/main NAME`. Each is loaded when it is asked
// for, so that a start waits for nothing that only a test run needs.

import { OperatorError } from '@stablecoin/command-line/operator-error';
import { Main, runCommand } from '@stablecoin/command-line/terminal';

const COMMANDS: Readonly<Record<string, () => Promise<Main>>> = {
  start: async () => (await import('./stack/start.js')).start,
  dev: async () => (await import('./stack/dev.js')).dev,
  logs: async () => (await import('./stack/logs.js')).logs,
  reset: async () => (await import('./stack/reset.js')).reset,
  'with-stack': async () => (await import('./stack/with-stack.js')).withStack,
  test: async () => (await import('./tests/test.js')).test,
  'long-test': async () => (await import('./tests/long-tests.js')).longTest,
  bench: async () => (await import('./tests/bench.js')).bench,
  docs: async () => (await import('./generated-files/docs.js')).docs,
  schemas: async () => (await import('./generated-files/schemas.js')).schemas,
  tidy: async () => (await import('./style/tidy.js')).tidy,
};

void runCommand(async ([name = '', ...argv]) => {
  const load = COMMANDS[name];
  if (load === undefined)
    throw new OperatorError(`There is no command "${name}": choose from ${Object.keys(COMMANDS).join(', ')}.`);
  const command = await load();
  return command(argv);
}).then(() => process.exit());
