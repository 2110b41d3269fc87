import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiKeys } from '../authentication/api-keys';
import type { ClientAddresses } from '../http/client-addresses';
import type { LoadShedder } from './load-shedder';
import { RequestQueues } from './request-queue';

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
/** All connections of one address together, beside the first request of each. */
const PIPELINED_OF_ADDRESS_MAX = 256;

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

interface Waiting {
  request: IncomingMessage;
  response: ServerResponse;
  address: string;
  /** Another request of its connection was waiting when it came. */
  isPipelined: boolean;
}

/**
 * Starts requests for a few milliseconds in each turn of the event loop, and none in a turn that accepted a connection.
 * A request for which there is no capacity is refused instead, which takes a fraction of the time. Callers take turns,
 * merchants and, of those without a valid key, addresses: one that sends thousands of requests waits for its own.
 *
 * Node accepts one waiting connection per turn (libuv since 1.45), and in the same turn reads whatever has arrived on all
 * others. A turn that starts hundreds of requests takes as long as all of them: with many connections open, only a few new
 * ones would be accepted in a second, and their callers would wait that long for any answer, also for a refusal. So turns
 * are short, and those after a connection start nothing, since connections rarely come alone.
 *
 * Answers of services are read in every turn before requests are started: accepted work comes first. A connection is
 * closed, and given to `onFlood`, when it pipelines more than `PIPELINED_MAX` requests, or its address more than
 * `PIPELINED_OF_ADDRESS_MAX` over all its connections: Node reads all that they send before any other work.
 */
export function scheduleRequests(
  server: Server,
  shedder: Pick<LoadShedder, 'mustShed' | 'refuse'>,
  addresses: Pick<ClientAddresses, 'ofRequest'>,
  keys: Pick<ApiKeys, 'merchantOf'>,
  onFlood: (socket: Socket) => void = () => undefined,
): void {
  const [handler] = server.listeners('request') as [Handler];
  const queue = new RequestQueues<Waiting>();
  const queuedOf = new WeakMap<Socket, number>();
  const pipelinedOf = new Map<string, number>();
  let acceptingTurns = 0;
  let hasAccepted = false;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled || queue.isEmpty) return;
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
      const next = queue.next();
      if (!next) return;
      const { request, response, address, isPipelined } = next.request;
      queuedOf.set(request.socket, (queuedOf.get(request.socket) ?? 1) - 1);
      if (isPipelined) countPipelined(pipelinedOf, address, -1);
      // Its caller has disconnected, or was closed for a flood: Node destroys the requests of a socket only some turns later.
      if (request.destroyed || request.socket.destroyed) continue;
      if (shedder.mustShed(request, next.queued)) shedder.refuse(request, response);
      else handler.call(server, request, response);
    } while (performance.now() < sliceEnd);
  };

  server.removeListener('request', handler);
  server.on('connection', () => {
    hasAccepted = true;
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    // Read together with the one that ended the connection.
    if (socket.destroyed) return;
    const address = addresses.ofRequest(request);
    const queued = (queuedOf.get(socket) ?? 0) + 1;
    const isPipelined = queued > 1;
    const isFlood = isPipelined && (pipelinedOf.get(address) ?? 0) >= PIPELINED_OF_ADDRESS_MAX;
    if (queued > PIPELINED_MAX || isFlood) {
      onFlood(socket);
      socket.destroy();
      return;
    }
    queuedOf.set(socket, queued);
    if (isPipelined) countPipelined(pipelinedOf, address, 1);
    request.readAt = performance.now();
    const merchant = keys.merchantOf(request.headers['x-api-key']);
    queue.add({ address, merchant }, { request, response, address, isPipelined });
    schedule();
  });
}

function countPipelined(pipelinedOf: Map<string, number>, address: string, change: number): void {
  const count = (pipelinedOf.get(address) ?? 0) + change;
  if (count > 0) pipelinedOf.set(address, count);
  else pipelinedOf.delete(address);
}
