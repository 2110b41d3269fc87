// npm run faults: the fault harness (apps/faults) on a stack of its own, which is removed again whatever happens. Here are
// only the servers (tools/faults/servers.mjs); the services are started, and killed, by the harness, because they must reach
// the servers through its proxies.

import './stack/node-version.mjs';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const HELP = `
npm run faults -- [--kills N] [--cuts N] [--away SECONDS] [--minutes N] [--seed S] [--busy] [--json]

Drives mixed traffic over HTTP against a stack of its own, kills, pauses and stops its processes, cuts its connections,
takes its broker away and fills its disk meanwhile, and then compares what every caller was told with the ledger's log.

  --kills     processes that are killed or stopped, of each kind in turn; 30 unless given
  --cuts      connections that are cut; half-open and slow ones come on top; 100 unless given
  --away      how long the broker is taken away, once; 60 unless given, 15 in a run of fewer than 60 kills
  --minutes   about how long faults are injected; they are spread over it. Unless given, as long as the kills need
  --seed      decides which faults come in which order; printed, so that a run can be repeated
  --busy      this machine has other work to do: what took longer than promised is told, but is no finding; what
              never recovered, or was never answered, still is
  --json      the last line of stdout is one object with the figures; progress goes to stderr
  --help

Exit codes: 0 all promises held, 1 at least one did not (the summary names the operations), 2 it could not run.
`;
const FLAGS = {
  kills: { type: 'string' },
  cuts: { type: 'string' },
  away: { type: 'string' },
  minutes: { type: 'string' },
  seed: { type: 'string' },
  busy: { type: 'boolean' },
  json: { type: 'boolean' },
};
/** How long the sandbox's bank takes: short, so that many payouts are under way at every moment and none for long. */
const SETTINGS = { SANDBOX_SETTLE_MS: '300', LEDGER_SHARDS: '4', LOG_LEVEL: 'log', CHECKPOINT_INTERVAL_MS: '5000' };
const MINUTES_MAX = 24 * 60;
const AWAY_MAX_SECONDS = 3_600;
/** In a short run a minute would be most of it. */
const SHORT_RUN_KILLS = 60;

async function main(argv) {
  const { parseFlags } = await import('./stack/terminal.mjs');
  const parsed = await parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const plan = await planOf(parsed.values);
  const { ensureReady } = await import('./stack/setup.mjs');
  await ensureReady();
  const folder = mkdtempSync(join(tmpdir(), 'faults-'));
  chmodSync(folder, 0o711); // Started by root, Postgres runs as another user and has to pass through.
  // The harness hears Ctrl-C as well and ends in order; whoever started it must live until then.
  const running = { child: undefined, stopped: false };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      running.stopped = true;
      running.child?.kill('SIGTERM');
    });
  }
  try {
    return await onServers(join(folder, 'data'), plan, running);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function planOf({
  kills = '30',
  cuts = '100',
  away,
  minutes,
  seed = String(Date.now() % 1_000_000),
  busy,
  json,
}) {
  const { wholeNumber } = await import('./stack/terminal.mjs');
  const upTo = (most, flag, text) => wholeNumber(flag, text, { least: 0, most });
  return {
    kills: upTo(100_000, 'kills', kills),
    cuts: upTo(1_000_000, 'cuts', cuts),
    brokerAwayMs: 1_000 * upTo(AWAY_MAX_SECONDS, 'away', away ?? brokerAwaySeconds(Number(kills))),
    ...(minutes !== undefined && { minutes: upTo(MINUTES_MAX, 'minutes', minutes) }),
    seed: upTo(9_999_999, 'seed', seed),
    judgesTimes: busy !== true,
    json: json === true,
  };
}

const brokerAwaySeconds = (kills) => (kills < SHORT_RUN_KILLS ? '15' : '60');

async function onServers(dataDir, plan, running) {
  const { step, say } = await import('./stack/terminal.mjs');
  const { dataPaths, makeDataDir } = await import('./stack/paths.mjs');
  const { loadSecrets } = await import('./stack/secrets.mjs');
  const { obtainNatsServer } = await import('./stack/nats-binary.mjs');
  const { startServers } = await import('./faults/servers.mjs');
  const paths = dataPaths(dataDir);
  makeDataDir(paths);
  const secrets = loadSecrets(paths);
  const servers = await step('Postgres and NATS', async (tell) =>
    startServers({ paths, secrets, natsProgram: await obtainNatsServer(process.env, tell) }),
  );
  try {
    const stack = await step('Databases', () => describe({ paths, secrets, servers }));
    if (running.stopped) return 2;
    return await runHarness({ plan, stack, servers, running });
  } finally {
    await servers.stop().catch((error) => say(`  Stopping: ${error.message}`));
  }
}

/** Migrated databases, and everything that the harness needs to know. */
async function describe({ paths, secrets, servers }) {
  const { allowLogins, DATABASES, databaseUrls } = await import('./stack/databases.mjs');
  const { migrate } = await import('./stack/migrations.mjs');
  const { commandLineEnvironment, serviceEnvironments, withoutAnyStack } = await import('./stack/environment.mjs');
  const env = { ...withoutAnyStack(process.env), ...SETTINGS };
  const postgres = servers.postgres.current();
  const { url: natsUrl, version: natsVersion } = servers.nats.current();
  const urls = databaseUrls({}, postgres, secrets);
  await Promise.all(DATABASES.map((name) => migrate({ name, url: urls[name].owner })));
  await allowLogins(postgres, secrets, DATABASES);
  const parts = { env, secrets, natsUrl, urls };
  return {
    data_dir: paths.dataDir,
    logs: paths.logs,
    nats_url: natsUrl,
    nats_version: natsVersion,
    owner_databases: Object.fromEntries(DATABASES.map((name) => [name, urls[name].owner])),
    services: serviceEnvironments({ ...parts, port: 0 }),
    command_line: commandLineEnvironment(parts),
    disk_full: servers.disk.reason ?? null,
  };
}

function runHarness({ plan, stack, servers, running }) {
  return new Promise((resolve, reject) => {
    import('node:child_process').then(({ fork }) => {
      const program = new URL('../dist/apps/faults/src/main.js', import.meta.url);
      const child = fork(program, [], {
        execArgv: ['--enable-source-maps'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
        env: { ...process.env, FAULT_RUN: JSON.stringify({ plan, stack }) },
      });
      running.child = child;
      servers.serve(child);
      child.once('error', reject);
      child.once('exit', (code) => resolve(code ?? 1));
    }, reject);
  });
}

import('./stack/terminal.mjs').then(({ runCommand }) => runCommand(main)).then(() => process.exit());
