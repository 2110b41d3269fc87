/**
 * How long each service takes from the start of its process until it is ready, and what memory it holds when nothing is asked of it:
 * started from its bundle and, beside it in the same round, from its compiled files. Once on the machine as it is, once with a process
 * per processor that never rests. Each starts alone, on databases that are migrated and have been used; ready is what /ready says.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { given } from '@stablecoin/benchmarking/given';
import { median } from '@stablecoin/benchmarking/measure';
import { progress, report, rounded, type Figures } from '@stablecoin/benchmarking/report';
import { localChainSettings } from '@stablecoin/local-stack/chains/local-chain-settings';
import { readStack } from '@stablecoin/local-stack/description';
import { serviceEnvironments, type StackServiceName, withoutAnyStack } from '@stablecoin/local-stack/environment';
import { dataPaths } from '@stablecoin/local-stack/paths';
import { readSecrets } from '@stablecoin/local-stack/secrets';
import { bundledMain, compiledMain, nodeCommand, ServiceProcess } from '@stablecoin/local-stack/service-process';
import { DATABASES } from '@stablecoin/migrations/databases';
import { residentMb } from './resident-memory';

const ROUNDS = 3;
/** Long enough for what a service does once after its start; a collection of idle V8 comes within it. */
const IDLE_MS = 5_000;
const POLL_MS = 5;
const READY_TIMEOUT_MS = 90_000;
/** Ends with this process, whose channel closes then. */
const SPIN = `
  process.once('disconnect', () => process.exit());
  const turn = () => {
    for (const end = Date.now() + 50; Date.now() < end; );
    setImmediate(turn);
  };
  turn();
`;
const WAYS = { bundle: bundledMain, compiled: compiledMain } as const;

async function main(): Promise<void> {
  const options = { json: { type: 'boolean' }, rounds: { type: 'string' } } as const;
  const { values } = parseArgs({ options });
  const environments = environmentsOf(given('BENCHMARK_DATA_DIR'));
  const measured = new Map<string, number[]>();
  const note = (name: string, value: number) => {
    measured.set(name, [...(measured.get(name) ?? []), value]);
  };
  const rounds = Number(values.rounds ?? ROUNDS);
  // The round before the first fills the files' cache, and gives what is made at the first start of all.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [service, env] of environments) {
      for (const [way, mainOf] of Object.entries(WAYS)) {
        const name = `${service}_${way}`.replaceAll('-', '_');
        const quiet = await started(service, mainOf(service), env, round === 0 ? 0 : IDLE_MS);
        if (round === 0) continue;
        const busy = await amongBusyProcessors(() => started(service, mainOf(service), env, 0));
        note(`${name}_ms`, quiet.readyMs);
        note(`${name}_busy_ms`, busy.readyMs);
        note(`${name}_idle_mb`, quiet.residentMb);
        progress(
          `${name}: ${rounded(quiet.readyMs)} ms, busy ${rounded(busy.readyMs)} ms, ${rounded(quiet.residentMb)} MB`,
        );
      }
    }
  }
  const figures: Figures = Object.fromEntries([...measured].map(([name, all]) => [name, median(all)]));
  report(figures, values.json === true);
}

/** Of each service its own, as npm start gives them. */
function environmentsOf(dataDir: string): [StackServiceName, NodeJS.ProcessEnv][] {
  const stack = readStack({ DATA_DIR: dataDir });
  const paths = dataPaths(dataDir);
  const secrets = readSecrets(paths);
  if (stack === undefined || secrets === undefined) throw new Error(`There is no stack in ${dataDir}.`);
  const urlsOf = (name: (typeof DATABASES)[number]) => ({
    app: stack.databases[name],
    owner: stack.owner_databases[name],
  });
  const urls = Object.fromEntries(DATABASES.map((name) => [name, urlsOf(name)])) as Parameters<
    typeof serviceEnvironments
  >[0]['urls'];
  const own = withoutAnyStack(process.env);
  const env = {
    ...own,
    ...localChainSettings(own, stack.chains ?? []),
    OPERATIONS_PORT: '0',
    BACKOFFICE_PORT: '0',
    LOG_LEVEL: 'warn',
  };
  mkdirSync(paths.signerJournal, { recursive: true, mode: 0o700 });
  const parts = { env, secrets, natsUrl: stack.nats_url, urls, port: 0, journalDirectory: paths.signerJournal };
  return Object.entries(serviceEnvironments(parts)) as [StackServiceName, NodeJS.ProcessEnv][];
}

async function started(title: string, main: string, env: NodeJS.ProcessEnv, idleMs: number) {
  const startedAt = performance.now();
  const service = new ServiceProcess({ title, command: nodeCommand(main), env, output: 'tail' });
  try {
    const { operationsUrl = '' } = await service.untilReady(READY_TIMEOUT_MS);
    while (!(await isReady(operationsUrl))) await delay(POLL_MS);
    const readyMs = performance.now() - startedAt;
    await delay(idleMs);
    return { readyMs, residentMb: residentMb(service.pid ?? 0) ?? 0 };
  } finally {
    await service.stop();
  }
}

const isReady = async (operationsUrl: string) => (await fetch(`${operationsUrl}/ready`)).ok;

/** One for each processor, so that a start has about half of one. */
async function amongBusyProcessors<Result>(work: () => Promise<Result>): Promise<Result> {
  const spinning: ChildProcess[] = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', SPIN], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
  );
  try {
    return await work();
  } finally {
    for (const child of spinning) child.kill('SIGKILL');
  }
}

void main();
