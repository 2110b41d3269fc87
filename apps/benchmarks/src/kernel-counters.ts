import { readFileSync } from 'node:fs';
import { Figures } from '@stablecoin/benchmarking/report';

/** The figure and what Linux calls it: connections that found no room to wait for being taken, and what was sent again. */
const COUNTERS = {
  accept_queue_overflows: 'ListenOverflows',
  connections_asked_for_again: 'TCPSynRetrans',
  tcp_timeouts: 'TCPTimeouts',
} as const;

/** What the kernel has counted since the machine started, for all processes; nothing where it doesn't tell. */
export function kernelCounters(): Record<string, number> {
  try {
    const [names = '', values = ''] = readFileSync('/proc/net/netstat', 'utf8').split('\n');
    const counted = values.split(' ');
    const indexes = names.split(' ');
    return Object.fromEntries(
      Object.entries(COUNTERS).map(([figure, name]) => [figure, Number(counted[indexes.indexOf(name)] ?? 0)]),
    );
  } catch {
    return {};
  }
}

export function countedSince(before: Record<string, number>): Figures {
  return Object.fromEntries(
    Object.entries(kernelCounters()).map(([name, value]) => [name, value - (before[name] ?? 0)]),
  );
}
