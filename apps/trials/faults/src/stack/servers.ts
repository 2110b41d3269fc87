import { ofEachDatabase } from '@stablecoin/migrations/databases';
import { readFileSync, readdirSync } from 'node:fs';
import type { FaultStack, ServerName } from './fault-stack';
import type { FromLauncher, ServerAction, ServerAnswer, ServerRequest, Whereabouts } from './server-protocol';

const ANSWER_TIMEOUT_MS = 60_000;

/**
 * Postgres and the broker, which the launcher started and keeps running (launcher/server-keeper.ts). It says where they are
 * after each restart, and does on request what only it can do to them.
 */
export class Servers {
  private readonly waiting = new Map<number, (answer: ServerAnswer) => void>();
  private whereabouts: Record<ServerName, Whereabouts> | undefined;
  private requests = 0;
  private found: () => void = () => undefined;
  readonly known = new Promise<void>((found) => (this.found = found));

  constructor() {
    process.on('message', (message: FromLauncher) => {
      if (!('servers' in message)) {
        this.waiting.get(message.id)?.(message);
        return;
      }
      this.whereabouts = message.servers;
      this.found();
    });
  }

  of(name: ServerName): Whereabouts {
    if (!this.whereabouts) throw new Error('the launcher has not said where the servers are');
    return this.whereabouts[name];
  }

  /** The stack as it is reached now: a server whose port was taken while it was away has got another one. */
  reached(stack: FaultStack): FaultStack {
    const here = (url: string) => atPort(url, this.of('postgres').port);
    const owners = ofEachDatabase((name) => here(stack.owner_databases[name]));
    const commandLine = Object.entries(stack.command_line).map(([name, value]) => [
      name,
      name.endsWith('_DATABASE_URL') ? here(value) : value,
    ]);
    return {
      ...stack,
      owner_databases: owners,
      command_line: Object.fromEntries(commandLine) as Record<string, string>,
    };
  }

  /** The server's process and all that it started. */
  processesOf(name: ServerName): number[] {
    const { pid } = this.of(name);
    return [pid, ...childrenOf(pid)];
  }

  /** Resolves when the launcher has done it. */
  ask(action: ServerAction): Promise<void> {
    this.requests += 1;
    const id = this.requests;
    return new Promise((done, failed) => {
      const late = { id, error: `${action.action} was not done in time` };
      const timer = setTimeout(() => settle(late), ANSWER_TIMEOUT_MS);
      const settle = ({ error }: ServerAnswer) => {
        clearTimeout(timer);
        this.waiting.delete(id);
        if (error === undefined) done();
        else failed(new Error(error));
      };
      this.waiting.set(id, settle);
      const request: ServerRequest = { ...action, id };
      process.send?.(request);
    });
  }
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
