import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { attackerAddress, type Load, type LoadRun } from './load';

const LOOK_MS = 50;
const OPENED_PER_LOOK = 200;
const STATUS_LINE = /HTTP\/1\.1 (\d{3})/g;
/** A status line that two parts of an answer share is found in both together. */
const CARRIED_CHARACTERS = 11;

export interface PipelinedPlan {
  connections: number;
  /** Requests that each connection writes at once. */
  depth: number;
  /** As it goes over the wire; made anew for each batch where it is a function. */
  request: string | (() => string);
  /** From how many source addresses; one by default. */
  addresses?: number;
}

/** Each connection writes several requests at once, and as many again when those are answered: it stays within the bounds. */
export const pipelined =
  (plan: PipelinedPlan): Load =>
  async (run) => {
    const { signal, tally } = run;
    const open = new Set<Socket>();
    let opened = 0;
    while (!signal.aborted) {
      for (let most = OPENED_PER_LOOK; most > 0 && open.size < plan.connections; most -= 1, opened += 1)
        openOne(plan, run, open, opened);
      await delay(LOOK_MS);
    }
    tally.count('open at the end', open.size);
  };

const batchOf = ({ request, depth }: PipelinedPlan): string =>
  (request instanceof Function ? request() : request).repeat(depth);

function openOne(plan: PipelinedPlan, { baseUrl, tally }: LoadRun, open: Set<Socket>, number: number): void {
  const { hostname, port } = new URL(baseUrl);
  const localAddress = attackerAddress(number % (plan.addresses ?? 1));
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  const answers = new AnswerCounter();
  let awaited = 0;
  const send = (): void => {
    awaited = plan.depth;
    tally.count('sent', plan.depth);
    socket.write(batchOf(plan));
  };
  open.add(socket);
  socket.once('connect', send);
  socket.on('data', (data: Buffer) => {
    const statuses = answers.in(data);
    for (const status of statuses) tally.count(status);
    awaited -= statuses.length;
    if (awaited <= 0 && socket.writable) send();
  });
  socket.once('error', (error: NodeJS.ErrnoException) => tally.count(error.code ?? error.message));
  socket.once('end', () => tally.count('closed by the service'));
  socket.once('close', () => open.delete(socket));
}

/** The statuses of the answers that begin in each part of a stream. */
export class AnswerCounter {
  private carried = '';

  in(data: Buffer): string[] {
    const text = this.carried + data.toString('latin1');
    const found = [...text.matchAll(STATUS_LINE)];
    const last = found.at(-1);
    const from = last ? last.index + last[0].length : 0;
    this.carried = text.slice(Math.max(from, text.length - CARRIED_CHARACTERS));
    return found.map(([, status]) => status ?? '');
  }
}
