/**
 * npm run faults: faults on a stack of its own, which is removed again whatever happens. This process, the launcher, has only
 * the servers (launcher/server-keeper.ts). The services are started, and killed, by the fault process (fault-process.ts), because
 * they must reach the servers through its proxies.
 */
import { fork } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorMessage } from '@stablecoin/command-line/error-code';
import { parseFlags, runCommand, say, step } from '@stablecoin/command-line/terminal';
import { commandLineEnvironment, serviceEnvironments, withoutAnyStack } from '@stablecoin/local-stack/environment';
import { obtainNatsServer } from '@stablecoin/local-stack/nats-binary';
import { dataPaths, makeDataDir } from '@stablecoin/local-stack/paths';
import { loadSecrets, type Secrets } from '@stablecoin/local-stack/secrets';
import { allowLogins, DATABASES, databaseUrls, ofEachDatabase } from '@stablecoin/migrations/databases';
import { migrate } from '@stablecoin/migrations/migrations';
import { FLAGS, HELP, planOf } from './launcher/fault-plan';
import { ServerKeeper } from './launcher/server-keeper';
import type { FaultPlan, FaultStack } from './stack/fault-stack';

/** How long the sandbox's bank takes: short, so that many payouts are under way at every moment and none for long. */
const SETTINGS = { SANDBOX_SETTLE_MS: '300', LEDGER_SHARDS: '4', LOG_LEVEL: 'log', CHECKPOINT_INTERVAL_MS: '5000' };
const INTERRUPTED = 2;

/** The fault process hears Ctrl-C as well and ends in order; its launcher lives until then. */
class Interruption {
  requested = false;
  private readonly listeners: (() => void)[] = [];

  constructor() {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        this.requested = true;
        this.listeners.forEach((listener) => listener());
      });
    }
  }

  onRequest(listener: () => void): void {
    this.listeners.push(listener);
  }
}

async function main(argv: string[]): Promise<number> {
  const parsed = parseFlags(argv, FLAGS, HELP);
  if (parsed === undefined) return 0;
  const plan = planOf(parsed.values);
  const folder = mkdtempSync(join(tmpdir(), 'faults-'));
  chmodSync(folder, 0o711); // Started by root, Postgres runs as another user and has to pass through.
  try {
    return await onServers(join(folder, 'data'), plan, new Interruption());
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onServers(dataDir: string, plan: FaultPlan, interruption: Interruption): Promise<number> {
  const paths = dataPaths(dataDir);
  makeDataDir(paths);
  const secrets = loadSecrets(paths);
  const servers = await step('Postgres and NATS', async (tell) =>
    ServerKeeper.start({ paths, secrets, natsProgram: await obtainNatsServer(process.env, tell) }),
  );
  try {
    const stack = await step('Databases', () => describe(paths.logs, secrets, servers));
    if (interruption.requested) return INTERRUPTED;
    return await runFaults({ plan, stack, servers, interruption });
  } finally {
    await servers.stop().catch((error: unknown) => say(`  Stopping: ${errorMessage(error)}`));
  }
}

/** Migrated databases, and everything that the fault process needs to know. */
async function describe(logs: string, secrets: Secrets, servers: ServerKeeper): Promise<FaultStack> {
  const env = { ...withoutAnyStack(process.env), ...SETTINGS };
  const { current: postgres } = servers.postgres;
  const { url: natsUrl, version: natsVersion } = servers.nats.current;
  const urls = databaseUrls({}, postgres, secrets);
  await Promise.all(DATABASES.map((name) => migrate({ name, url: urls[name].owner })));
  await allowLogins(postgres, secrets, DATABASES);
  const parts = { env, secrets, natsUrl, urls };
  return {
    logs,
    nats_version: natsVersion,
    owner_databases: ofEachDatabase((name) => urls[name].owner),
    services: serviceEnvironments({ ...parts, port: 0 }),
    command_line: commandLineEnvironment(parts),
    disk_full: servers.disk.reason ?? null,
  };
}

interface FaultProcess {
  plan: FaultPlan;
  stack: FaultStack;
  servers: ServerKeeper;
  interruption: Interruption;
}

/** Resolves to its exit code. */
function runFaults({ plan, stack, servers, interruption }: FaultProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(join(__dirname, 'fault-process.js'), [], {
      execArgv: ['--enable-source-maps'],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: { ...process.env, FAULT_RUN: JSON.stringify({ plan, stack }) },
    });
    interruption.onRequest(() => child.kill('SIGTERM'));
    servers.serve(child);
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

void runCommand(main).then(() => process.exit());
