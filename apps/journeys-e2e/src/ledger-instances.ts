/** Several wallet-ledger processes on one stack, and what a spec does to them. */
import { ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@stablecoin/testing/eventually';
import type { TestStack } from '@stablecoin/testing/stack';
import { Client as Postgres } from 'pg';
import { ROOT } from './merchants';

const RESTART_MS = 300;

/** One more wallet-ledger beside the stack's own; one that is killed is started again. */
export class FurtherLedger {
  private child: ChildProcess | undefined;
  private stopped = false;

  constructor(private readonly stack: TestStack) {
    this.start();
  }

  async stop(): Promise<void> {
    this.stopped = true;
    const { child } = this;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGCONT');
    child.kill('SIGTERM');
    await ended;
  }

  private start(): void {
    const { environment } = this.read<{ environment: Record<string, string> }>('stack.json');
    // The stack tells nobody the key that signs for the ledger, but its own ledger.
    const { CHECKPOINT_SIGNING_KEY } = this.read<Record<string, string>>('secrets.json');
    const main = join(ROOT, 'dist/apps/wallet-ledger/src/main.js');
    const env = {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'warn',
      LOG_FORMAT: 'text',
      CHECKPOINT_SIGNING_KEY,
      ...environment,
    };
    this.child = spawn(process.execPath, [main], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    this.child.once('exit', () => setTimeout(() => this.stopped || this.start(), RESTART_MS));
  }

  private read<Content>(file: string): Content {
    return JSON.parse(readFileSync(join(this.stack.data_dir, file), 'utf8')) as Content;
  }
}

/** The shards by the process that holds them, read behind the service's back. */
export class Holders {
  private constructor(private readonly database: Postgres) {}

  static async of(stack: TestStack): Promise<Holders> {
    const database = new Postgres({ connectionString: stack.owner_databases.ledger });
    await database.connect();
    return new Holders(database);
  }

  /** Leases that have not lapsed: shard → process. */
  async byShard(): Promise<Map<number, number>> {
    const { rows } = await this.database.query<{ shard: number; pid: string }>(
      `SELECT shard, split_part(holder, '/', 2) AS pid FROM ledger_shards WHERE lease_expires_at > now() ORDER BY shard`,
    );
    return new Map(rows.map(({ shard, pid }) => [shard, Number(pid)]));
  }

  /** How many shards each process holds, by process. */
  async counts(): Promise<Map<number, number>> {
    const counts = new Map<number, number>();
    for (const pid of (await this.byShard()).values()) counts.set(pid, (counts.get(pid) ?? 0) + 1);
    return counts;
  }

  /** Two instances share the shards evenly: waits until they do. */
  async halved(shards: number): Promise<void> {
    await eventually(
      'both instances to hold their half',
      async () => String([...(await this.counts()).values()]) === String([shards / 2, shards / 2]),
      { timeoutMs: 30_000 },
    );
  }

  /** As the owner of the tables, who may do anything to them. */
  async tamper(statement: string, values: readonly string[]): Promise<void> {
    await this.database.query(statement, [...values]);
  }

  end(): Promise<void> {
    return this.database.end();
  }
}
