/**
 * One run in its own process, like `npm run audit`: `bare` reads every event as an audit does and does nothing with it;
 * `verify` and `replay` do the work of the commands. Prints the run's duration and memory at the end.
 */
import { performance } from 'node:perf_hooks';
import { readEventRows } from '@stablecoin/ledger-store/event-rows';
import { LedgerDatabase } from '@stablecoin/ledger-store/ledger-database';
import { withLedger, withSnapshot } from '../src/database/ledger';
import { PAGE_SIZE } from '@stablecoin/ledger-log/rebuild/rebuild-log';
import { readShards } from '@stablecoin/ledger-log/rebuild/shard-heads';
import { replay } from '../src/replay/replay';
import { verify } from '../src/verify/verify';

export const AUDITS = ['bare', 'verify', 'replay'] as const;
export type Audit = (typeof AUDITS)[number];

export interface AuditRun {
  events: number;
  ms: number;
  /** Processor time of this process in milliseconds: other work on the machine doesn't lengthen it. */
  cpuMs: number;
  /** Resident memory, in MB. */
  memoryAtStart: number;
  memoryAtMost: number;
}

/** @returns how many events there were */
const WORK: Record<Audit, (database: LedgerDatabase) => Promise<number>> = {
  bare: readAll,
  verify: async (database) => sound(await verify(database, { now: await lastRecordedAt(database) })),
  replay: async (database) => sound(await replay(database, new Date())),
};

/** The log's own present: its times are not of today. */
async function lastRecordedAt(database: LedgerDatabase): Promise<Date> {
  const [row] = await database.$queryRaw<{ at: Date }[]>`
    SELECT recorded_at AS at FROM ledger_events ORDER BY shard DESC, position DESC LIMIT 1`;
  return row?.at ?? new Date();
}

async function readAll(database: LedgerDatabase): Promise<number> {
  return withSnapshot(database, 'read-only', async (snapshot) => {
    let events = 0;
    for (const { shard } of await readShards(snapshot)) {
      let after = 0;
      for (;;) {
        const rows = await readEventRows(snapshot, shard, after, PAGE_SIZE);
        if (rows.length === 0) break;
        events += rows.length;
        after = rows.at(-1)?.position ?? after;
      }
    }
    return events;
  });
}

function sound(found: { ok: boolean; events: number }): number {
  if (!found.ok) throw new Error(`the audit found something in a log that is sound: ${JSON.stringify(found)}`);
  return found.events;
}

async function main(audit: Audit): Promise<void> {
  const run = await withLedger(process.env, async (database) => {
    await database.$queryRaw`SELECT 1`;
    const memoryAtStart = process.memoryUsage().rss / 2 ** 20;
    const [startedAt, cpuBefore] = [performance.now(), process.cpuUsage()];
    const events = await WORK[audit](database);
    const cpu = process.cpuUsage(cpuBefore);
    const ms = performance.now() - startedAt;
    const memoryAtMost = process.resourceUsage().maxRSS / 1024;
    return { events, ms, cpuMs: (cpu.user + cpu.system) / 1_000, memoryAtStart, memoryAtMost };
  });
  process.stdout.write(`${JSON.stringify(run satisfies AuditRun)}\n`);
}

const asked = AUDITS.find((audit) => audit === process.argv[2]);
if (asked) void main(asked);
