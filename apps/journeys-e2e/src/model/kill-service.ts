import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { eventually } from '@stablecoin/testing/eventually';
import type { TestStack } from '@stablecoin/testing/stack';

/** Other sequences end it too, and the stack starts a service that ends often only after a pause. */
const THERE_WITHIN_MS = 120_000;

/** Ends a service of a stack, whichever process it is by now; the stack starts the next one. */
export function killService(stack: TestStack): (service: string, signal: 'SIGKILL' | 'SIGTERM') => Promise<void> {
  return async (service, signal) => {
    const strike = async () => struck(await processOf(stack, service), signal);
    await eventually(`${service} to run`, strike, { timeoutMs: THERE_WITHIN_MS });
  };
}

/** False when another sequence has ended it in the meantime: the caller then waits for its successor. */
function struck(pid: number | undefined, signal: 'SIGKILL' | 'SIGTERM'): boolean {
  if (pid === undefined) return false;
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

/** Its command line names the service and the stack's folder. */
async function processOf({ data_dir }: TestStack, service: string): Promise<number | undefined> {
  const { stdout } = await promisify(execFile)('ps', ['-axww', '-o', 'pid=,args='], { maxBuffer: 16 * 1024 * 1024 });
  const line = stdout
    .split('\n')
    .find((each) => each.includes(`/bundles/${service}/main.js`) && each.includes(data_dir));
  return line === undefined ? undefined : Number(line.trim().split(' ', 1)[0]);
}
