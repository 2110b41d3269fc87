import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { attackerAddress, type Load, type LoadRun } from './load';

/** Descriptors that the generator needs for itself. */
const DESCRIPTORS_KEPT = 200;
const LOOK_MS = 50;
const STATUS_LINE = /HTTP\/1\.1 (\d{3})/g;

export interface RawConnectionsPlan {
  /** How many are kept open: one that is closed is opened again. */
  count: number;
  /** How many are opened in a second at the most. */
  perSecond: number;
  /** Sent as soon as a connection is open. */
  send?: string | Buffer;
  /** Sent again and again on each connection. */
  drip?: { text: string; everyMs: number };
  /** From how many source addresses; one by default. */
  addresses?: number;
  /** False never reads what is answered. */
  reads?: boolean;
  /** Closes each connection, with a reset, after this long. */
  resetAfterMs?: number;
}

/** Connections that speak as no HTTP client would. */
export const rawConnections =
  (plan: RawConnectionsPlan): Load =>
  async (run) => {
    const { tally, signal } = run;
    const count = Math.min(plan.count, descriptorsMax() - DESCRIPTORS_KEPT);
    if (count < plan.count) tally.note(`${count} connections, not ${plan.count}: a process may open no more here`);
    const open = new Set<Socket>();
    const dripping = drip(plan, open);
    let opened = 0;
    for (let allowed = 0; !signal.aborted;) {
      allowed = Math.min(allowed, plan.perSecond) + (plan.perSecond * LOOK_MS) / 1_000;
      for (; allowed >= 1 && open.size < count; allowed -= 1, opened += 1) openOne(plan, run, open, opened);
      await delay(LOOK_MS);
    }
    clearInterval(dripping);
    tally.count('open at the end', open.size);
  };

function openOne(plan: RawConnectionsPlan, { baseUrl, tally }: LoadRun, open: Set<Socket>, number: number): void {
  const { hostname, port } = new URL(baseUrl);
  const localAddress = attackerAddress(number % (plan.addresses ?? 1));
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  open.add(socket);
  tally.count('connections asked for');
  socket.once('connect', () => {
    tally.count('connections opened');
    if (plan.send !== undefined) socket.write(plan.send);
    if (plan.resetAfterMs !== undefined) setTimeout(() => socket.resetAndDestroy(), plan.resetAfterMs);
  });
  if (plan.reads !== false)
    socket.on('data', (data: Buffer) => {
      for (const [, status] of data.toString('latin1').matchAll(STATUS_LINE)) tally.count(status ?? '');
    });
  socket.once('error', (error: NodeJS.ErrnoException) => tally.count(error.code ?? error.message));
  socket.once('end', () => tally.count('closed by the service'));
  socket.once('close', () => open.delete(socket));
}

function drip({ drip: dripped }: RawConnectionsPlan, open: ReadonlySet<Socket>): NodeJS.Timeout | undefined {
  if (dripped === undefined) return undefined;
  return setInterval(() => {
    for (const socket of open) if (socket.writable && !socket.connecting) socket.write(dripped.text);
  }, dripped.everyMs);
}

/** How many files and connections this process may have open; Node has raised it as far as it may. */
function descriptorsMax(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return Number(limit ?? 1_024);
  } catch {
    return 1_024;
  }
}
