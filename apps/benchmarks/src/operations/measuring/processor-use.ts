/**
 * Processor time by process and, of Postgres, by database, between two readings. A backend serves one database for its
 * whole life and says which in its title. What a backend had used when it ended, the postmaster keeps for all of its
 * ended children: nothing is lost between readings, only its database is no longer known.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { processTimes } from '../../processor-time';

/** `postgres: ROLE DATABASE HOST(PORT) ACTIVITY`; Postgres' own workers have another title. */
const CLIENT_BACKEND = /^postgres: \S+ (\S+) \S+\(\d+\)/;

export interface PostgresReading {
  /** By process id; without a database what works for all of them: the log's writer, the checkpointer, vacuuming. */
  backends: ReadonlyMap<number, { database?: string; ms: number }>;
  postmasterMs: number;
  endedMs: number;
}

export interface Reading {
  /** By the names of the processes that are measured. */
  processes: Readonly<Record<string, number>>;
  postgres: PostgresReading;
}

/** Milliseconds by process, by `postgres DATABASE`, and of Postgres as a whole by `postgres server` and `postgres ended`. */
export type ProcessorUse = Readonly<Record<string, number>>;

export const SERVER = 'postgres server';
export const ENDED = 'postgres ended';
export const ofDatabase = (database: string): string => `postgres ${database}`;

export class ProcessorMeter {
  /** @param without backends that measure: their time is no operation's */
  constructor(
    private readonly pids: Readonly<Record<string, number>>,
    private readonly postmaster: number,
    private readonly without: readonly number[] = [],
  ) {}

  read(): Reading {
    const times = Object.entries(this.pids).map(([name, pid]) => [name, processTimes(pid).ownMs]);
    const { ownMs, endedChildrenMs } = processTimes(this.postmaster);
    return {
      processes: Object.fromEntries(times) as Record<string, number>,
      postgres: { backends: this.backends(), postmasterMs: ownMs, endedMs: endedChildrenMs },
    };
  }

  private backends(): PostgresReading['backends'] {
    const pids = readdirSync('/proc').filter((entry) => /^\d+$/.test(entry));
    return new Map(
      pids.flatMap((entry) => {
        const pid = Number(entry);
        const found = this.without.includes(pid) ? undefined : backendOf(pid, this.postmaster);
        return found === undefined ? [] : [[pid, found] as const];
      }),
    );
  }
}

/** Undefined when the process is another's, or has ended meanwhile. */
function backendOf(pid: number, postmaster: number): { database?: string; ms: number } | undefined {
  try {
    const { parent, ownMs } = processTimes(pid);
    if (parent !== postmaster) return undefined;
    const database = databaseIn(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    return { ms: ownMs, ...(database !== undefined && { database }) };
  } catch {
    return undefined;
  }
}

/** The database that a backend's title names. */
export const databaseIn = (title: string): string | undefined => CLIENT_BACKEND.exec(title)?.[1];

/** What was used from one reading to a later one. */
export function usedBetween(before: Reading, after: Reading): ProcessorUse {
  const used: Record<string, number> = {};
  const add = (name: string, ms: number) => (used[name] = (used[name] ?? 0) + ms);
  for (const [name, ms] of Object.entries(after.processes)) add(name, ms - (before.processes[name] ?? 0));
  const [earlier, later] = [before.postgres, after.postgres];
  for (const [pid, { database, ms }] of later.backends)
    add(database === undefined ? SERVER : ofDatabase(database), ms - (earlier.backends.get(pid)?.ms ?? 0));
  add(SERVER, later.postmasterMs - earlier.postmasterMs);
  // What an ended backend had used before the first reading is in the postmaster's sum by the second one.
  const endedBefore = [...earlier.backends].filter(([pid]) => !later.backends.has(pid));
  const countedBefore = endedBefore.reduce((sum, [, { ms }]) => sum + ms, 0);
  add(ENDED, later.endedMs - earlier.endedMs - countedBefore);
  return used;
}

export interface Share {
  /** The processes that work for it. */
  processes: readonly string[];
  databases: readonly string[];
}

/** The part of what was used that belongs to one way of doing things, the server's own work included. */
export function shareOf(used: ProcessorUse, { processes, databases }: Share): ProcessorUse {
  const names = new Set([...processes, ...databases.map(ofDatabase), SERVER, ENDED]);
  return Object.fromEntries(Object.entries(used).filter(([name]) => names.has(name)));
}

export const total = (used: ProcessorUse): number => Object.values(used).reduce((sum, ms) => sum + ms, 0);

export const perOperation = (used: ProcessorUse, operations: number): ProcessorUse =>
  Object.fromEntries(Object.entries(used).map(([name, ms]) => [name, ms / operations]));
