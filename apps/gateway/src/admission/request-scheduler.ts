import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiKeys } from '../authentication/api-keys';
import { Bucket, RateLimit, takeTokens } from '@stablecoin/http-answers/token-bucket';
import { answerClientError } from '../http/client-errors';
import type { ClientAddresses } from '../http/client-addresses';
import type { LoadShedder } from './load-shedder';
import { RequestQueue } from './request-queue';

declare module 'node:http' {
  interface IncomingMessage {
    /** When its head had been read, by `performance.now()`. */
    readAt?: number;
  }
}

/** A client sends ten or twenty, and proxies add some. */
const HEADERS_MAX = 100;
/** How many consecutive turns of the event loop may only accept connections. */
const ACCEPTING_TURNS_MAX = 32;
/** How long requests are started in one turn, and how long they are refused. */
const SLICE_MS = 5;
/** How long they are refused in a turn that accepted a connection. */
const ACCEPTING_SLICE_MS = 0.5;
/** Requests with a known key that are started before one of the others, while there are both. */
const KNOWN_PER_UNKNOWN = 3;
/** Requests without a known key that are started or refused, of all addresses together: a page takes thirty. */
const UNKNOWN_RATE: RateLimit = { perSecond: 1_000, burst: 1_000 };
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

type Queue = RequestQueue<Waiting>;

/** What is known of callers before their requests are started. */
interface Callers {
  addresses: Pick<ClientAddresses, 'ofRequest'>;
  keys: Pick<ApiKeys, 'merchantOf'>;
  onFlood?: (socket: Socket) => void;
}

/**
 * Starts requests for a few milliseconds in each turn of the event loop, and none in a turn that accepted a connection.
 * Whether there is capacity for a request is decided when it has been read, and one without is refused in one of the next turns,
 * which takes a fraction of the time: its caller does not wait behind those that are started. Callers take turns,
 * merchants and, of those without a key that is known to be valid, client addresses: one that sends thousands of requests, of
 * whatever kind, waits for its own. Merchants come first, and leave every fourth place to the others, of which `UNKNOWN_RATE`
 * are answered: a refusal takes a tenth of a millisecond too, and a caller in a closed loop that is refused at once asks again at once.
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
  { addresses, keys, onFlood = () => undefined }: Callers,
): void {
  const [handler] = server.listeners('request') as [Handler];
  const queues = [1, 2, 3, 4].map(() => new RequestQueue<Waiting>());
  const [known, unknown, refused, unknownRefused] = queues as [Queue, Queue, Queue, Queue];
  const queuedOf = new WeakMap<Socket, number>();
  const pipelinedOf = new Map<string, number>();
  let acceptingTurns = 0;
  let knownInARow = 0;
  let hasAccepted = false;
  let isScheduled = false;
  let pause: NodeJS.Timeout | undefined;
  let unknownBucket: Bucket | undefined;
  let latestUnknown: Queue | undefined;

  const schedule = (): void => {
    if (isScheduled || queues.every(({ isEmpty }) => isEmpty)) return;
    const waitMs = known.isEmpty && refused.isEmpty ? unknownWaitMs() : 0;
    if (waitMs === 0) {
      isScheduled = true;
      setImmediate(runTurn);
      return;
    }
    pause ??= setTimeout(() => {
      pause = undefined;
      schedule();
    }, waitMs);
  };
  const runTurn = (): void => {
    isScheduled = false;
    acceptingTurns = hasAccepted ? acceptingTurns + 1 : 0;
    hasAccepted = false;
    const mayStart = acceptingTurns % (ACCEPTING_TURNS_MAX + 1) === 0;
    workFor(mayStart ? SLICE_MS : ACCEPTING_SLICE_MS, nextToRefuse, shedder.refuse.bind(shedder));
    if (mayStart) workFor(SLICE_MS, nextToStart, handler.bind(server));
    schedule();
  };
  const nextToStart = (): Waiting | undefined => {
    if (knownInARow < KNOWN_PER_UNKNOWN && !known.isEmpty) {
      knownInARow += 1;
      return take(known);
    }
    knownInARow = 0;
    return takeUnknown(unknown) ?? take(known);
  };
  const queueOf = ({ isKnown, isShed }: { isKnown: boolean; isShed: boolean }): Queue => {
    if (isKnown) return isShed ? refused : known;
    return isShed ? unknownRefused : unknown;
  };
  const nextToRefuse = (): Waiting | undefined => take(refused) ?? takeUnknown(unknownRefused);
  const unknownWaitMs = (): number => takeTokens(UNKNOWN_RATE, unknownBucket, 0, performance.now()).waitMs;
  const takeUnknown = (queue: Queue): Waiting | undefined => {
    const other = queue === unknown ? unknownRefused : unknown;
    const isOthersTurn = queue === latestUnknown && !other.isEmpty;
    const next = isOthersTurn || unknownWaitMs() > 0 ? undefined : take(queue);
    if (!next) return undefined;
    latestUnknown = queue;
    unknownBucket = takeTokens(UNKNOWN_RATE, unknownBucket, 1, performance.now()).bucket;
    return next;
  };
  const take = (queue: Queue): Waiting | undefined => {
    for (let next = queue.next(); next; next = queue.next()) {
      const { request, address, isPipelined } = next;
      queuedOf.set(request.socket, (queuedOf.get(request.socket) ?? 1) - 1);
      if (isPipelined) countPipelined(pipelinedOf, address, -1);
      // Its caller has disconnected, or was closed for a flood: Node destroys the requests of a socket only some turns later.
      if (!request.destroyed && !request.socket.destroyed) return next;
    }
    return undefined;
  };

  // Node drops those beyond it; one more than may be shows that there were too many.
  server.maxHeadersCount = HEADERS_MAX + 1;
  server.removeListener('request', handler);
  server.on('connection', () => {
    hasAccepted = true;
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    // Read together with the one that ended the connection.
    if (socket.destroyed) return;
    // Names and values in turns. Thousands of them fit in what a head may have, and each is kept while the request waits.
    if (request.rawHeaders.length > 2 * HEADERS_MAX) {
      answerClientError({ code: 'HPE_HEADER_OVERFLOW' }, socket);
      return;
    }
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
    const isKnown = merchant !== undefined;
    const caller = isKnown ? merchant : address;
    const isShed = shedder.mustShed(request, (isKnown ? known : unknown).countFor(caller));
    queueOf({ isKnown, isShed }).add(caller, { request, response, address, isPipelined });
    schedule();
  });
}

/** One of them at least, and more until the time is over. */
function workFor(
  milliseconds: number,
  next: () => Waiting | undefined,
  work: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  const end = performance.now() + milliseconds;
  do {
    const waiting = next();
    if (!waiting) return;
    work(waiting.request, waiting.response);
  } while (performance.now() < end);
}

function countPipelined(pipelinedOf: Map<string, number>, address: string, change: number): void {
  const count = (pipelinedOf.get(address) ?? 0) + change;
  if (count > 0) pipelinedOf.set(address, count);
  else pipelinedOf.delete(address);
}
