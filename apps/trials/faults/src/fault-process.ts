/** See fault-run.ts for what happens here; main.ts starts it. */
import { faultRun } from './fault-run';
import { FaultPlan, FaultStack } from './stack/fault-stack';

/** The launcher is gone, or a signal asks for the end: everything is stopped, and nothing is judged. */
const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupted.abort());
process.on('disconnect', () => interrupted.abort());

async function main(): Promise<number> {
  const { plan, stack } = JSON.parse(process.env['FAULT_RUN'] ?? '{}') as { plan?: FaultPlan; stack?: FaultStack };
  if (!plan || !stack) throw new Error('start it with npm run faults');
  return faultRun(plan, stack, interrupted.signal);
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(2);
  },
);
