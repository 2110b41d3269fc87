import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { LoadShedder } from './load-shedder';

declare module 'node:http' {
  interface IncomingMessage {
    /** When its head had been read, by `performance.now()`. */
    readAt?: number;
  }
}

/** How many consecutive turns of the event loop may only accept connections. */
const ACCEPTING_TURNS_MAX = 32;
/** How long requests are started or refused in one turn. */
const SLICE_MS = 5;
/** Requests that one connection may pipeline; it bounds what is read and not started. */
const PIPELINED_MAX = 64;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Starts requests for a few milliseconds in each turn of the event loop, and none in a turn that accepted a connection.
 * A request for which there is no capacity is refused instead, which takes a fraction of the time.
 *
 * Node accepts one waiting connection per turn (libuv since 1.45), and in the same turn reads whatever has arrived on all
 * others. A turn that starts hundreds of requests takes as long as all of them: with many connections open, only a few new
 * ones would be accepted in a second, and their callers would wait that long for any answer, also for a refusal. So turns
 * are short, and those after a connection start nothing, since connections rarely come alone.
 *
 * Answers of services are read in every turn before requests are started: accepted work comes first. A connection that
 * pipelines more than `PIPELINED_MAX` requests is closed, since Node reads all that it sends, and given to `onFlood`.
 */
export function scheduleRequests(
  server: Server,
  shedder: Pick<LoadShedder, 'mustShed' | 'refuse'>,
  onFlood: (socket: Socket) => void = () => undefined,
): void {
  const [handler] = server.listeners('request') as [Handler];
  const queue: [IncomingMessage, ServerResponse][] = [];
  const queuedOf = new WeakMap<Socket, number>();
  let acceptingTurns = 0;
  let hasAccepted = false;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || queue.length === 0) return;
    isScheduled = true;
    setImmediate(runTurn);
  };
  const runTurn = (): void => {
    isScheduled = false;
    acceptingTurns = hasAccepted ? acceptingTurns + 1 : 0;
    hasAccepted = false;
    if (acceptingTurns % (ACCEPTING_TURNS_MAX + 1) === 0) startUntil(performance.now() + SLICE_MS);
    schedule();
  };
  const startUntil = (sliceEnd: number): void => {
    do {
      const next = queue.shift();
      if (!next) return;
      const [request, response] = next;
      queuedOf.set(request.socket, (queuedOf.get(request.socket) ?? 1) - 1);
      // Its caller has disconnected.
      if (request.destroyed) continue;
      if (shedder.mustShed(request, queue.length)) shedder.refuse(request, response);
      else handler.call(server, request, response);
    } while (performance.now() < sliceEnd);
  };

  server.removeListener('request', handler);
  server.on('connection', () => {
    hasAccepted = true;
  });
  server.on('request', (request, response) => {
    const queued = (queuedOf.get(request.socket) ?? 0) + 1;
    if (queued > PIPELINED_MAX) {
      onFlood(request.socket);
      request.socket.destroy();
      return;
    }
    queuedOf.set(request.socket, queued);
    request.readAt = performance.now();
    queue.push([request, response]);
    schedule();
  });
}
