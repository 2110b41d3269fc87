import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, whatever the kernel's own clock (`getconf CLK_TCK`). */
const TICK_MS = 10;

/**
 * The processor time that processes have used so far, all their threads, in milliseconds.
 *
 * @throws Error when one of them has ended
 */
export const processorMs = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + usedBy(pid), 0);

function usedBy(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name, in brackets, may have spaces in it. After it: the state is the first field, utime the 12th, stime the 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
