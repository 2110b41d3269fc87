import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second, whatever the kernel's own clock (`getconf CLK_TCK`). */
const TICK_MS = 10;

export interface ProcessTimes {
  parent: number;
  /** Of all its threads, in milliseconds. */
  ownMs: number;
  /** Of those of its children that have ended. */
  endedChildrenMs: number;
}

/**
 * The processor time that processes have used so far, all their threads, in milliseconds.
 *
 * @throws Error when one of them has ended
 */
export const processorMs = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + processTimes(pid).ownMs, 0);

/** @throws Error when it has ended */
export function processTimes(pid: number): ProcessTimes {
  return timesIn(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** Read from the line that /proc has of a process. */
export function timesIn(stat: string): ProcessTimes {
  // The name, in brackets, may have spaces in it. After it: the state is the first field, utime the 12th, stime the 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) * TICK_MS;
  return { parent: Number(fields[1]), ownMs: ticks(11), endedChildrenMs: ticks(13) };
}
