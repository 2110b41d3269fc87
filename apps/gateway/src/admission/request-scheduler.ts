import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

declare module 'node:http' {
  interface IncomingMessage {
    /** When its head had been read, by `performance.now()`. */
    readAt?: number;
  }
}

/** So many turns in a row may be given to connections alone. */
const CONNECTIONS_BEFORE_A_REQUEST = 32;
/** Of each other turn, for beginning requests and refusing them. */
const BEGINNING_MS = 5;
/** Requests that one connection may send without waiting for its answers; what is read and not begun is bounded by it. */
const AHEAD_MAX = 64;

export interface Door {
  /** @param waiting how many were read and are not begun yet */
  mustShed(request: IncomingMessage, waiting: number): boolean;
  refuse(request: IncomingMessage, response: ServerResponse): void;
}

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Begins requests for a few milliseconds in each turn of the event loop, and none in a turn in which a connection was taken.
 * What there is no room for is refused then, which takes a fraction of what others do.
 *
 * Node takes one waiting connection in each turn (libuv since 1.45), and reads in it whatever has come on all the others. A
 * turn in which hundreds of requests are begun takes as long as all of them: with many connections open, new ones would be
 * taken a few in a second, and those who opened them wait for their first answer, also for a refusal, until all are. Turns
 * are short here, and those that follow a connection are shorter, since rarely one comes alone.
 *
 * Answers of services are read in every turn, before any request is begun: what was accepted comes first. A connection that
 * sends far more than it waits for is ended: Node reads all that it sends.
 */
export function scheduleRequests(server: Server, door: Door): void {
  const handle = server.listeners('request')[0] as Handle;
  const waiting: [IncomingMessage, ServerResponse][] = [];
  const ahead = new WeakMap<Socket, number>();
  let connections = 0;
  let connectionTaken = false;
  let scheduled = false;

  const schedule = (): void => {
    if (scheduled || waiting.length === 0) return;
    scheduled = true;
    setImmediate(turn);
  };
  const turn = (): void => {
    scheduled = false;
    connections = connectionTaken ? connections + 1 : 0;
    connectionTaken = false;
    if (connections % (CONNECTIONS_BEFORE_A_REQUEST + 1) === 0) begin(performance.now() + BEGINNING_MS);
    schedule();
  };
  const begin = (until: number): void => {
    do {
      const [request, response] = waiting.shift() as [IncomingMessage, ServerResponse];
      ahead.set(request.socket, (ahead.get(request.socket) ?? 1) - 1);
      // Whoever asked may be gone meanwhile.
      if (request.destroyed) continue;
      if (door.mustShed(request, waiting.length)) door.refuse(request, response);
      else handle.call(server, request, response);
    } while (waiting.length > 0 && performance.now() < until);
  };

  server.removeListener('request', handle);
  server.on('connection', () => (connectionTaken = true));
  server.on('request', (request, response) => {
    const ofConnection = (ahead.get(request.socket) ?? 0) + 1;
    if (ofConnection > AHEAD_MAX) return void request.socket.destroy();
    ahead.set(request.socket, ofConnection);
    request.readAt = performance.now();
    waiting.push([request, response]);
    schedule();
  });
}
