import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** More than the largest body, for a sender that reads no answer before it has sent all. */
const DISCARDED_BYTES_MAX = 32 * 1024 * 1024;
const LINGER_MS = 10_000;
/** Of one connection: read without a pace, a refused body of 14 MiB costs others as much as one that is accepted. */
const DISCARDED_BYTES_PER_SECOND = 4 * 1024 * 1024;
/** Read at once; a shorter pause would cost more than it spares. */
const UNPACED_MS = 50;

/**
 * Lets a client that is still sending read its answer. A socket that is closed with bytes unread is reset, and a reset
 * takes away from the client what it has received and not read, such as a 413. So a connection that ends within a
 * request is closed in one direction first; what still comes is discarded, up to `DISCARDED_BYTES_MAX` and `LINGER_MS`,
 * at `DISCARDED_BYTES_PER_SECOND`.
 *
 * A connection ends so where the body of the answered request is larger than `keptBodyBytesMax`: reading a smaller one
 * to its end costs less than a new connection.
 */
export function lingerOnClose(server: Server, keptBodyBytesMax: number): void {
  const latest = new WeakMap<Socket, IncomingMessage>();
  server.on('connection', (socket) => {
    const destroySoon = socket.destroySoon.bind(socket);
    // Node ends a connection by this method once the last answer is written.
    socket.destroySoon = () => {
      if (latest.get(socket)?.complete === false) endLingering(socket);
      else destroySoon();
    };
  });
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    latest.set(request.socket, request);
    // A client that waits for `100 Continue` may leave its body out once it has another answer.
    const mayOmitBody = request.headers.expect !== undefined;
    if (mayOmitBody || bodyBytesOf(request) > keptBodyBytesMax) endUnlessRead(request, response);
  };
  server.on('request', begin);
  server.on('checkExpectation', begin);
}

/** Ends the connection with the answer, unless the body has been read by then. */
function endUnlessRead(request: IncomingMessage, response: ServerResponse): void {
  const { shouldKeepAlive } = response;
  response.shouldKeepAlive = false;
  request.once('end', () => {
    response.shouldKeepAlive = shouldKeepAlive;
  });
}

/** Writes the last bytes of a connection and discards what still comes, for a while. */
export function endLingering(socket: Socket, lastBytes = ''): void {
  let discarded = 0;
  const beganAt = performance.now();
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  let pause: NodeJS.Timeout | undefined;
  const destroyWhenWritten = (): void => {
    if (socket.writableFinished) socket.destroy();
    else socket.once('finish', () => socket.destroy());
  };
  // The parser would go on reading requests.
  socket.removeAllListeners('data');
  socket
    .on('data', (chunk: Buffer) => {
      discarded += chunk.length;
      if (discarded > DISCARDED_BYTES_MAX) socket.destroy();
      const aheadMs = (discarded / DISCARDED_BYTES_PER_SECOND) * 1_000 - (performance.now() - beganAt);
      if (aheadMs < UNPACED_MS) return;
      socket.pause();
      pause = setTimeout(() => socket.resume(), aheadMs);
    })
    .once('end', destroyWhenWritten)
    .once('close', () => {
      clearTimeout(timer);
      clearTimeout(pause);
    })
    .end(lastBytes);
  // Node stopped reading where the request's body was not read, which `resume` alone does not undo.
  socket.resume();
  socket._read(0);
  if (socket.readableEnded) destroyWhenWritten();
}

function bodyBytesOf({ headers }: IncomingMessage): number {
  return headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Infinity;
}
