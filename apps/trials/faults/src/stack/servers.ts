import { readFileSync, readdirSync } from 'node:fs';
import { FaultStack, ServerName } from './fault-stack';

export interface Whereabouts {
  pid: number;
  port: number;
}

type Ask = 'hold' | 'release' | 'stop-at-once' | 'fill-disk' | 'free-disk';

interface FromLauncher {
  servers?: Record<ServerName, Whereabouts>;
  id?: number;
  error?: string;
}

const ANSWER_TIMEOUT_MS = 60_000;

/**
 * Postgres and the broker, which the launcher started and keeps running (tools/faults/servers.mjs). Where they are after a
 * restart is told by it; what only it can do to them is asked of it.
 */
export class Servers {
  private readonly waiting = new Map<number, (answer: FromLauncher) => void>();
  private whereabouts: Record<ServerName, Whereabouts> | undefined;
  private asked = 0;
  private found: () => void = () => undefined;
  readonly known = new Promise<void>((found) => (this.found = found));

  constructor() {
    process.on('message', (message: FromLauncher) => {
      if (message.servers) {
        this.whereabouts = message.servers;
        this.found();
      }
      if (message.id !== undefined) this.waiting.get(message.id)?.(message);
    });
  }

  of(name: ServerName): Whereabouts {
    if (!this.whereabouts) throw new Error('the launcher has not told where the servers are');
    return this.whereabouts[name];
  }

  /** The stack as it is reached now: a server whose port was taken while it was away has got another one. */
  reached(stack: FaultStack): FaultStack {
    const here = (url: string) => atPort(url, this.of('postgres').port);
    const entries = Object.entries(stack.command_line);
    return {
      ...stack,
      owner_databases: mapped(stack.owner_databases, here),
      command_line: Object.fromEntries(
        entries.map(([name, value]) => [name, name.endsWith('_DATABASE_URL') ? here(value) : value]),
      ),
    };
  }

  /** The server's process and all that it started. */
  processesOf(name: ServerName): number[] {
    const { pid } = this.of(name);
    return [pid, ...childrenOf(pid)];
  }

  ask(ask: Ask, of?: ServerName): Promise<void> {
    const id = (this.asked += 1);
    return new Promise((done, failed) => {
      const timer = setTimeout(() => settle({ error: `${ask} was not done in time` }), ANSWER_TIMEOUT_MS);
      const settle = ({ error }: FromLauncher) => {
        clearTimeout(timer);
        this.waiting.delete(id);
        if (error === undefined) done();
        else failed(new Error(error));
      };
      this.waiting.set(id, settle);
      process.send?.({ id, ask, of });
    });
  }
}

function mapped<Key extends string>(urls: Record<Key, string>, change: (url: string) => string): Record<Key, string> {
  return Object.fromEntries(Object.entries<string>(urls).map(([name, url]) => [name, change(url)])) as Record<
    Key,
    string
  >;
}

function atPort(text: string, port: number): string {
  const url = new URL(text);
  url.port = String(port);
  return url.href;
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === parent)
    .map(Number);
}

function parentOf(pid: string): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name, in parentheses, may hold anything: what follows the last one is state and parent.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
