// npm start: a plain Node script, so that it works before a single dependency is there. The Node version first, then the
// dependencies, then the build, then the stack (tools/stack/stack.mjs), which stays up until Ctrl-C, SIGTERM, a closed
// terminal, or (started with an IPC channel, as the tests do) the end of the parent.

import './stack/node-version.mjs';

const HELP = `
npm start [-- options]

Sets everything up and runs the whole stack on this machine until Ctrl-C: an embedded Postgres, a nats-server with
JetStream, four migrated databases, five services, and a sandbox merchant with an API key.

  --infrastructure  only Postgres (migrated) and NATS, no services: run those from your editor
  --json            one JSON line on stdout when ready (base_url, docs_url, api_key, …); everything else goes to stderr
  --verbose         show everything the services log, not only warnings and errors
  --help

Environment (each replaces a default)
  PORT                    the gateway's port, default 3000; 0 takes a free one
  DATA_DIR                where all data is kept, default .data
  NATS_URL                a running NATS server with JetStream, instead of one of our own
  CUSTOMER_DATABASE_URL, LEDGER_DATABASE_URL, SWAP_DATABASE_URL, PAYOUT_DATABASE_URL
                          a database of your own per service; <NAME>_MIGRATION_DATABASE_URL for its owner, if another
  SANDBOX_API_KEY         the sandbox merchant's key
Everything else you set (LOG_LEVEL, SANDBOX_SETTLE_MS, QUOTE_TTL_MS, LEDGER_SHARDS, …) is passed on to the services.
`;
const FLAGS = { infrastructure: { type: 'boolean' }, json: { type: 'boolean' }, verbose: { type: 'boolean' } };

async function main(argv) {
  const { parseFlags, say } = await import('./stack/terminal.mjs');
  const parsed = await parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const stopRequested = listenForStop();
  const { ensureReady } = await import('./stack/setup.mjs');
  await ensureReady();
  const { startStack } = await import('./stack/stack.mjs');
  const stack = await startStack({
    env: process.env,
    verbose: parsed.values.verbose,
    withServices: !parsed.values.infrastructure,
    stopRequested,
  });
  announce(stack.description, parsed.values.json);
  say(`\n${await stopRequested}: stopping in order`);
  await stack.stop();
  return 0;
}

/** Only the first request counts; a signal that npm repeats, or an impatient second Ctrl-C, must not break the order. */
function listenForStop() {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => resolve(signal));
    if (process.channel) {
      process.channel.unref();
      process.on('disconnect', () => resolve('Parent ended'));
    }
  });
}

function announce(description, json) {
  if (json) return void process.stdout.write(`${JSON.stringify(description)}\n`);
  const lines = description.base_url
    ? [
        `Base URL   ${description.base_url}`,
        `Docs       ${description.docs_url}`,
        `API key    ${description.api_key}   (header x-api-key)`,
      ]
    : [
        `NATS       ${description.nats_url}`,
        ...Object.entries(description.databases).map(([name, url]) => `${name.padEnd(10)} ${url}`),
      ];
  process.stdout.write(`\n${lines.join('\n')}\n\nLogs in ${description.data_dir}/logs. Ctrl-C stops everything.\n`);
}

import('./stack/terminal.mjs').then(({ runCommand }) => runCommand(main)).then(() => process.exit());
