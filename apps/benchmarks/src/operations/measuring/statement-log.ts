/**
 * What Postgres was asked: while it is being counted, the server logs every statement, with its database, and each line
 * counts. Logging costs the server much, so processor time is never measured meanwhile.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

/** Marks the lines that are counted, whatever else the server writes. */
const PREFIX = 'counted database=%d ';
/** A statement of the simple protocol, or an execution of a prepared one; parsing and binding it have lines of their own. */
const EXECUTED = /^counted database=(\S+) LOG: {2}duration: [\d.]+ ms {2}(?:statement|execute [^:]*):/gm;
/** A server process reads its settings anew when it is next at rest. */
const RELOAD_MS = 300;

/** Executions by database. */
export type Statements = Record<string, number>;

export class StatementLog {
  /** @param owner may change the server's settings @param file the server's log */
  constructor(
    private readonly owner: Client,
    private readonly file: string,
  ) {}

  async during(work: () => Promise<void>): Promise<Statements> {
    const from = statSync(this.file).size;
    await this.set(`log_line_prefix = '${PREFIX}'`, 'log_min_duration_statement = 0');
    try {
      await work();
    } finally {
      await this.reset('log_line_prefix', 'log_min_duration_statement');
    }
    return countedIn(textFrom(this.file, from));
  }

  private async set(...settings: string[]): Promise<void> {
    for (const setting of settings) await this.owner.query(`ALTER SYSTEM SET ${setting}`);
    await this.reload();
  }

  private async reset(...names: string[]): Promise<void> {
    for (const name of names) await this.owner.query(`ALTER SYSTEM RESET ${name}`);
    await this.reload();
  }

  private async reload(): Promise<void> {
    await this.owner.query('SELECT pg_reload_conf()');
    await delay(RELOAD_MS);
  }
}

export function countedIn(log: string): Statements {
  const counted: Statements = {};
  for (const [, database = ''] of log.matchAll(EXECUTED)) counted[database] = (counted[database] ?? 0) + 1;
  return counted;
}

function textFrom(file: string, from: number): string {
  const opened = openSync(file, 'r');
  try {
    const buffer = Buffer.alloc(statSync(file).size - from);
    readSync(opened, buffer, 0, buffer.length, from);
    return buffer.toString('utf8');
  } finally {
    closeSync(opened);
  }
}
